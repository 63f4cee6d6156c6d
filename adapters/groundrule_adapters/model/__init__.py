"""A model behind an OpenAI-compatible API: one call with one deadline, its reply read strictly, and the prompts."""

from .client import Model
from .faults import ModelFault, ModelLate
from .prompts import filled
from .reply import read_object

__all__ = ["Model", "ModelFault", "ModelLate", "filled", "read_object"]
