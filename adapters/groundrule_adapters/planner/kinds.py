"""What kind of fact a question asks for: closed lists of words, the most specific kind first."""

from __future__ import annotations

import re

from groundrule.facts.words import QueryKind

WEATHER = re.compile(
    r"天气预报|天气|气温|空气质量|空气污染指数|雾霾|降雨量?|降水|下雨|下雪|降雪|有雨|有雪|湿度|紫外线"
    r"|体感温度|最高温度?|最低温度?"
    r"|带伞|带雨伞|穿什么衣服|冷不冷|热不热|几度"
    r"|\bweather\b|\bair quality\b|\baqi\b|\bhumidity\b|\buv index\b|\b(?:rain|snow)(?:ing|fall|y)?\b|\bumbrella\b"
    r"|\b(?:high|low|max(?:imum)?|min(?:imum)?)?\s?temperatures?\b(?=\s(?:in|for|at|today|tomorrow|this|on|outside))"
    r"|(?<!sales )(?<!revenue )(?<!earnings )(?<!growth )(?<!economic )(?<!market )\bforecast\s(?:for"
    r"|in)\b|\bhow (?:cold|hot|warm) is it\b",
    re.IGNORECASE | re.ASCII,
)
_NO_WEATHER = re.compile(
    r"天气之子|天气app|天气软件|天气预报员|天气晴雨表|什么是(?:天气|气温|降水|湿度|雾霾|空气质量)|(?:天气"
    r"|降水|湿度|雾霾|雨|雪)(?:的|是)?(?:定义|原理|成因|意思)"
    r"|(?:天气|降雨|下雨|下雪|雾霾)是?(?:怎么|如何)(?:形成|产生)|为什么会?(?:下雨|下雪|有雾霾)"
    r"|\bweather (?:underground|app|channel|api|girls|the storm|balloon)\b|\bweathering\b|\bpurple rain\b"
    r"|\brain ?man\b|\bsnow white\b|\brainbow\b"
    r"|\bwhat (?:is|causes) (?:the )?(?:weather|rain|snow|humidity|air quality)\b|\bdefinition of\b"
    r"|\bsnow leopard\b|\brain ?forest\b|\bjon snow\b",
    re.IGNORECASE | re.ASCII,
)
_FEELS = re.compile(
    r"(?:多少|几|多)[度℃]|温度|(?:[很太最更还好真多变会么]|今|明|后|天|晚|早|^|[\u3400-\u9fff\s])"
    r"(?<![火炎亚制抗耐寒发加余])(?:冷|热)(?![门点搜线水干电链战冻饮带爱闹卖力销情气狗恋心帖血])"
    r"|暖和|凉快|潮湿|闷热|降温|升温|下雨|下不下雨|下雪|飘雪|刮风|大风|风大|起雾|打伞|带伞|雨衣|穿什么|穿多少|穿啥|穿几件"
    r"|\b(?:hot(?! ?(?:pots?|dogs?|topics?|springs?|spots?|search|lines?|news|sauce|money))|cold(?! (?:war|chain|case|storage|brew|drinks?|noodles?))"
    r"|warm|cool (?:is|will|in)|chilly|freezing|humid|windy|breezy|sunny|cloudy|rainy|snowy|foggy|stormy|muggy"
    r"|hotter|colder|warmer|cooler|rainier|sunnier|wetter|drier)\b"
    r"|\b(?:how many|what|many) degrees\b|\bdegrees (?:is|will|celsius|fahrenheit)\b|°|\btemperatures?\b"
    r"|\b(?:snow|rain|hail|thunderstorms?|drizzle|winds?(?! (?:power|farms?|energy|turbines?)))\b|\b(?:umbrella|raincoat)\b"
    r"|\bwhat (?:should|shall|do|can|to) (?:i |we )?(?:wear|pack)\b",
    re.IGNORECASE | re.ASCII,
)
"""Words that ask for the weather where a place stands beside them."""
_FEELS_NOT = re.compile(
    r"经度|纬度|东经|西经|北纬|南纬|角度|倾斜|酒精|为什么|为何|气候|历史上|\bwhy\b|\bclimate\b|\blatitude\b|\blongitude\b"
    r"|\bwater temperature\b|水温|体温",
    re.IGNORECASE | re.ASCII,
)
_NEWS_FIRST = re.compile(r"新闻|头条|快讯|要闻|时事|\bnews\b|\bheadlines?\b|\bbreaking\b", re.IGNORECASE | re.ASCII)
_MARKET = re.compile(
    r"股价|股票|股市|大盘|行情|汇率|金价|黄金价格|白银价|油价|原油|期货|期权|币价|比特币|以太坊|加密货币"
    r"|市值|市盈率|涨停|跌停|涨幅|跌幅|收盘|开盘"
    r"|上证|深证|沪深300|恒生|纳斯达克|纳指|道琼斯|道指|标普|创业板指|科创50|国债收益率|基金净值|外汇"
    r"|兑(?:换)?(?:人民币|美元|欧元|日元|港币|港元)|(?:人民币|美元|欧元|日元|英镑)兑"
    r"|\bstocks?\b|\bshare prices?\b|\bstock market\b|\bexchange rates?\b|\bbitcoin\b|\bbtc\b|\bethereum\b"
    r"|\bcrypto\w*\b|\b(?:gold|silver|oil|crude|copper) prices?\b"
    r"|\bprice of (?:gold|silver|oil|crude|brent|bitcoin|copper)\b|\bnasdaq\b|\bdow jones\b|\bs&p 500\b"
    r"|\bmarket cap(?:italization)?\b|\bforex\b|\bbond yields?\b"
    r"|\b(?:usd|eur|gbp|jpy|cny|rmb|hkd)\s?(?:/|to|in)\s?(?:usd|eur|gbp|jpy|cny|rmb|hkd)\b|\bfutures\b"
    r"|\bp/?e ratio\b|\$[A-Z]{1,5}\b",
    re.IGNORECASE | re.ASCII,
)
_MODEL = re.compile(
    r"大模型|语言模型|多模态模型|开源模型|推理模型|通义千问|千问|文心一言|文心大?模?型|豆包|混元|智谱"
    r"|盘古大模型|讯飞星火|月之暗面"
    r"|\bgpt-?\s?\d|\bgpt-?oss\b|\bchatgpt\b|\bo[1-9](?:-(?:mini|pro|preview))?\b(?=.{0,20}(?:model|模型"
    r"|openai|price|价格|发布))|\bclaude\b|\bgemini\b|\bllama\b|\bqwen\w*|\bdeepseek\b"
    r"|\bmistral\b|\bgrok\b|\bglm-?\d|\bkimi\b|\bphi-\d|\bgemma\b|\bhunyuan\b|\bernie bot\b|\bllms?\b"
    r"|\blanguage models?\b|\bai models?\b|\bfoundation models?\b|\bsora\b|\bmidjourney\b"
    r"|\bstable diffusion\b",
    re.IGNORECASE | re.ASCII,
)
_COMPANY = re.compile(
    r"公司|集团|股份|有限责任|财报|营收|营业收入|净利润?|利润|毛利率|市场份额|首席执行官|执行官|总裁"
    r"|董事长|董事会|掌门人|员工(?:数|人数|总数)|总部|融资|上市|收购|并购|裁员|子公司"
    r"|[\u3400-\u9fff](?:科技|银行|汽车|能源|制药|药业|电子|电器|证券|保险|航空|石油|通信|传媒|地产"
    r"|置业)(?![馆展业园区])"
    r"|\b(?:ceo|cfo|cto|coo|chairman)\b|\brevenues?\b|\bearnings\b|\bnet (?:income|profit)\b|\bprofits?\b"
    r"|\bquarterly results\b|\bheadquarter\w*\b"
    r"|\bemployees\b|\bipo\b|\bacqui(?:re|red|sition)\b|\bmerger\b|\blayoffs?\b|\bmarket share\b"
    r"|\bcompan(?:y|ies)\b|\bcorporation\b|\b(?:inc|corp|ltd|llc|plc)\b",
    re.IGNORECASE | re.ASCII,
)
_NEWS = re.compile(
    r"最新(?:进展|动态|消息|情况|战况)|进展如何|发生了?什么|怎么回事|地震|台风|洪水|山火|空难|疫情|战争"
    r"|冲突|停火|选举结果|发布会|通车|开通|开幕|闭幕|遇难|坠毁|官宣"
    r"|\blatest (?:on|about|update|development)|\bwhat happened\b|\bupdates? on\b|\bearthquake\b"
    r"|\bhurricane\b|\btyphoon\b|\bwildfires?\b|\bceasefire\b|\belection results?\b",
    re.IGNORECASE | re.ASCII,
)
FIGURES = re.compile(
    r"财报|营收|营业收入|净利润?|利润|毛利率|市场份额|员工(?:数|人数|总数)|融资额?|出货量|销量"
    r"|\brevenues?\b|\bearnings\b|\bnet (?:income|profit)\b|\bprofits?\b|\bquarterly results\b"
    r"|\bmarket share\b|\bhow many employees\b|\bsales\b",
    re.IGNORECASE | re.ASCII,
)
"""Figures of a company, which publishers copy wrongly and often: they want two sources."""


def feels_weather(text: str) -> bool:
    """Whether a question that names a place, and whose kind no list knows, asks for the weather there."""
    return _FEELS.search(text) is not None and not (_FEELS_NOT.search(text) or _NO_WEATHER.search(text))


def kind_of(text: str) -> QueryKind:
    """The kind of a plain question that has a topic; `generic_web` if no list knows it."""
    if WEATHER.search(text) and not _NO_WEATHER.search(text):
        return "weather"
    tables: tuple[tuple[re.Pattern[str], QueryKind], ...] = (
        (_NEWS_FIRST, "news"),
        (_MARKET, "market"),
        (_MODEL, "model"),
        (_COMPANY, "company"),
        (_NEWS, "news"),
    )
    return next((kind for words, kind in tables if words.search(text)), "generic_web")
