"""The drafter on a model: it sees the question, the answer contract and the admitted items under numbers, nothing else.

What it writes is a draft like any other: grounding ties it to the items, and the answer gate decides. A handle that was
not given stands for nothing, which that gate refuses.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from groundrule.diagnostics import visible
from groundrule.facts import Evidence, ExternalQueryPlan, Question
from groundrule.facts.words import Language
from groundrule.gateway.ports import Draft, Drafter
from groundrule.grounding.layout import find_handles
from groundrule.grounding.times import zone_of

from ..model import Model, ModelFault, ModelLate, filled
from ..settings import ModelSettings

PROMPT = "drafter.v1"
NO_ANSWER = "NO ANSWER"

_OWN_MARKS = re.compile(r"</?think(?:ing)?>|<\|[a-z_]{2,30}\|>", re.IGNORECASE)
"""What models write around their thoughts and turns. It is no part of an answer."""
_DAY = timedelta(days=1)


def fence() -> str:
    """A mark that no page can hold, since it is made after the page was fetched."""
    return secrets.token_hex(8)


@dataclass(frozen=True)
class OpenAIDrafter:
    """Composes with a model (ports.Drafter).

    otherwise: drafts where the model fails, if the operator wants that. mark: makes the fence of each call. How much
    of the evidence a model is shown, its settings say; the rest of a page is left out.
    """

    model: Model
    otherwise: Drafter | None = None
    mark: Callable[[], str] = fence

    @property
    def name(self) -> str:
        """Adapter, model and version of the prompt."""
        return visible(f"openai/1 {self.model.name} {PROMPT}")

    async def draft(
        self, question: Question, plan: ExternalQueryPlan, evidence: Sequence[Evidence], zone: str
    ) -> Draft:
        """The model's text with the handles `[1]`, `[2]` … of the items, or why there is none. Raises ModelLate."""
        language: Language = question.language or "en"
        shown = _shown(evidence, self.model.settings)
        messages = [
            {"role": "system", "content": filled(PROMPT, language)},
            {"role": "user", "content": _asked(question, plan, shown, self.mark(), zone)},
        ]
        try:
            text = await self.model.complete(messages)
            if text.strip().strip(".。") == NO_ANSWER:
                return Draft("", failure="the model found no answer in the evidence")
            if _OWN_MARKS.search(text):
                raise ModelFault("the draft holds marks of the model's own")
        except ModelFault as fault:
            if self.otherwise is not None:
                draft = await self.otherwise.draft(question, plan, evidence, zone)
                return replace(draft, note=f"{fault}; drafted by {self.otherwise.name}")
            if isinstance(fault, ModelLate):
                raise
            return Draft("", failure=str(fault))
        # As asked for, and as models write it in Chinese text.
        numbered = [(number, item.id) for number, (item, _) in enumerate(shown, 1)]
        return Draft(text, {form.format(number): id for form in ("[{}]", "【{}】") for number, id in numbered})


def _asked(
    question: Question, plan: ExternalQueryPlan, shown: Sequence[tuple[Evidence, str]], mark: str, zone: str
) -> str:
    """Question and contract, then each item under its handle: handle and date are ours, the rest is fenced."""
    asked_at = _time(question.asked_at or datetime.now(UTC), None, zone)
    text, contract = question.text or "", plan.answer_contract or ""
    blocks = [_HEAD[question.language or "en"].format(text=text, at=asked_at, contract=contract)]
    for number, (item, words) in enumerate(shown, 1):
        dated = "" if item.dated_at is None else f" {_time(item.dated_at, item.dated_resolution, zone)}"
        blocks.append(f"[{number}]{dated}\nBEGIN {mark}\n{words}\nEND {mark}")
    return "\n\n".join(blocks)


_HEAD: dict[Language, str] = {
    "en": "Question: {text}\nAsked at: {at}\nAnswer contract: {contract}",
    "zh": "问题：{text}\n提问时间：{at}\n回答合同：{contract}",
}


def _shown(evidence: Sequence[Evidence], settings: ModelSettings) -> list[tuple[Evidence, str]]:
    """The items with the text that is shown of each, the best first, as many as fit."""
    left = settings.max_evidence
    shown = []
    for item in evidence:
        text = _data(f"{item.title or ''}\n{item.snippet or ''}")[: min(left, settings.max_item)]
        if text:
            left -= len(text)
            shown.append((item, text))
    return shown


def _data(text: str) -> str:
    """Page text without what a reader does not see, and without what looks like a handle of ours."""
    seen = "".join(char for char in text if char == "\n" or unicodedata.category(char) not in ("Cc", "Cf", "Co", "Cs"))
    pieces, at = [], 0
    for handle in find_handles(seen, {}):
        if handle.start >= at:
            pieces.append(seen[at : handle.start])
            at = handle.end
    return "".join((*pieces, seen[at:])).strip()


def _time(at: datetime, resolution: timedelta | None, zone: str) -> str:
    """A time in the user's zone, to the minute, or only its day where no more was stated."""
    local = at.astimezone(zone_of(zone))
    if resolution is not None and resolution >= _DAY:
        return local.date().isoformat()
    return local.isoformat(" ", "minutes")
