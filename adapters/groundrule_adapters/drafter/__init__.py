"""Drafters: composing an answer from admitted evidence alone."""
