"""The records that a request is made of. They are the single source of the vocabulary and of the schemas."""

from .answer import Answer, Citation, Claim
from .evidence import Evidence, ExternalEvidenceBundle
from .gates import GATES, Gate
from .plan import ExternalQueryPlan, Window
from .question import Context, Principal, Question
from .record import Record
from .run import Attempt, Call, Run

Plan = ExternalQueryPlan
EvidenceBundle = ExternalEvidenceBundle

__all__ = [
    "GATES",
    "Answer",
    "Attempt",
    "Call",
    "Citation",
    "Claim",
    "Context",
    "Evidence",
    "EvidenceBundle",
    "ExternalEvidenceBundle",
    "ExternalQueryPlan",
    "Gate",
    "Plan",
    "Principal",
    "Question",
    "Record",
    "Run",
    "Window",
]
