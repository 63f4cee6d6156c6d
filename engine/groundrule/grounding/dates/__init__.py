"""The closed grammar of time expressions behind `grounding.times`: words, tokens, periods, parts, phrases.

Imports point one way: phrases → counts → parts → clocks → tokens → words, and all of them → periods.
"""
