"""A small MCP server over made-up pages, so that the first question needs neither network nor configuration.

`python -m groundrule_adapters.sample_server` speaks MCP over stdio. Its pages lie at `.example` addresses, which
nobody can own, and their dates are relative to the clock, so that fresh stays fresh and old stays old.
"""
