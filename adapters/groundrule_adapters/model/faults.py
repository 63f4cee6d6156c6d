"""Why a model gave nothing that can be used."""

from __future__ import annotations


class ModelFault(Exception):
    """One sentence for the receipt. It holds no text of the reply, no header, no address and no key."""


class ModelLate(ModelFault, TimeoutError):
    """The deadline of the call passed, with all its retries."""
