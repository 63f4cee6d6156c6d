"""A small corpus, written for these tests: evidence, and sentences with the verdict of each of their claims."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from groundrule.facts import Evidence

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)  # 20:00 in Shanghai, a Sunday
ZONE = "Asia/Shanghai"
HANDLES = {"[1]": "weather", "[2]": "report", "[3]": "match", "[4]": "model", "[5]": "generated", "[6]": "nowhere"}


def at(id: str, title: str, snippet: str, host: str, **more: object) -> Evidence:
    """An item fetched now from a page of its own."""
    facts = {"id": id, "title": title, "snippet": snippet, "target_url": f"https://{host}/{id}", "retrieved_at": NOW}
    return Evidence.model_validate(facts | more)


EVIDENCE = (
    at(
        "weather",
        "广州未来5天天气预报",
        "11月29日多云，18~25℃；11月30日小雨，15~22℃，降水概率60%；12月1日阴，16~21℃；12月2日多云，17~23℃；"
        "12月3日晴，18~26℃。西北风3-4级，最低气温15℃，相对湿度七成。",
        "weather.example",
        dated_at=NOW - timedelta(minutes=40),
        dated_resolution=timedelta(minutes=1),
        source_label="36气象",
    ),
    at(
        "report",
        "示例公司公布2025年年度报告",
        "2025年公司营收36.57亿元，同比增长3.2%；净利润为-1.5亿元，毛利率下降0.8个百分点。年末员工12,345人，"
        "在8个城市设有研发中心。董事长表示：“我们对未来充满信心，也会谨慎投资。”每股派息人民币0.25元。",
        "corp.example",
        dated_at=datetime(2026, 3, 30, 16, 0, tzinfo=UTC),
        dated_resolution=timedelta(days=1),
    ),
    at(
        "match",
        "Hawks beat Owls 113-107",
        "The Hawks beat the Owls 113-107 on Saturday. Rivera had 38 points, nine rebounds and six assists in 41 "
        "minutes. Some 18,203 people watched, and ticket prices rose 12 percent to $85. "
        "The arena lies 3.5 km from the river.",
        "sport.example",
        dated_at=datetime(2026, 11, 28, 23, 0, tzinfo=UTC),
        dated_resolution=timedelta(hours=1),
    ),
    at(
        "model",
        "Lumen-3 released",
        "Lumen-3 was released on 17 November 2026 with a context of 256k tokens. It costs $2.50 per million tokens, "
        "down from $4. The weights take 24 GB.",
        "model.example",
        dated_at=datetime(2026, 11, 17, 0, 0, tzinfo=UTC),
        dated_resolution=timedelta(days=1),
    ),
    at("generated", "摘要", "营收99亿元，员工777人。", "ai.example", generated=True),
    Evidence(id="nowhere", title="内部记录", snippet="员工888人", target_url="file:///a"),
)

# sentence, then its claims: words, kind, status
CASES = [
    # Numbers as they stand, in other words, in the other language.
    ("11月30日广州小雨，15~22℃[1]。", "11月30日 date bound | 15 number bound | 22℃ number bound"),
    ("降水概率百分之六十[1]。", "百分之六十 percent bound"),
    ("相对湿度70%[1]。", "70% percent bound"),
    ("西北风3—4级[1]。", "3 number bound | 4级 number bound"),
    ("Rain at 60 percent, 15-22 °C [1].", "60 percent percent bound | 15 number bound | 22 °C number bound"),
    ("营收365,700万元[2]。", "365,700万元 money bound"),
    ("Revenue was 3.657 billion yuan [2].", "3.657 billion yuan money bound"),
    ("员工一万二千三百四十五名[2]。", "一万二千三百四十五名 number bound"),
    ("里维拉得到38分、9个篮板、6次助攻[3]。", "38分 number bound | 9个 number bound | 6次 number bound"),
    ("Rivera scored 38 points and grabbed 9 rebounds [3].", "38 points number bound | 9 number bound"),
    ("Each million tokens costs $2.5 [4].", "$2.5 money bound"),
    # Rounding by the shown digits; never more precise than the source.
    ("营收36.6亿元[2]。", "36.6亿元 money derived"),
    ("营收约37亿元[2]。", "37亿元 money derived"),
    ("营收36.5亿元[2]。", "36.5亿元 money contradicted"),
    ("员工1.2万人[2]。", "1.2万人 number derived"),
    ("同比增长3.20%[2]。", "3.20% percent unverified"),
    ("员工12000人[2]。", "12000人 number contradicted"),
    ("员工超过12000人[2]。", "12000人 number derived"),
    ("近12,500人任职[2]。", "12,500人 number unverified"),
    ("More than 18,000 people watched [3].", "18,000 people number derived"),
    # Units and signs belong to the value.
    ("亏损1.5亿元[2]。", "1.5亿元 money bound"),
    ("净利润为1.5亿元[2]。", "1.5亿元 money contradicted"),
    ("营收36.57亿美元[2]。", "36.57亿美元 money unverified"),
    ("毛利率下降0.8%[2]。", "0.8% percent unverified"),
    ("毛利率上升0.8个百分点[2]。", "0.8个百分点 percent contradicted"),
    ("38人受伤[3]。", "38人 number unverified"),
    ("设有8家工厂[2]。", "8家 number unverified"),
    # Other values.
    ("同比增长5%[2]。", "5% percent contradicted"),
    ("最低气温12℃[1]。", "12℃ number contradicted"),
    ("The Hawks won 113-99 [3].", "Hawks entity bound | 113 number unverified | 99 number unverified"),
    ("The Hawks beat the Owls 113-107 [3].", "Hawks entity bound | Owls entity bound | 113 number bound | 107 number bound"),
    ("Lumen-4 takes 24 GB [4].", "Lumen-4 number unverified | 24 GB number bound"),
    ("Lumen 3 takes 24,000 MB [4].", "3 number bound | 24,000 MB number derived"),
    # Derived: conversion, difference, total, count, range.
    ("最高78.8℉[1]。", "78.8℉ number unverified"),
    ("最高约79°F[1]。", "79°F number derived"),
    ("The arena is 3500 m away [3].", "3500 m number derived"),
    ("未来5天15~26℃[1]。", "未来5天 date bound | 15 number derived | 26℃ number derived"),
    ("15℃与22℃相差7℃[1]。", "15℃ number bound | 22℃ number bound | 7℃ number derived"),
    ("15℃与22℃，7℃[1]。", "15℃ number bound | 22℃ number bound | 7℃ number unverified"),
    ("$2.50, down from $4, is a decline of 37.5% [4].", "$2.50 money bound | $4 money bound | 37.5% percent derived"),
    ("$2.50, down from $4, is a decline of 60% [4].", "$2.50 money bound | $4 money bound | 60% percent unverified"),
    ("$2.50 is 62.5% of the $4 [4].", "$2.50 money bound | 62.5% percent derived | $4 money bound"),
    ("$4 is 1.6 times the $2.50 [4].", "$4 money bound | 1.6 times number derived | $2.50 money bound"),
    ("26℃是15℃的1.7倍[1]。", "26℃ number bound | 15℃ number bound | 1.7倍 number derived"),
    ("26℃是15℃的1.9倍[1]。", "26℃ number bound | 15℃ number bound | 1.9倍 number unverified"),
    ("增幅3.2%比降幅0.8%高出2.4个百分点[2]。",
     "3.2% percent bound | 0.8% percent unverified | 2.4个百分点 percent unverified"),
    ("两个来源提到此事[1][2]。", "两个 number derived"),
    ("三个来源提到此事[1][2]。", "三个 number unverified"),
    # Dates.
    ("截至40分钟前，18℃[1]。", "40分钟前 date bound | 18℃ number bound"),
    ("截至3小时前，18℃[1]。", "3小时前 date contradicted | 18℃ number bound"),
    ("数据时间为2026年11月29日19:20[1]。", "2026年11月29日19:20 date bound"),
    ("12月5日有雨[1]。", "12月5日 date unverified"),
    ("未来7天多云[1]。", "未来7天 date unverified"),
    ("据2025年年报[2]", "2025年 date bound"),
    ("据2024年年报[2]", "2024年 date unverified"),
    ("Released on November 17, 2026 [4].", "November 17, 2026 date bound"),
    ("Released in November 2026 [4].", "November 2026 date bound"),
    ("Released on November 18, 2026 [4].", "November 18, 2026 date contradicted"),
    ("页面检索于11月29日[2]。", "11月29日 date bound"),
    # Names.
    ("It was made by Acme Robotics [4].", "Acme Robotics entity unverified"),
    ("Carlos Rivera had 38 points [3].", "Carlos Rivera entity unverified | 38 points number bound"),
    ("据《示例年鉴》，示例公司有8个研发中心[2]。",
     "《示例年鉴》 entity unverified | 示例公司 entity bound | 8个 number unverified"),
    ("In Guangzhou City it is 18 °C [1].", "Guangzhou City entity unverified | 18 °C number bound"),
    # Comparisons.
    ("26℃高于15℃[1]。", "26℃ number bound | 高于 comparison derived | 15℃ number bound"),
    ("15℃高于26℃[1]。", "15℃ number bound | 高于 comparison unverified | 26℃ number bound"),
    ("最高气温18℃[1]。", "18℃ number bound"),
    ("这是全国最大的公司[2]。", "最大 comparison unverified"),
    # Quotations.
    ("董事长表示：“我们对未来充满信心”[2]。", "“我们对未来充满信心” quote bound"),
    ("董事长表示：「我们对未来充满信心 也会谨慎投资」[2]。", "「我们对未来充满信心 也会谨慎投资」 quote bound"),
    ("董事长表示：“绝不裁员”[2]。", "“绝不裁员” quote unverified"),
    # Links.
    ("见 https://CORP.example:443/report 。", "https://CORP.example:443/report link bound"),
    ("见 https://corp.example/report?x=1 。", "https://corp.example/report?x=1 link unverified"),
    ("见 https://ai.example/generated 。", "https://ai.example/generated link unverified"),
    # Where a sentence cites, only what it cites counts.
    ("营收36.57亿元[1]。", "36.57亿元 money unverified"),
    ("营收36.57亿元。", "36.57亿元 money bound"),
    ("营收36.57亿元[9]。", "36.57亿元 money unverified"),
    ("营收36.57亿元[9][2]。", "36.57亿元 money bound"),
    # What never grounds.
    ("营收99亿元。", "99亿元 money contradicted"),
    ("员工777人[5]。", "777人 number unverified"),
    ("员工888人[6]。", "888人 number unverified"),
]  # fmt: skip
