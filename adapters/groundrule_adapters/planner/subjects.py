"""What a question is about: its topic, what it names, the sides of a comparison, the sites that it asks for."""

from __future__ import annotations

import re

MAX_TOPIC, MAX_ENTITIES, MAX_NAME = 120, 8, 60
"""Code points of a topic, names in a plan, code points of a name."""

_POLITE_ZH = (
    r"请问一下|请问|请你|请帮我|请|麻烦你|麻烦|劳驾|帮我|帮忙|给我|替我|为我|我想知道|我想了解|我想问|我想"
    r"|我要|想知道|想了解|想问|能不能|能否|可不可以|可以|你能"
    r"|你知道|知道|告诉我|说说|讲讲|聊聊|介绍一下|介绍|查一查|查一下|查查|查询一下|查询|查找|搜索一下|搜索"
    r"|搜一下|搜搜|查|看一看|看一下|看看|看下|了解一下|分析一下"
    r"|确认一下|核实一下|核实|你确定|确定|查下|搜下|问下|一下"
)
_LEADING_ZH = re.compile(rf"^(?:[\s，,。！!、：:]|{_POLITE_ZH})+")
_TRAILING_ZH = re.compile(
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
