"""Fetching of everything that comes from outside: addresses checked at connect time, bounded, parsed apart.

`fetcher` gets one page, `connecting` says where a connection may lead, `body` reads within limits; `parsing` reads
bytes from outside in a process that can be ended, where `page` finds title, main text and dates; `dating` says how old
a page is. The reasons are in docs/decisions/fetching.md.
"""
