"""Both error rates of grounding: wrong particulars that pass, and right ones that do not."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

from groundrule.facts import Answer, Evidence
from groundrule.grounding.claims import ground
from groundrule.grounding.evidence import Prepared, prepare
from groundrule.grounding.numbers import read_numbers

from .data import Row

Judged = tuple[bool, bool, str]
"""Whether the particular is wrong, whether it was flagged, and its words with what was claimed."""
BAD = ("unverified", "contradicted")
PARTICULARS = ("number", "percent", "money", "date", "entity", "comparison")
SECONDS: list[float] = []
"""How long each answer took, with its evidence prepared."""


def _grounded(text: str, prepared: Prepared, now: datetime, zone: str, language: str) -> Answer:
    began = time.perf_counter()
    answer = ground(text, {}, prepared, now, zone, "zh" if language == "zh" else "en")
    SECONDS.append(time.perf_counter() - began)
    return answer


def warmed(evidence: Evidence, now: datetime, zone: str) -> Prepared:
    """Prepared evidence that has been read, as it stands in a bundle that several answers are checked against."""
    prepared = prepare([evidence], now, zone)
    for item in prepared.items:
        item.read_all()
    return prepared


def uhgeval(row: Row) -> Iterator[Judged]:
    """Every keyword with a number in it: is it reasonable, and did each of its claims find support?"""
    words = [note.split("<sep>", 1) for note in row["annotations"] if "<sep>" in note]
    words = [(word, label) for word, label in words if re.search(r"\d", word) or read_numbers(word)]
    if not words:
        return
    now = datetime.fromisoformat(row["broadcastDate"][:19]).replace(tzinfo=timezone(timedelta(hours=8)))
    source = Evidence(
        id="s",
        title=row["headLine"],
        snippet=row["newsBeginning"] + "\n" + row["newsRemainder"],
        target_url="https://news.example/1",
        dated_at=now,
    )
    text = row["hallucinatedContinuation"]
    answer = _grounded(text, warmed(source, now, "Asia/Shanghai"), now, "Asia/Shanghai", "zh")
    for word, label in words:
        at = text.find(word)
        if at < 0:
            continue
        claims = [
            claim
            for claim in answer.claims or ()
            if claim.kind in PARTICULARS and (claim.start or 0) < at + len(word) and (claim.end or 0) > at
        ]
        flagged = any(claim.status in BAD for claim in claims)
        shown = f"{word} {[(claim.text, claim.status) for claim in claims]} in {text[max(0, at - 25) : at + len(word) + 15]!r}"
        yield not label.startswith("合理"), flagged, shown


def halueval(row: Row) -> Iterator[Judged]:
    """Right and made-up answers, of the questions where both contain digits."""
    if not all(re.search(r"\d", row[name]) for name in ("right_answer", "hallucinated_answer")):
        return
    now = datetime(2023, 5, 1, tzinfo=UTC)
    source = Evidence(id="s", snippet=row["knowledge"], target_url="https://wiki.example/1")
    prepared = warmed(source, now, "UTC")
    for name in ("right_answer", "hallucinated_answer"):
        claims = _grounded(row[name], prepared, now, "UTC", "en").claims or ()
        flagged = any(claim.kind in PARTICULARS and claim.status in BAD for claim in claims)
        yield name != "right_answer", flagged, f"{row[name]} {[(c.text, c.status) for c in claims]} of {row['knowledge'][:160]!r}"


_STATS = {
    "PTS": "points", "REB": "rebounds", "AST": "assists", "STL": "steals", "BLK": "blocks", "TO": "turnovers",
    "MIN": "minutes",
}  # fmt: skip
_TEAM_STATS = {"TEAM-PTS": "points", "TEAM-REB": "rebounds", "TEAM-AST": "assists", "TEAM-TOV": "turnovers"}


def box_score(row: Row) -> str:
    """A game as sentences, one a player and team."""
    sides = [row["home"], row["visitor"]]
    lines = [
        f"{side['TEAM-CITY']} {side['TEAM-NAME']} ({side['TEAM-WINS']}-{side['TEAM-LOSSES']}): "
        + ", ".join(f"{side[key]} {name}" for key, name in _TEAM_STATS.items())
        + f", {side['TEAM-FG_PCT']} percent from the field, {side['TEAM-FG3_PCT']} percent from three-point range, "
        + f"{side['TEAM-FT_PCT']} percent from the line."
        for side in sides
    ]
    lines.append(f"Final score: {sides[0]['TEAM-PTS']}-{sides[1]['TEAM-PTS']}.")
    for player in row["players"]:
        stats = ", ".join(f"{player[key]} {name}" for key, name in _STATS.items() if player.get(key, "N/A") != "N/A")
        shots = f"{player.get('FGM')}-{player.get('FGA')} FG, {player.get('FG3M')}-{player.get('FG3A')} 3Pt, {player.get('FTM')}-{player.get('FTA')} FT"
        lines.append(f"{player['PLAYER_NAME']}: {stats} ({shots}).")
    return "\n".join(lines)


def rotowire(row: Row) -> Iterator[Judged]:
    """Every claim of a generated report; one that touches a marked number is wrong."""
    text, spans, at = "", [], 0
    for token in row["answer_tokens"].split(" "):
        spans.append((at, at + len(token)))
        at += len(token) + 1
    text = row["answer_tokens"]
    wrong = [
        (spans[error["token_start"] - 1][0], spans[error["token_end"] - 1][1])
        for error in row["errors"]
        if error["type"] == "NUMBER"
    ]
    now = datetime.strptime(row["date"], "%m_%d_%y").replace(tzinfo=UTC)
    prepared = warmed(Evidence(id="s", snippet=box_score(row), target_url="https://nba.example/1"), now, "UTC")
    for claim in _grounded(text, prepared, now, "UTC", "en").claims or ():
        if claim.kind not in ("number", "percent"):
            continue
        start, end = claim.start or 0, claim.end or 0
        bad = any(first < end and last > start for first, last in wrong)
        yield bad, claim.status in BAD, f"{claim.text} {claim.status} in {text[max(0, start - 60) : end + 25]!r}"


def tally(judged: list[Judged]) -> dict[str, float]:
    """Precision and recall of the flag, and specificity: the share of right particulars that pass."""
    hit = sum(bad and flagged for bad, flagged, _ in judged)
    missed = sum(bad and not flagged for bad, flagged, _ in judged)
    alarm = sum(flagged and not bad for bad, flagged, _ in judged)
    passed = len(judged) - hit - missed - alarm
    return {
        "cases": len(judged),
        "precision": round(hit / max(1, hit + alarm), 3),
        "recall": round(hit / max(1, hit + missed), 3),
        "specificity": round(passed / max(1, passed + alarm), 3),
    }
