"""Stores: where receipts of runs and the rule sets that judged them are kept."""
