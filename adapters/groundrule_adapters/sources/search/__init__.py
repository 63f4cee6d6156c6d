"""The live search of the web: a provider's result page, its pages, their passages.

`providers` is the table of providers, each in a file of its own; `live` is the source; `passages` finds what of a page
is about the question; `evidence` makes the items.
"""
