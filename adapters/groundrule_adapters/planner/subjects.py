"""What a question is about: its topic, the words that carry it, and the things that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .places import Place
from .script import HAN

MAX_TOPIC, MAX_ENTITIES, MAX_NAME = 120, 8, 60
"""Code points of a topic, names in a plan, code points of a name."""

_COURTESIES = (
    r"请问一下|请问|请你|请帮我|请|麻烦你|麻烦|劳驾|帮我|帮忙|给我|替我|为我|我想知道|我想了解|我想问|我想"
    r"|我要|想知道|想了解|想问|能不能|能否|可不可以|可以|你能"
    r"|你知道|知道|告诉我|说说|讲讲|聊聊|介绍一下|介绍|查一查|查一下|查查|查询一下|查询|查找|搜索一下|搜索"
    r"|搜一下|搜搜|查|看一看|看一下|看看|看下|了解一下|分析一下"
    r"|确认一下|核实一下|核实|你确定|确定|查下|搜下|问下|一下"
)
_POLITE_ZH = "|".join(sorted(_COURTESIES.split("|"), key=len, reverse=True))
LEADING_ZH = re.compile(rf"^(?:[\s，,。！!、：:]|{_POLITE_ZH})+")
TRAILING_ZH = re.compile(
    r"(?:[\s？?。！!，,、…~]|是什么样的?|是什么|是多少|是谁|是哪(?:里|儿|个|家|位)|有哪些|有多少|有什么"
    r"|怎么样|怎样|如何|咋样|好不好|吗|呢|吧|啊|呀|嘛|了|的(?:情况|信息|资料|消息)?|谢谢|多谢)+$"
)
_KEEP_ZH = (
    "美的|目的|的士|的确|了解|和平|和谐|和田|和县|共和国|饱和|与会|参与|在线|存在|实在"
    "|内在|外在|潜在|正在|是否|其他|其它|吉他|那曲|那不勒斯|吧台|酒吧|贴吧|网吧|呢子"
)
"""Words that hold one of the small words below."""
_SMALL_ZH = re.compile(
    rf"(?P<keep>{_KEEP_ZH})|你好|您好|哈喽|嗨|早上好|下午好|晚上好|谢谢|多谢|在吗|{_POLITE_ZH}|什么时候"
    rf"|什么样|什么|怎么样|怎么办|怎么|怎样|如何|为什么|为何|是不是|有没有|会不会|能不能"
    r"|要不要|可不可以|是否|哪个|哪些|哪里|哪儿|哪家|哪位|哪年|哪|谁|多少钱|多少|多大|多高|多长|多久|几点|几个|几"
    r"|最新|最近|目前|现在|当前|实时|情况|信息|资料|具体|详细|相关|关于|有关|对于|主要|重大|重要|热门|方面"
    r"|问题|事情|东西|已经|应该|需要|非常|或者|还是|但是|而且|因为|所以|如果"
    r"|这个|那个|这些|那些|我们|你们|他们|她们|大家|这|那|我|你|您|吗|呢|吧|啊|呀|嘛|的|了|和|与|跟|及|在|是"
)
_STOP_EN_WORDS = """
a an the this that these those some any all each every please can could would will shall should may might must
you your yours i me my mine we us our it its he him his she her they them their one ones is are was were be been
being am do does did done have has had having get gets got give gives tell show find search look looking lookup
check help want wants know need like let what whats which who whom whose when where why how much many long old
far often of to in on at by for from with about into over under between among and or but not no nor so if then
than as also just only very really there here up down out off now today currently current latest recent recently
new please hi hello hey thanks thank ok okay yes up-to-date info information details situation going happen
happened happening s t re ve ll d m
"""
_STOP_EN = frozenset(_STOP_EN_WORDS.split())
POLITE_EN = re.compile(
    r"^(?:[\s,.!?-]|(?:please|pls|hi|hello|hey|ok|okay|thanks|kindly|could you|can you|would you|will you|tell me|show me"
    r"|give me|find(?: out)?|find me|search for|search|look up|look for|check|help me|i want to know|i'd like to know"
    r"|i would like to know|do you know|let me know|what is the|what's the|what are the|what is|what's|what are|how is the"
    r"|how's the|how is|how's|about)\b)+",
    re.IGNORECASE | re.ASCII,
)
_NAME_ZH = re.compile(
    rf"[{HAN}]{{2,10}}?(?:大桥|大学|学院|公司|集团|科技|股份|银行|机场|医院|委员会|协会|基金会|研究院|研究所|法院|博物馆|体育场"
    r"|体育馆|出版社|大厦|车站|火车站|铁路|高铁|高速|隧道|水库|电站|公园|乐园|景区|古城|寺|塔|奖|杯|联赛|锦标赛|世锦赛|运动会"
    r"|奥运会|亚运会|电影节|博览会|汽车|航空|制药|证券|保险|指数|法案|条例|计划|工程|项目|卫星|号)"
)
_QUOTED = re.compile(r"《([^》]{1,60})》|“([^”]{1,60})”|「([^」]{1,60})」|\"([^\"\n]{1,60})\"")
_LATIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+&'/-]{0,40}(?:[ ][A-Z0-9][A-Za-z0-9.+&'/-]{0,40}){0,4}")
_CAPITAL = re.compile(
    r"(?<![A-Za-z0-9])(?:[a-z]{0,2}[A-Z][A-Za-z0-9.&+'/-]{0,40}|\d+[A-Za-z][A-Za-z0-9-]{0,20})"
    r"(?:[ ](?:(?:of|de|van|von|the|for|al)[ ]){0,2}(?:[A-Z][A-Za-z0-9.&+'/-]{0,40}|\d{1,4}(?:\.\d+)?\b(?!%)))*"
)
_WORD_EN = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+&'’/$%-]*")
_PIECE = re.compile(rf"[{HAN}]+|[A-Za-z0-9][A-Za-z0-9.+&'’/$%-]*")
GENERIC = re.compile(
    r"发明|创立|创办|成立|设计|执导|主演|担任|获得|举行|举办|首都|省会|人口|面积|新闻|消息|头条|快讯|动态|进展|天气预报|天气|气温"
    r"|空气质量|票价|门票|票务|学费|房价|收费标准|开放时间|营业时间|股价|股票|股市|汇率|行情|价格|市值|财报|营收|营业收入|净?利润|业绩|收入|总部|员工数?|市场份额|首席执行官|董事长"
    r"|总裁|现任|新任|对比|比较|相比|区别|差别|差异|差距|哪个好|发布|通车|开通|推出|上市|公布|宣布|发生|表现|影响|原因|结果"
    r"|数据|排名|排行榜|预报|走势|涨跌|上涨|下跌|收盘|开盘|同比|环比|增长率?|增速|[增降涨跌]幅|下滑|毛利率|净利率|出货量|销量|融资额"
)
KIND_EN = (
    r"sales|gdp|news|headlines?|price|prices|revenue|revenues|earnings|profit|profits|stock|stocks|share|shares|ceo|quarter"
    r"|release[ds]?|weather|forecast|rate|rates|opened|open|launched|announced|compare|comparison|difference|vs|versus|better"
    r"|population|result|results|figures?|cost|costs|size|performance|specs|growth|margins?|grow|grew|grown|won|wins?|announces?|died|says|said|happened"
)
_IS_KIND_EN = re.compile(KIND_EN, re.IGNORECASE | re.ASCII)
_ROLE = re.compile(
    r"^(?:[A-Z]\w* )?(?:CEO|CFO|CTO|COO|President|Chairman|Founder|Prime Minister|King|Queen|Mayor|Governor) of (?:the )?"
)


@dataclass(frozen=True)
class Text:
    """A question. plain: as the rules read it. bare: the same with its times blanked, at the same positions."""

    plain: str
    bare: str
    language: str


def content(text: Text, places: Sequence[Place] = ()) -> tuple[str, ...]:
    """The words that say what is asked, in order: places, Chinese without small words, English without stop words."""
    marked = list(small_words_blank(text.bare))
    longer = [match.span() for match in _NAME_ZH.finditer("".join(marked))]
    places = [place for place in places if not any(start <= place.start and place.end < end for start, end in longer)]
    for place in places:
        marked[place.start : place.end] = " " * (place.end - place.start)
    found = [(place.start, place.name) for place in places]
    for match in _PIECE.finditer("".join(marked)):
        word = match.group().strip(".'’-/")
        if word and word.lower() not in _STOP_EN:
            found.append((match.start(), word))
    words = [word for _, word in sorted(found)]
    return tuple(word for word in words if len(word) > 1) or tuple(words)


def topic(text: Text) -> str:
    """The question without its courtesies and question words, at most MAX_TOPIC code points."""
    line = " ".join(text.plain[: MAX_TOPIC * 8].split())
    if text.language == "zh":
        line = TRAILING_ZH.sub("", LEADING_ZH.sub("", line))
    else:
        line = POLITE_EN.sub("", line).rstrip(" ?!.,;:")
    return cut(line)


def cut(line: str) -> str:
    """At most MAX_TOPIC code points, whole words where there are blanks."""
    if len(line) <= MAX_TOPIC:
        return line
    head = line[:MAX_TOPIC]
    return head.rsplit(" ", 1)[0] if " " in head[MAX_TOPIC // 2 :] else head


def entities(text: Text, places: Sequence[Place], sides: Sequence[str], *, weather: bool) -> tuple[str, ...]:
    """The things that the question names, in order, each once. Of a question about the weather: its places."""
    found = [(text.plain.find(side), side) for side in sides] + [(place.start, place.name) for place in places]
    if not weather and len(sides) < 2:
        for match in _QUOTED.finditer(text.plain):
            found.append((match.start(), next(group for group in match.groups() if group)))
        found += _named_zh(text, places) if text.language == "zh" else _named_en(text)
    taken: list[str] = []
    for _, name in sorted(found, key=lambda one: one[0]):
        name = name.strip(" .,'’-")[:MAX_NAME]
        if name and not any(name.lower() in other.lower() for other in taken):
            taken = [other for other in taken if other.lower() not in name.lower()] + [name]
    return tuple(taken[:MAX_ENTITIES])


def small_words_blank(text: str) -> str:
    """Chinese text with blanks in place of courtesies, question words and particles."""
    return _SMALL_ZH.sub(lambda match: match.group() if match.group("keep") else " " * len(match.group()), text)


def small_words_gone(text: str) -> str:
    """The same without the blanks, nor the verbs that lead to what is asked: 婺源会."""
    return re.sub(r"[会将要能也都还]+$", "", " ".join(small_words_blank(text).split()))


def _named_zh(text: Text, places: Sequence[Place]) -> list[tuple[int, str]]:
    found = [(match.start(), match.group()) for match in _LATIN.finditer(text.bare) if _is_name(match.group())]
    rest = GENERIC.sub(lambda match: " " * len(match.group()), small_words_blank(text.bare))
    found += [(match.start(), match.group()) for match in _NAME_ZH.finditer(rest)]
    if not found:
        for place in places:
            rest = rest[: place.start] + " " * (place.end - place.start) + rest[place.end :]
        found += [(match.start(), match.group()) for match in re.finditer(rf"[{HAN}]{{2,16}}", rest)][:1]
    return found


def _is_name(word: str) -> bool:
    """Whether a Latin word in Chinese text is a name and no bare number."""
    return bool(re.search("[A-Za-z]", word)) and word.lower() not in _STOP_EN


def _named_en(text: Text) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for match in _CAPITAL.finditer(text.bare):
        words = match.group().split(" ")
        start = match.start()
        while words and words[0].lower().removesuffix("'s") in _STOP_EN:
            start += len(words[0]) + 1
            words = words[1:]
        name = re.sub(r"'s$", "", _ROLE.sub("", " ".join(words)))
        if len(name) > 1 and not name.isdigit() and not _IS_KIND_EN.fullmatch(name):
            found.append((start, name))
    return found or _first_words(text)


def _first_words(text: Text) -> list[tuple[int, str]]:
    """The first words that say something, where nothing is written as a name: xingwan bridge."""
    run: list[str] = []
    at = 0
    for match in _WORD_EN.finditer(text.bare):
        word = match.group().lower()
        if word in _STOP_EN or word.isdigit() or _IS_KIND_EN.fullmatch(word):
            if run:
                break
            continue
        at = at if run else match.start()
        run.append(match.group())
        if len(run) == 3:
            break
    return [(at, " ".join(run))] if run else []
