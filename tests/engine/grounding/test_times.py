"""The time grammar: what it reads in Chinese and English, by which conventions, and what it refuses."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundrule.grounding.dates import words_en, words_zh
from groundrule.grounding.times import (
    OPEN_BEGIN,
    OPEN_END,
    TimeSpan,
    read_times,
    refused_times,
    time_reading,
)

SHANGHAI = "Asia/Shanghai"
NOW = datetime(2026, 4, 15, 2, 30, tzinfo=UTC)  # Wednesday 10:30 in Shanghai


def only(text: str, now: datetime = NOW, zone: str = SHANGHAI) -> TimeSpan:
    """The one time expression of a text."""
    spans = read_times(text, now, zone)
    assert len(spans) == 1, f"{text}: {[span.text for span in spans]}"
    return spans[0]


def local(at: datetime, zone: str = SHANGHAI) -> str:
    """A bound of a range as the wall clock shows it, without zeros at its end."""
    if at in (OPEN_BEGIN, OPEN_END):
        return "open"
    written = at.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M:%S")
    return written.removesuffix(":00").removesuffix(" 00:00")


ABSOLUTE = [
    ("2026年4月15日", "2026-04-15", "2026-04-16"),
    ("２０２６年４月１５日", "2026-04-15", "2026-04-16"),
    ("2026-04-15", "2026-04-15", "2026-04-16"),
    ("2026/4/5", "2026-04-05", "2026-04-06"),
    ("20260415", "2026-04-15", "2026-04-16"),
    ("2026.4.5", "2026-04-05", "2026-04-06"),
    ("20260415", "2026-04-15", "2026-04-16"),
    ("15.04.2026", "2026-04-15", "2026-04-16"),
    ("15-Apr-2026", "2026-04-15", "2026-04-16"),
    ("April 15, 2026", "2026-04-15", "2026-04-16"),
    ("15 April 2026", "2026-04-15", "2026-04-16"),
    ("the 15th of April 2026", "2026-04-15", "2026-04-16"),
    ("12/12/30", "2030-12-12", "2030-12-13"),
    ("23/08/39", "2039-08-23", "2039-08-24"),
    ("Nov '16", "2016-11-01", "2016-12-01"),
    ("may of 2016", "2016-05-01", "2016-06-01"),
    ("first Friday in May 2026", "2026-05-01", "2026-05-02"),
    ("easter monday 2026", "2026-04-06", "2026-04-07"),
    ("Dec. 31, 1994", "1994-12-31", "1995-01-01"),
    ("April fifteenth, 2026", "2026-04-15", "2026-04-16"),
    ("二〇二六年四月十五日", "2026-04-15", "2026-04-16"),
    ("2024年2月29日", "2024-02-29", "2024-03-01"),
    ("2026年4月", "2026-04-01", "2026-05-01"),
    ("April 2026", "2026-04-01", "2026-05-01"),
    ("Apr/2026", "2026-04-01", "2026-05-01"),
    ("2026-04", "2026-04-01", "2026-05-01"),
    ("2024年", "2024-01-01", "2025-01-01"),
    ("08年奥运会", "2008-01-01", "2009-01-01"),
    ("07年第三季度", "2007-07-01", "2007-10-01"),
    ("in 2024", "2024-01-01", "2025-01-01"),
    ("Q3 2025", "2025-07-01", "2025-10-01"),
    ("first half of 2019", "2019-01-01", "2019-07-01"),
    ("the second half of May 2026", "2026-05-16", "2026-06-01"),
    ("2025-Q3", "2025-07-01", "2025-10-01"),
    ("third quarter of 2025", "2025-07-01", "2025-10-01"),
    ("2025年三季度", "2025-07-01", "2025-10-01"),
    ("2025年上半年", "2025-01-01", "2025-07-01"),
    ("2025年前三季度", "2025-01-01", "2025-10-01"),
    ("2025年前5个月", "2025-01-01", "2025-06-01"),
    ("2023 年底", "2023-11-01", "2024-01-01"),
    ("end of 2023", "2023-11-01", "2024-01-01"),
    ("early 2023", "2023-01-01", "2023-03-01"),
    ("2026年4月上旬", "2026-04-01", "2026-04-11"),
    ("2024年2月底", "2024-02-25", "2024-03-01"),
    ("1990s", "1990-01-01", "2000-01-01"),
    ("the '90s", "1990-01-01", "2000-01-01"),
    ("20世纪90年代", "1990-01-01", "2000-01-01"),
    ("民国38年10月1日", "1949-10-01", "1949-10-02"),
    ("平成元年", "1989-01-01", "1990-01-01"),
    ("康熙三年", "1664-01-01", "1665-01-01"),
    ("the weekend of 18 April 2026", "2026-04-18", "2026-04-20"),
    ("the day after Thanksgiving 2026", "2026-11-27", "2026-11-28"),
    ("the 19th century", "1800-01-01", "1900-01-01"),
    ("first week of 2015", "2014-12-29", "2015-01-05"),
    ("the last Monday of May 2026", "2026-05-25", "2026-05-26"),
    ("2026年5月第二个周日", "2026-05-10", "2026-05-11"),
    ("Thanksgiving 2026", "2026-11-26", "2026-11-27"),
    ("Easter 2024", "2024-03-31", "2024-04-01"),
    ("2026年国庆节", "2026-10-01", "2026-10-02"),
]


@pytest.mark.parametrize(("text", "begin", "until"), ABSOLUTE)
def test_an_absolute_date_is_explicit_and_needs_no_reference_time(text: str, begin: str, until: str) -> None:
    span = only(text)
    assert (local(span.begin), local(span.until)) == (begin, until)
    assert span.explicit
    later = only(text, NOW + timedelta(days=1000))
    assert (later.begin, later.until) == (span.begin, span.until)


RELATIVE = [
    ("今天", "2026-04-15", "2026-04-16"),
    ("今日", "2026-04-15", "2026-04-16"),
    ("today", "2026-04-15", "2026-04-16"),
    ("明天", "2026-04-16", "2026-04-17"),
    ("tomorrow", "2026-04-16", "2026-04-17"),
    ("后天", "2026-04-17", "2026-04-18"),
    ("後天", "2026-04-17", "2026-04-18"),
    ("the day after tomorrow", "2026-04-17", "2026-04-18"),
    ("昨天", "2026-04-14", "2026-04-15"),
    ("yesterday", "2026-04-14", "2026-04-15"),
    ("前天", "2026-04-13", "2026-04-14"),
    ("今明两天", "2026-04-15", "2026-04-17"),
    ("本周", "2026-04-13", "2026-04-20"),
    ("this week", "2026-04-13", "2026-04-20"),
    ("上周", "2026-04-06", "2026-04-13"),
    ("上週", "2026-04-06", "2026-04-13"),
    ("last week", "2026-04-06", "2026-04-13"),
    ("下周", "2026-04-20", "2026-04-27"),
    ("下周天气", "2026-04-20", "2026-04-27"),
    ("next week", "2026-04-20", "2026-04-27"),
    ("下下周", "2026-04-27", "2026-05-04"),
    ("周末", "2026-04-18", "2026-04-20"),
    ("这个周末", "2026-04-18", "2026-04-20"),
    ("this weekend", "2026-04-18", "2026-04-20"),
    ("上周五", "2026-04-10", "2026-04-11"),
    ("last Friday", "2026-04-10", "2026-04-11"),
    ("下周日", "2026-04-26", "2026-04-27"),
    ("周三", "2026-04-15", "2026-04-16"),
    ("4月12日（周日）", "2026-04-12", "2026-04-13"),
    ("周日（4月12日）", "2026-04-12", "2026-04-13"),
    ("April 12 (Sunday)", "2026-04-12", "2026-04-13"),
    ("4月12日(周日)下午3点", "2026-04-12 15:00", "2026-04-12 16:00"),
    ("下周一（20日）", "2026-04-20", "2026-04-21"),
    ("下周一（4月20日）上午9点", "2026-04-20 09:00", "2026-04-20 10:00"),
    ("next Monday (April 20) at 9 am", "2026-04-20 09:00", "2026-04-20 10:00"),
    ("昨天（14日）", "2026-04-14", "2026-04-15"),
    ("the first half of last year", "2025-01-01", "2025-07-01"),
    ("上世纪80年代", "1980-01-01", "1990-01-01"),
    ("early tomorrow", "2026-04-16", "2026-04-16 12:00"),
    ("tomorrow am", "2026-04-16 08:00", "2026-04-16 12:00"),
    ("Monday from 10 to 4", "2026-04-13 10:00", "2026-04-13 16:00"),
    ("4月12日（周日）至14日（周二）", "2026-04-12", "2026-04-15"),
    ("星期天", "2026-04-19", "2026-04-20"),
    ("on Sunday", "2026-04-19", "2026-04-20"),
    ("本月", "2026-04-01", "2026-05-01"),
    ("this month", "2026-04-01", "2026-05-01"),
    ("上个月", "2026-03-01", "2026-04-01"),
    ("last month", "2026-03-01", "2026-04-01"),
    ("下个月15号", "2026-05-15", "2026-05-16"),
    ("上季度", "2026-01-01", "2026-04-01"),
    ("last quarter", "2026-01-01", "2026-04-01"),
    ("今年", "2026-01-01", "2027-01-01"),
    ("去年", "2025-01-01", "2026-01-01"),
    ("last year", "2025-01-01", "2026-01-01"),
    ("明年下半年", "2027-07-01", "2028-01-01"),
    ("next year's first quarter", "2027-01-01", "2027-04-01"),
    ("去年底", "2025-11-01", "2026-01-01"),
    ("未来5天", "2026-04-15 10:30", "2026-04-20"),
    ("未来 5 天", "2026-04-15 10:30", "2026-04-20"),
    ("接下来三天", "2026-04-15 10:30", "2026-04-18"),
    ("next 5 days", "2026-04-15 10:30", "2026-04-20"),
    ("5日预报", "2026-04-15 10:30", "2026-04-20"),
    ("7天天气", "2026-04-15 10:30", "2026-04-22"),
    ("10-day forecast", "2026-04-15 10:30", "2026-04-25"),
    ("未来两周", "2026-04-15 10:30", "2026-04-29"),
    ("最近3天", "2026-04-12", "2026-04-15 10:30"),
    ("last 3 days", "2026-04-12", "2026-04-15 10:30"),
    ("past week", "2026-04-08", "2026-04-15 10:30"),
    ("近三个月", "2026-01-15", "2026-04-15 10:30"),
    ("过去24小时", "2026-04-14 10:30", "2026-04-15 10:30"),
    ("last 24 hours", "2026-04-14 10:30", "2026-04-15 10:30"),
    ("previous three quarters", "2025-07-01", "2026-04-01"),
    ("3小时前", "2026-04-15 07:30", "2026-04-15 08:30"),
    ("3 hours ago", "2026-04-15 07:30", "2026-04-15 08:30"),
    ("2分鐘前", "2026-04-15 10:28", "2026-04-15 10:29"),
    ("半小时后", "2026-04-15 11:00", "2026-04-15 11:01"),
    ("in half an hour", "2026-04-15 11:00", "2026-04-15 11:01"),
    ("3天前", "2026-04-12", "2026-04-13"),
    ("30天后", "2026-05-15", "2026-05-16"),
    ("a year and a half ago", "2024-10-01", "2024-11-01"),
    ("一年半前", "2024-10-01", "2024-11-01"),
    ("two and a half hours ago", "2026-04-15 08:00", "2026-04-15 08:01"),
    ("the last two and a half years", "2023-10-15", "2026-04-15 10:30"),
    ("more than 3 days ago", "open", "2026-04-12"),
    ("超过3天前", "open", "2026-04-12"),
    ("less than 2 weeks ago", "2026-04-01", "2026-04-15 10:30"),
    ("不到三天前", "2026-04-12", "2026-04-15 10:30"),
    ("less than 3 days after tomorrow", "2026-04-16", "2026-04-19"),
    ("Monday two weeks from now", "2026-04-27", "2026-04-28"),
    ("the last Friday of the month", "2026-04-24", "2026-04-25"),
    ("the 3rd of next month", "2026-05-03", "2026-05-04"),
    ("this coming Friday", "2026-04-17", "2026-04-18"),
    ("last month and a half", "2026-02-28", "2026-04-15 10:30"),
    ("the next day and 5 hours", "2026-04-15 10:30", "2026-04-16 15:30"),
    ("5 pm, January 1st", "2026-01-01 17:00", "2026-01-01 18:00"),
    ("on or before May 1", "open", "2026-05-02"),
    ("on or after May 1", "2026-05-01", "open"),
    ("from May 1 on", "2026-05-01", "open"),
    ("11ish", "2026-04-15 11:00", "2026-04-15 11:01"),
    ("in the morning", "2026-04-15 08:00", "2026-04-15 12:00"),
    ("early in the evening", "2026-04-15 18:00", "2026-04-15 21:00"),
    ("two weeks ago on Friday", "2026-04-03", "2026-04-04"),
    ("for 3 days from today", "2026-04-15", "2026-04-18"),
    ("later today", "2026-04-15 10:30", "2026-04-16"),
    ("earlier today", "2026-04-15", "2026-04-15 10:30"),
    ("two weeks ago", "2026-04-01", "2026-04-02"),
    ("3个月前", "2026-01-01", "2026-02-01"),
    ("5年前", "2021-01-01", "2022-01-01"),
    ("3 days after tomorrow", "2026-04-19", "2026-04-20"),
    ("刚刚", "2026-04-15 09:30", "2026-04-15 10:30"),
    ("just now", "2026-04-15 09:30", "2026-04-15 10:30"),
    ("现在", "2026-04-15 10:30", "2026-04-15 10:30:01"),
    ("currently", "2026-04-15 10:30", "2026-04-15 10:30:01"),
    ("截至今天", "open", "2026-04-16"),
    ("截至目前", "open", "2026-04-15 10:30"),
    ("as of now", "open", "2026-04-15 10:30"),
    ("as of yesterday", "open", "2026-04-15"),
    ("今年以来", "2026-01-01", "2026-04-15 10:30"),
    ("year to date", "2026-01-01", "2026-04-15 10:30"),
    ("since last month", "2026-03-01", "2026-04-15 10:30"),
    ("since July", "2025-07-01", "2026-04-15 10:30"),
    ("since late July", "2025-07-25", "2026-04-15 10:30"),
    ("9月以来", "2025-09-01", "2026-04-15 10:30"),
    ("since Friday", "2026-04-10", "2026-04-15 10:30"),
    ("rest of the week", "2026-04-15 10:30", "2026-04-20"),
    ("before Friday", "open", "2026-04-17"),
    ("周五之前", "open", "2026-04-17"),
    ("by the end of this month", "open", "2026-05-01"),
    ("4月15日", "2026-04-15", "2026-04-16"),
    ("15 Apr", "2026-04-15", "2026-04-16"),
    ("三月份", "2026-03-01", "2026-04-01"),
    ("15号", "2026-04-15", "2026-04-16"),
    ("下午3点", "2026-04-15 15:00", "2026-04-15 16:00"),
    ("3 pm", "2026-04-15 15:00", "2026-04-15 16:00"),
    ("15:30", "2026-04-15 15:30", "2026-04-15 15:31"),
    ("晚上12点", "2026-04-16", "2026-04-16 01:00"),
    ("凌晨2点半", "2026-04-15 02:30", "2026-04-15 02:31"),
    ("明天上午", "2026-04-16 08:00", "2026-04-16 12:00"),
    ("tomorrow night", "2026-04-16 20:00", "2026-04-17"),
    ("明天下午3点20分", "2026-04-16 15:20", "2026-04-16 15:21"),
    ("tomorrow at 3:20 pm", "2026-04-16 15:20", "2026-04-16 15:21"),
    ("half past eight tonight", "2026-04-15 20:30", "2026-04-15 20:31"),
    ("quarter to nine pm", "2026-04-15 20:45", "2026-04-15 20:46"),
    ("今天晚上八点之前", "open", "2026-04-15 20:00"),
]


@pytest.mark.parametrize(("text", "begin", "until"), RELATIVE)
def test_a_relative_time_is_read_by_the_stated_conventions(text: str, begin: str, until: str) -> None:
    span = only(text)
    assert (local(span.begin), local(span.until)) == (begin, until)
    assert not span.explicit


ZONED = [
    ("2026-04-15T10:00:00 +02:00", "2026-04-15 16:00"),
    ("2026-04-15T10:00:00 UTC", "2026-04-15 18:00"),
    ("2026-04-15 10:00 (UTC)", "2026-04-15 18:00"),
    ("10:00 UTC+8", "2026-04-15 10:00"),
    ("10:00 GMT-5", "2026-04-15 23:00"),
    ("10:00 -0500", "2026-04-15 23:00"),
    ("10:00:00-05:00", "2026-04-15 23:00"),
    ("10:00 (北京时间)", "2026-04-15 10:00"),
    ("10:00-12:00", "2026-04-15 10:00"),
    ("10:00-12:00 UTC", "2026-04-15 18:00"),
    ("9:00-17:00 (GMT)", "2026-04-15 17:00"),
]


@pytest.mark.parametrize(("text", "begin"), ZONED)
def test_an_offset_or_zone_behind_a_clock_time_belongs_to_it(text: str, begin: str) -> None:
    span = only(text)
    assert (local(span.begin), span.text) == (begin, text)


RANGES = [
    ("2017年8月11日至22日", "2017-08-11", "2017-08-23"),
    ("2017年8月至11月", "2017-08-01", "2017-12-01"),
    ("2025年1-3月", "2025-01-01", "2025-04-01"),
    ("2023-2025年", "2023-01-01", "2026-01-01"),
    ("2015年和2018年之间", "2015-01-01", "2019-01-01"),
    ("from 2023 to 2025", "2023-01-01", "2026-01-01"),
    ("between Jan 22 2025 and now", "2025-01-22", "2026-04-15 10:30"),
    ("from April to June 2017", "2017-04-01", "2017-07-01"),
    ("May 3-5, 2026", "2026-05-03", "2026-05-06"),
    ("June 3 to 5, 2025", "2025-06-03", "2025-06-06"),
    ("from today pm to tomorrow am", "2026-04-15 12:00", "2026-04-16 12:00"),
    ("from 8 am until 9 am", "2026-04-15 08:00", "2026-04-15 09:00"),
    ("from yesterday until tomorrow", "2026-04-14", "2026-04-17"),
    ("from now to Friday", "2026-04-15 10:30", "2026-04-18"),
    ("from two thirty to two forty five", "2026-04-15 02:30", "2026-04-15 02:45"),
    ("Nov-Feb 2017", "2016-11-01", "2017-03-01"),
    ("April 9th through 17th", "2026-04-09", "2026-04-18"),
    ("9 to 12 of June", "2026-06-09", "2026-06-13"),
    ("从2001年起至今", "2001-01-01", "2026-04-15 10:30"),
    ("从昨天下午两点到明天四点", "2026-04-14 14:00", "2026-04-16 04:00"),
    ("下午2点到4点", "2026-04-15 14:00", "2026-04-15 16:00"),
    ("明天22:00到6:00", "2026-04-16 22:00", "2026-04-17 06:00"),
    ("from 5 to 6pm of April 22", "2026-04-22 17:00", "2026-04-22 18:00"),
    ("between 2 and 4:30pm tomorrow", "2026-04-16 14:00", "2026-04-16 16:30"),
    ("from 11 to 2 pm tomorrow", "2026-04-16 11:00", "2026-04-16 14:00"),
    ("周一到周五", "2026-04-13", "2026-04-18"),
    ("from the end of March to the middle of September", "2026-04-01", "2026-09-16"),
    ("since 2018", "2018-01-01", "2026-04-15 10:30"),
    ("自2018年以来", "2018-01-01", "2026-04-15 10:30"),
    ("2018年以前", "open", "2018-01-01"),
    ("2018年之后", "2019-01-01", "open"),
    ("2018 or later", "2018-01-01", "open"),
    ("截至2023年底", "open", "2024-01-01"),
    ("today before 4 pm", "2026-04-15", "2026-04-15 16:00"),
]


@pytest.mark.parametrize(("text", "begin", "until"), RANGES)
def test_both_ends_of_a_range_belong_to_it_and_lend_each_other_what_is_not_written(
    text: str, begin: str, until: str
) -> None:
    span = only(text)
    assert (local(span.begin), local(span.until)) == (begin, until)
    assert span.text == text


REFUSED = [
    ("2月30日", "no such date"),
    ("2026年2月29日", "no such date"),
    ("feb 30", "no such date"),
    ("2/29/2019", "no such date"),
    ("2026-13-01", "no such date"),
    ("2026年13月", "no such month"),
    ("今天25点", "no such time"),
    ("13:75 pm", None),
    ("14 am", None),
    ("03/04/2024", "day and month cannot be told apart"),
    ("5/3/18", "day and month cannot be told apart"),
    ("农历八月十五", "lunar calendar"),
    ("正月初一", "lunar calendar"),
    ("康熙三年五月", "lunar calendar"),
    ("雍正四年大年三十", "lunar calendar"),
    ("雍正十六年", "no such year"),
    ("明天下午七八点", "one of two hours"),
    ("八月十五", "perhaps a day of the lunar calendar"),
    ("Friday, May 7, 2026", "the weekday contradicts the date"),
    ("2026年4月12日（周六）", "the weekday contradicts the date"),
    ("下周一(7日)", "the weekday contradicts the date"),
    ("昨天（30日）", "the day contradicts the date"),
    ("从2025年到2020年", "ends before it begins"),
    ("9998年后", "outside the years 1 to 9999"),
    ("15:30 CST", "the time zone has several meanings"),
    ("8 pm ET", "the time zone has several meanings"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_a_time_that_does_not_exist_or_cannot_be_known_is_refused_and_never_guessed(
    text: str, reason: str | None
) -> None:
    reading = time_reading(f"请问{text}怎么样", NOW, SHANGHAI)
    assert all(span.text != text for span in reading.spans)
    if reason is not None:
        assert [refusal.reason for refusal in reading.refused] == [reason]
        assert reading.spans == ()


SILENT = [
    "最近有什么新闻",
    "几天前的地震",
    "a few days ago",
    "前两天他来过",
    "每周一下午八点",
    "every Tuesday at 5 pm",
    "I run daily",
    "Friday mornings",
    "2025年春节",
    "this summer",
    "2023财年",
    "fiscal year 2023",
    "乾隆年间",
    "2:30 hours",
    "room 2016",
    "annually on May 1",
    "summer of 2019",
    "fourth quarter of fiscal 2019",
    "the week before Christmas",
    "两三天前",
    "未来两三天",
    "more than 2012",
    "> 2019",
    "公元前221年",
    "今日头条",
    "This may be right",
    "May I ask?",
    "march on",
    "the sun and the sat",
    "Black Friday",
    "Audi Q3",
    "神舟十三号",
    "1号线",
    "5日均线",
    "有三点建议",
    "上涨15点",
    "2000人",
    "top 2000 companies",
    "$2024",
    "price 2024.5",
    "100M",
    "to",
    "a",
    "1:1 meeting",
    "24/7",
    "3.5 years",
    "123-12-1234",
    "888-000-9999",
    "192.168.255.255",
    "https://www.example.com/2024-05-01/3pm",
    "good morning",
    "几十年之后",
]


@pytest.mark.parametrize("text", SILENT)
def test_what_is_no_definite_time_is_passed_over(text: str) -> None:
    assert time_reading(text, NOW, SHANGHAI).spans == ()
    assert time_reading(text, NOW, SHANGHAI).refused == ()


def test_spans_lie_where_their_text_stands_in_mixed_writing() -> None:
    text = "😀請問 Guangzhou 未来5天 and 明天下午３點, since 2018？"
    found = [(text[span.start : span.end], span.text) for span in read_times(text, NOW, SHANGHAI)]
    assert found == [("未来5天", "未来5天"), ("明天下午３點", "明天下午３點"), ("since 2018", "since 2018")]


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("2026年4月15日", timedelta(hours=24)),
        ("2024年", timedelta(days=366)),
        ("15:30", timedelta(minutes=1)),
        ("下午3点", timedelta(hours=1)),
        ("3小时前", timedelta(hours=1)),
        ("两周前", timedelta(days=7)),
        ("未来5天", timedelta(days=1)),
        ("截至2023年", timedelta(days=365)),
    ],
)
def test_the_resolution_is_the_width_of_what_was_stated(text: str, width: timedelta) -> None:
    assert only(text).resolution == width


LISTED = [
    ("5月3日、8日和9日", ["2026-05-03", "2026-05-08", "2026-05-09"]),
    ("5月3、4日", ["2026-05-03", "2026-05-04"]),
    ("May 3rd, 4th and 5th", ["2026-05-03", "2026-05-04", "2026-05-05"]),
    ("5月30日、1日", ["2026-05-30"]),
    ("May 30th and 1st", ["2026-05-30"]),
]


@pytest.mark.parametrize(("text", "days"), LISTED)
def test_a_day_of_a_list_belongs_to_the_month_named_before_it(text: str, days: list[str]) -> None:
    assert [local(span.begin) for span in read_times(text, NOW, SHANGHAI)] == days


TENSES = [
    ("They won on Sunday", "2026-04-12"),
    ("On Sunday the Lakers beat the Bulls", "2026-04-12"),
    ("Officials said on Sunday that it will rain", "2026-04-12"),
    ("湖人周日战胜了公牛", "2026-04-12"),
    ("Officials said the match will be held on Sunday", "2026-04-19"),
    ("weather on Sunday", "2026-04-19"),
    ("The match is held on Sunday", "2026-04-19"),
    ("将于周一举行", "2026-04-20"),
    ("The match will be held on Monday", "2026-04-20"),
    ("They won on Monday", "2026-04-13"),
    ("He said so. Sunday is free", "2026-04-19"),
]


@pytest.mark.parametrize(("text", "day"), TENSES)
def test_a_weekday_follows_the_tense_of_its_sentence(text: str, day: str) -> None:
    assert local(only(text).begin) == day


CLOCKS = [
    ("14 Feb 2026: the train left at 9:30am", "2026-02-14 09:30"),
    ("4月20日天气，上午9点", "2026-04-20 09:00"),
    ("On 20 April it opens. At 9:30am there is a tour", "2026-04-15 09:30"),
    ("on 14 Feb for 7 hours from 9:30am", "2026-02-14 09:30"),
]


@pytest.mark.parametrize(("text", "begin"), CLOCKS)
def test_a_clock_time_is_of_the_day_that_its_sentence_has_named(text: str, begin: str) -> None:
    day, clock = read_times(text, NOW, SHANGHAI)
    assert local(clock.begin) == begin
    assert (day.dayless, clock.dayless) == (False, begin.startswith("2026-04-15"))


def test_hours_behind_a_day_are_of_that_day() -> None:
    span = only("Meet on the 17th between 2 and 4pm")
    assert (local(span.begin), local(span.until)) == ("2026-04-17 14:00", "2026-04-17 16:00")


YEARS = [
    (datetime(2026, 1, 5, 12, tzinfo=UTC), "12月25日", "2025-12-25"),
    (datetime(2025, 12, 28, 12, tzinfo=UTC), "1月3日", "2026-01-03"),
    (datetime(2025, 8, 1, 12, tzinfo=UTC), "16 August", "2025-08-16"),
    (datetime(2026, 6, 14, 12, tzinfo=UTC), "12月20日", "2026-12-20"),
    (datetime(2024, 3, 1, 12, tzinfo=UTC), "2月29日", "2024-02-29"),
    (datetime(2025, 3, 1, 12, tzinfo=UTC), "Feb 29", "2024-02-29"),
    (datetime(2026, 4, 15, 12, tzinfo=UTC), "Thursday, April 17", "2025-04-17"),
]


@pytest.mark.parametrize(("now", "text", "day"), YEARS)
def test_a_date_without_a_year_takes_it_from_the_reference_time(now: datetime, text: str, day: str) -> None:
    span = only(text, now, "UTC")
    assert local(span.begin, "UTC") == day
    assert not span.explicit


def test_the_day_begins_in_the_readers_zone() -> None:
    shanghai = only("今天", NOW, SHANGHAI)
    new_york = only("today", NOW, "America/New_York")
    assert shanghai.begin == datetime(2026, 4, 14, 16, tzinfo=UTC)
    assert new_york.begin == datetime(2026, 4, 14, 4, tzinfo=UTC)


def test_new_years_eve_belongs_to_two_years_at_once() -> None:
    now = datetime(2025, 12, 31, 20, tzinfo=UTC)
    assert only("今年", now, SHANGHAI).begin == datetime(2025, 12, 31, 16, tzinfo=UTC)
    assert only("this year", now, "America/New_York").begin == datetime(2025, 1, 1, 5, tzinfo=UTC)


def test_days_of_a_change_of_the_clocks_have_their_true_length() -> None:
    spring = only("today", datetime(2026, 3, 8, 18, tzinfo=UTC), "America/New_York")
    autumn = only("today", datetime(2026, 11, 1, 18, tzinfo=UTC), "America/New_York")
    assert spring.until - spring.begin == timedelta(hours=23)
    assert autumn.until - autumn.begin == timedelta(hours=25)


def test_hours_are_counted_over_a_change_of_the_clocks() -> None:
    now = datetime(2026, 3, 8, 9, tzinfo=UTC)  # 05:00, three hours after 01:00 standard time jumped to 03:00
    assert only("3 hours ago", now, "America/New_York").begin == now - timedelta(hours=3)
    assert only("last 24 hours", now, "America/New_York").begin == now - timedelta(hours=24)


def test_a_clock_time_that_the_change_skips_is_refused() -> None:
    refused = refused_times("March 8, 2026 at 2:30 am", NOW, "America/New_York")
    assert [refusal.reason for refusal in refused] == ["no such time"]


def test_a_clock_time_that_comes_twice_is_the_earlier_one() -> None:
    span = only("November 1, 2026 at 1:30 am", NOW, "America/New_York")
    assert span.begin == datetime(2026, 11, 1, 5, 30, tzinfo=UTC)


def test_a_stated_offset_outweighs_the_readers_zone() -> None:
    expected = datetime(2026, 4, 15, 0, 0, tzinfo=UTC)
    assert only("2026-04-15T08:00:00+08:00").begin == expected
    assert only("2026-04-15T00:00:00Z", zone="America/New_York").begin == expected
    assert only("2026-04-15 08:00 +08:00", zone="America/New_York").begin == expected
    assert only("2026年4月15日08:00北京时间", zone="America/New_York").begin == expected


def test_a_reference_time_in_any_offset_is_the_same_instant() -> None:
    moved = NOW.astimezone(timezone(timedelta(hours=-7)))
    assert read_times("今天 and 3 hours ago", moved, SHANGHAI) == read_times("今天 and 3 hours ago", NOW, SHANGHAI)


@pytest.mark.parametrize("zone", ["Asia/Nowhere", "Asia", "", "../etc/passwd", "x" * 300, "UTC\0"])
def test_an_unknown_zone_is_a_fault_of_the_caller(zone: str) -> None:
    with pytest.raises(ValueError, match="unknown time zone"):
        read_times("today", NOW, zone)


def test_a_naive_or_distant_reference_time_is_a_fault_of_the_caller() -> None:
    with pytest.raises(ValueError, match="without offset"):
        read_times("today", datetime(2026, 4, 15), SHANGHAI)
    with pytest.raises(ValueError, match="years 2 to 9998"):
        read_times("today", datetime(9999, 12, 31, tzinfo=UTC), SHANGHAI)


WORDS = sorted(words_zh.words() | words_en.words() | words_en.phrases())
MARKS = [
    "2024", "31", "15th", "13:30", "99:99", "3pm", "2026-04-15", "04/05/2024", "9999年", "1990s", "Q3", "½", "+08:00",
    "999999", "十", "万", "-", " ", "，", "/", ":", "\n", "😀", "𠮷", "'s",
]  # fmt: skip
PIECES = st.sampled_from([*WORDS, *"0123456789", *MARKS])
TEXTS = st.one_of(
    st.text(max_size=60),
    st.builds(lambda pieces, mark: mark.join(pieces), st.lists(PIECES, max_size=9), st.sampled_from(["", " "])),
)
NOWS = st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 12, 31)).map(
    lambda at: at.replace(tzinfo=UTC)
)
ZONES = st.sampled_from([SHANGHAI, "America/New_York", "UTC", "Pacific/Kiritimati", "Asia/Kathmandu"])


@settings(deadline=None, max_examples=400)
@given(text=TEXTS, now=NOWS, zone=ZONES)
def test_any_text_is_read_without_an_error_into_ranges_that_run_forward(text: str, now: datetime, zone: str) -> None:
    reading = time_reading(text, now, zone)
    found = sorted([*reading.spans, *reading.refused], key=lambda one: one.start)
    for one in found:
        assert text[one.start : one.end] == one.text != ""
    assert all(left.end <= right.start for left, right in pairwise(found))
    for span in reading.spans:
        assert span.begin < span.until
        assert span.begin.utcoffset() == span.until.utcoffset() == timedelta(0)
        assert span.resolution > timedelta(0)
    assert reading == time_reading(text, now, zone)


@pytest.mark.parametrize(("text", "begin", "until"), ABSOLUTE + RELATIVE + RANGES)
def test_a_span_read_alone_means_what_it_meant_in_its_sentence(text: str, begin: str, until: str) -> None:
    for sentence in (f"广州，{text}，怎么样", f"Paris: {text}."):
        for span in read_times(sentence, NOW, SHANGHAI):
            again = only(span.text)
            assert (again.begin, again.until) == (span.begin, span.until), span.text


LONG = [
    "今天", "1-", "2024年", "the of ", "下周周", "1 2 ", "前1前2", "between 1 and ", "from ", "on at in ", "3点",
    "/1/1", "twenty ", "Nov 18-", "'s", "😀", "中", "，", "周一", "http://", "99:", "一二三十", "every ", "week of ",
]  # fmt: skip


@pytest.mark.parametrize("piece", LONG)
def test_a_hundred_thousand_characters_are_read(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    reading = time_reading(text, NOW, SHANGHAI)
    assert all(span.end <= len(text) for span in reading.spans)
