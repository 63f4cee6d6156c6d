"""The HTTP service: `evaluate`, `explain` and `ask` for backends that are not in this process."""
