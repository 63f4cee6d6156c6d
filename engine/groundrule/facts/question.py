"""Who asks what: the records that exist from the first gate on."""

from __future__ import annotations

from .record import Record, Text, TextMap, Texts, Timestamp, fact
from .words import Language


class Question(Record):
    """A question as it arrived."""

    id: Text | None = fact("Identifier of the question.", "问题的标识。")
    text: Text | None = fact("The question in the user's words.", "用户的原话。")
    language: Language | None = fact("Language of the question.", "问题的语言。")
    asked_at: Timestamp | None = fact("When it was asked.", "提问时间。")
    ambiguities: Texts | None = fact("What is ambiguous about it, one phrase each.", "问题中有歧义之处，每项一个短语。")


class Principal(Record):
    """On whose behalf the request runs."""

    id: Text | None = fact("Identifier of the person or service.", "用户或服务的标识。")
    roles: Texts | None = fact("Roles given by the caller's identity system.", "身份系统给出的角色。")


class Context(Record):
    """Circumstances of the request, stated by the backend and not by the user."""

    tenant: Text | None = fact("Tenant of the request.", "所属租户。")
    principal: Principal | None = fact("Who asks.", "提问者。")
    zone: Text | None = fact("IANA time zone of the user.", "用户所在时区（IANA 名称）。")
    channel: Text | None = fact("Where the question came in.", "提问渠道。")
    attributes: TextMap | None = fact("Further circumstances by name.", "其他情况，按名称。")
