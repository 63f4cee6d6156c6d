"""How exactly numbers, units and time expressions are read, case by case: every gold value, and none besides.

A time is `exact` if it is the gold's range to the second. It is `by convention` if it differs in nothing but one of the
conventions that docs/decisions/times.md states and the gold decides otherwise; see `_conventional`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from groundrule.grounding.numbers import Number, read_numbers
from groundrule.grounding.times import OPEN_BEGIN, OPEN_END, TimeSpan, time_reading

from .data import Row

_COUNTED = {
    "Number/Chinese/NumberModel": "number zh",
    "Number/English/NumberModel": "number en",
    "Number/Chinese/PercentModel": "percent zh",
    "Number/English/PercentModel": "percent en",
    "NumberWithUnit/Chinese/CurrencyModel": "currency zh",
    "NumberWithUnit/English/CurrencyModel": "currency en",
    "NumberWithUnit/Chinese/DimensionModel": "dimension zh",
    "NumberWithUnit/English/DimensionModel": "dimension en",
    "NumberWithUnit/Chinese/TemperatureModel": "temperature zh",
    "NumberWithUnit/English/TemperatureModel": "temperature en",
    "NumberWithUnit/Chinese/AgeModel": "age zh",
    "NumberWithUnit/English/AgeModel": "age en",
}
_TIMED = {"DateTime/Chinese/DateTimeModel": "time zh", "DateTime/English/DateTimeModel": "time en"}
Reading = tuple[str, str, str, str]
"""Suite, `exact`, `wrong` or `refused`, the text, and what was read instead of what."""
Range = tuple[datetime | None, datetime | None]


def recognizers(row: Row) -> Reading | None:
    """The reading of one case of the specs, or None for a suite that is not measured."""
    if name := _COUNTED.get(row["suite"]):
        return _counted(name, row)
    if name := _TIMED.get(row["suite"]):
        return _timed(name, row)
    return None


def _counted(name: str, row: Row) -> Reading:
    values = [result["Resolution"].get("value") for result in row["results"]]
    gold = sorted(float(Fraction(value.rstrip("%"))) for value in values if value is not None)
    got = sorted(float(number.value) for number in read_numbers(row["input"]) if _asked(name, number))
    # Of measures the text may hold others than the suite asks for (a width, where it asks for a weight). Amounts with
    # a unit are in the gold of the number suites in some cases and left out in others; they are no error in either.
    measured = [number for number in read_numbers(row["input"]) if number.unit and number.unit != "第"]
    surplus = len(measured) if name.startswith(("number", "dimension", "temperature", "age")) else 0
    exact = _all_in(gold, got) and len(got) - len(gold) <= surplus
    return name, "exact" if exact else "wrong", row["input"], f"{got} for {gold}"


def _asked(name: str, number: Number) -> bool:
    if name.startswith("percent"):
        return number.kind == "percent"
    if name.startswith("currency"):
        return number.kind == "money"
    if name.startswith("number"):
        return name.endswith("zh") or number.unit != "第"
    return number.unit not in ("", "第") and (number.kind == "number" or number.unit == "pound")


def _all_in(gold: list[float], got: list[float]) -> bool:
    left = list(got)
    for value in gold:
        near = next((each for each in left if abs(each - value) <= 1e-6 * max(1, abs(value))), None)
        if near is None:
            return False
        left.remove(near)
    return True


def _timed(name: str, row: Row) -> Reading | None:
    """Ranges of dates, times and stretches; of lengths and sets a reading would be a wrong one."""
    now = datetime.fromisoformat(row["ref"] or "2016-11-07T00:00:00").replace(tzinfo=UTC)
    reading = time_reading(row["input"], now, "UTC")
    gold = [options for result in row["results"] if not _is_length(result) and (options := list(_options(result)))]
    left, open_ = list(reading.spans), list(gold)
    exact = True
    for agree in (_agree, _conventional):
        for options in list(open_):
            found = next((span for span in left if any(agree(span, kind, range, now) for kind, range in options)), None)
            if found is not None:
                left.remove(found)
                open_.remove(options)
                exact = exact and agree is _agree
    state = "wrong" if left else "refused" if open_ else "exact" if exact else "by convention"
    return name, state, row["input"], f"{_shown(reading.spans)} for {gold}"


def _is_length(result: Row) -> bool:
    return result["TypeName"].rpartition(".")[2] in ("duration", "set", "timezone")


def _options(result: Row) -> Iterator[tuple[str, Range]]:
    """Each meaning that the gold allows."""
    for value in (result["Resolution"] or {}).get("values", ()):
        kind = value["type"]
        if "value" in value and value["value"] != "not resolved":
            yield kind, _ranged(kind, value["value"])
        elif "start" in value or "end" in value:
            yield kind, (_instant(value.get("start")), _instant(value.get("end")))


def _ranged(kind: str, text: str) -> Range:
    begin = _instant(text)
    return begin, begin + timedelta(days=1) if kind == "date" and begin else None


def _instant(text: str | None) -> datetime | None:
    if text is None:
        return None
    return datetime.fromisoformat(text if "-" in text else f"1900-01-01T{text}").replace(tzinfo=UTC)


def _agree(span: TimeSpan, kind: str, gold: Range, now: datetime) -> bool:
    begin = None if span.begin == OPEN_BEGIN else span.begin
    until = None if span.until == OPEN_END else span.until
    if kind == "datetime":
        return begin == gold[0]
    if kind in ("time", "timerange"):  # on whichever day
        same = begin is not None and gold[0] is not None and begin.time() == gold[0].time()
        return same and (kind == "time" or (until is not None and gold[1] is not None and until.time() == gold[1].time()))
    last = gold[1]
    if last is not None and (last.hour, last.minute, last.second) == (23, 59, 59):
        last += timedelta(seconds=1)  # the last second of a day, included
    return (begin, until) == (gold[0], last)


_DAY = timedelta(days=1)
_EDGE = re.compile(r"earl|late|end|middle|mid|beginning|start|rest|remain|afterwards|初|底|末|中|下旬|上旬|fortnight", re.IGNORECASE)
_COUNTED_POINT = re.compile(r"^(?:with)?in |ago$|later$|from now$|[前后]$", re.IGNORECASE)


def _conventional(span: TimeSpan, kind: str, gold: Range, now: datetime) -> bool:
    """Whether the two ranges differ by a stated convention alone."""
    first, last = gold
    if first is None and last is None:
        return False
    begin, until = span.begin, span.until
    last_unit = (until - last) if last and until != OPEN_END else timedelta(0)
    ends_within = timedelta(0) < last_unit <= timedelta(366) and (last_unit % _DAY == timedelta(0) or until == now)
    if kind in ("daterange", "datetimerange") and first == begin and ends_within:
        return True  # both ends belong to a range; what is past reaches to this very instant
    if kind == "timerange" and (first is None or last is None):  # open on the day, where ours is open for good
        told = (begin, first) if last is None else (until, last)
        return told[1] is not None and told[0].time() == told[1].time()
    if first is None and last is not None:
        return begin == OPEN_BEGIN and until - last == _DAY  # `or before` includes the day that it names
    if first is None or kind == "time":
        return False
    if last is None and kind == "datetimerange" and begin == first and until - begin <= _DAY:
        return True  # today after 4 pm ends with the day
    if last is None:
        return until == OPEN_END and begin - first == _DAY  # `after` excludes the day that it names
    if kind == "daterange" and first - begin <= _DAY and last - until == _DAY and begin >= now - _DAY:
        return True  # coming days begin with today
    if kind in ("datetimerange", "timerange") and not re.search(r"[0-9]\W*[ap]|:", span.text):
        off = (abs((begin - first) % _DAY), abs((until - last) % _DAY))  # the hours of a part of the day
        return all(min(each, _DAY - each) <= timedelta(hours=4) for each in off) and begin < until
    if kind == "date" and _COUNTED_POINT.search(span.text):
        return begin <= first < until and until - begin >= timedelta(28)  # N months ago is a calendar month
    return kind == "daterange" and bool(_EDGE.search(span.text)) and begin < last and first < until


def _shown(spans: Iterable[TimeSpan]) -> str:
    return str([f"{span.text}: {span.begin:%Y-%m-%d %H:%M}/{span.until:%Y-%m-%d %H:%M}" for span in spans])


def jionlp(row: Row) -> Reading | None:
    """One Chinese time expression; gold ranges include their last second. Lengths and sets are left out."""
    gold = row["gold"]
    if gold["type"] not in ("time_point", "time_span"):
        return None
    zone = "Asia/Shanghai"
    spans = time_reading(row["text"], _base(row["base"], zone), zone).spans
    first, last = (_local(text, zone) for text in gold["time"])
    good = len(spans) == 1 and _near(spans[0], first, last)
    return "jionlp time", "exact" if good else "wrong" if spans else "refused", row["text"], f"{_shown(spans)} for {gold['time']}"


def _base(base: Any, zone: str) -> datetime:
    """The reference time, given in seconds, as text, as a list of year, month …, or as their names."""
    if base is None:
        return datetime(2021, 6, 14, tzinfo=UTC)
    if isinstance(base, (int, float)):
        return datetime.fromtimestamp(base, UTC)
    if isinstance(base, str):
        return datetime.fromisoformat(base).replace(tzinfo=ZoneInfo(zone))
    named = base if isinstance(base, dict) else dict(zip(("year", "month", "day", "hour", "minute", "second"), base, strict=False))
    return datetime(**{"month": 1, "day": 1, **named}, tzinfo=ZoneInfo(zone))


def _local(text: str, zone: str) -> datetime | None:
    return None if text in ("inf", "-inf") else datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))


def _near(span: TimeSpan, first: datetime | None, last: datetime | None) -> bool:
    begin = None if span.begin == OPEN_BEGIN else span.begin
    until = None if span.until == OPEN_END else span.until
    second = timedelta(seconds=1)
    ends = until is None if last is None else until is not None and abs(until - last) <= second
    return ends and (begin == first if begin is None or first is None else abs(begin - first) < second)


def tally(readings: Iterable[Reading]) -> dict[str, Any]:
    """Shares of a suite: exact, wrong (a value or range that is not there), refused."""
    states = [state for _, state, _, _ in readings]
    count = len(states)
    shares = {state: round(states.count(state) / count, 3) for state in ("exact", "by convention", "wrong", "refused")}
    return {"cases": count, **shares}
