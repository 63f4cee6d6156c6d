"""A drafted answer, its checkable pieces, and the reply that leaves the house."""

from __future__ import annotations

from typing import Annotated

from .record import MAX_CITATIONS, MAX_CLAIMS, MAX_OPERANDS, Int, Many, Record, Text, Texts, fact
from .words import ClaimKind, ClaimStatus, Derivation, Language


class Operand(Record):
    """What an item states that a claim was compared with."""

    text: Text | None = fact("The words of the item.", "证据中的原文。")
    value: Text | None = fact("Its normalised value.", "规范化后的值。")
    unit: Text | None = fact("Its unit.", "单位。")
    evidence: Text | None = fact("Id of the item that states it.", "出处的证据标识。")


class Claim(Record):
    """A checkable piece of an answer. Positions count code points of the answer's text."""

    id: Text | None = fact("Identifier within the answer.", "在回答中的标识。")
    kind: ClaimKind | None = fact("What kind of particular it is.", "具体内容的种类。")
    text: Text | None = fact("The words of the answer.", "回答中的原文。")
    start: Int | None = fact("Where it begins.", "起始位置。")
    end: Int | None = fact("Where it ends.", "结束位置。")
    value: Text | None = fact("Its normalised value.", "规范化后的值。")
    unit: Text | None = fact("Its unit.", "单位。")
    status: ClaimStatus | None = fact("How evidence supports it.", "证据支持的程度。")
    evidence: Texts | None = fact("Ids of the items that it rests on.", "所依据的证据标识。")
    derivation: Derivation | None = fact(
        "How it follows from its operands, if it is derived.", "如由推算得出：从操作数推算的方式。"
    )
    operands: Annotated[tuple[Operand, ...], Many(MAX_OPERANDS)] | None = fact(
        "The numbers and times that it rests on; of a contradicted claim, what stands against it.",
        "所依据的数字和时间；如相矛盾，则为与之相矛盾的内容。",
    )


class Citation(Record):
    """A handle in the answer's text that points to an item of this execution."""

    handle: Text | None = fact("The handle as written in the text.", "文中的引用标记。")
    evidence: Text | None = fact("Id of the item.", "证据标识。")
    start: Int | None = fact("Where it begins.", "起始位置。")
    end: Int | None = fact("Where it ends.", "结束位置。")


class Answer(Record):
    """A drafted answer with its claims and citations."""

    text: Text | None = fact("The text as the user would read it.", "用户将看到的文本。")
    language: Language | None = fact("Language of the text.", "文本的语言。")
    claims: Annotated[tuple[Claim, ...], Many(MAX_CLAIMS)] | None = fact("Its checkable pieces.", "可核对的内容。")
    citations: Annotated[tuple[Citation, ...], Many(MAX_CITATIONS)] | None = fact("Its handles.", "引用标记。")
    unclaimed_numbers: Texts | None = fact("Numbers in the text that no claim covers.", "文中未被任何断言覆盖的数字。")
