"""Whether only recent information answers a question. The answer is yes unless a closed rule says no.

A question that is wrongly taken as settled gets yesterday's answer today; one that is wrongly taken as fresh only gets
a newer source. So the rules that switch freshness off name what has happened once and for all, or what does not
change, and any word about the present outweighs them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from groundrule.grounding.times import TimeSpan

SETTLED = timedelta(days=90)
"""How long a stated time must be over before what is known about it no longer changes."""

_PRESENT = re.compile(
    r"最新|最近|近期|近来|目前|现在|当前|眼下|如今|现任|在任|实时|即时|即将|未来|明天|后天|今天|今日|今晚"
    r"|今早|昨天|昨日|昨晚|前天|本周|这周|上周|下周|本月"
    r"|这个月|上个月|下个月|今年|本年|明年|刚刚|刚才|至今|截至|截止|下一(?:次|届|场|个|任|代|站|轮)|下次"
    r"|下届|还有多久|还剩|倒计时|进展|动态|正在|仍然?|尚未|是否还|还在|排名|排行|榜"
    r"|价格|多少钱|股价|汇率|行情|票房|比分|战绩|积分|天气|气温|在售|有货|上线了吗|了没有?|了吗"
    r"|\b(?:latest|newest|recent|recently|currently?|now|nowadays|today|tonight|yesterday|tomorrow"
    r"|upcoming|ongoing|so far|as of|live|breaking"
    r"|still|yet|next|presently|at the moment|these days|up[- ]to[- ]date|to date|remains?|remaining|until"
    r"|trending|schedule[ds]?|standings?"
    r"|rankings?|ranked|prices?|costs?|worth|weather|forecast|scores?|stocks?|rate|rates|update[sd]?"
    r"|status|available)\b"
    r"|\bthis (?:year|month|week|season|quarter|morning|afternoon|evening|weekend|decade)\b|\bthis year's\b"
    r"|\b(?:last|past) (?:night|week|month|few|year|time|\w+day)\b|\b(?:does|did) .{0,60}\blast\b"
    r"|\bmost recent(?:ly)?\b|\bright now\b",
    re.IGNORECASE | re.ASCII,
)
_PRESENT_OFFICE = re.compile(
    r"现任|目前|现在|当前|至今|最新|今天|今年|\b(?:currently?|now|today|latest|most recent|so far|still)\b",
    re.IGNORECASE | re.ASCII,
)
_COUNT = re.compile(
    r"\bhow (?:many|much)\b|\bhow (?:old|long) (?:is|are|has|have)\b|多少|几(?:个|人|次|家|名|位|岁)",
    re.IGNORECASE | re.ASCII,
)
_PAST_VERB = re.compile(
    r"^\W*(?:(?:please |can you |could you )?(?:tell me |explain |do you know |i want to know )?)?"
    r"(?:(?:in|on|at|from|by|to|for|during|after|before|with)\s)?(?:what|which|who|whom|whose|when|where"
    r"|why|how)\b(?:(?!\b(?:is|are|has|have|does|do|will|can)\b).){0,80}?"
    r"\b(?:did|was|were|won|wrote|killed|founded|invented|discovered|created|directed|painted|composed"
    r"|built|designed|played|hosted|sang|"
    r"defeated|led|died|born|became|signed|caused|started|ended|happened|received|served|made|fought|ruled"
    r"|coined|introduced|starred|"
    r"voiced|produced|published|scored|married|assassinated|conquered|established|developed|proposed|first)\b",
    re.IGNORECASE | re.ASCII,
)
_LIVING_PAST = re.compile(
    r"\b(?:most|highest|largest|biggest|richest|best|record|longest|fastest|oldest|youngest|ever"
    r"|in history|of all time)\b",
    re.IGNORECASE | re.ASCII,
)
_RECORD = re.compile(
    r"\bin (?:the )?(?:\w+ )?history\b|\b(?:in the )?history of\b|\bever (?:made|built|recorded|sold"
    r"|written|to|released|found|discovered)\b|\bon record\b"
    r"|\bof all time\b|\bsince (?:world war|the (?:second|first) world war)|\b(?:world )?records? (?:for"
    r"|of)\b|\b(?:longest|shortest)-(?:serving|reigning|running|lived)\b"
    r"|\bthe only (?:\w+ )?(?:person|people|woman|man|women|men|country|team|player|city|state|recipient"
    r"|winner|president|actor|author)\b"
    r"|历史上最|史上最|有史以来|世界纪录|唯一(?:一|的)",
    re.IGNORECASE | re.ASCII,
)
_LAST_HELD = re.compile(
    r"\blast (?:\w+ ){0,3}?(?:bowl|cup|season|game|match|election|elections|finals?|series|race|tournament"
    r"|championships?|awards?|olympics|"
    r"episode|album|movie|film|book|song|grand prix|open|draft|edition|ceremony|victory|title|win)\b|(?:上"
    r"|最近)一?(?:届|次|场|任|季|轮|期)",
    re.IGNORECASE | re.ASCII,
)
_WON = re.compile(r"\b(?:won|wins|winner|champions?)\b|冠军|得主|获奖者|夺冠", re.IGNORECASE | re.ASCII)
_FOUNDING = re.compile(
    r"\b(?:founders?|inventors?|discoverers?|co-?founders?|authors?|composers?|painters?|architects?"
    r"|director) of\b|\bfirst (?:ever|person|woman|man|human|country|city|president|film|movie|book|novel"
    r"|album|"
    r"game|episode|team|player|emperor|king|queen|pope|american|chinese|british|to)\b|\bwho (?:invented"
    r"|founded|discovered|created|directed|painted|"
    r"wrote|composed|built|designed|coined|assassinated|killed)\b|\b(?:birthplace|birth ?date|date of birth|born)\b"
    r"|创始人|创办人|发明者|发明人|发现者|作者|原著|导演|作曲|编剧|主演|设计师|出生|生于|诞生|生日|籍贯"
    r"|去世|逝世|首位|首个|首次|第一(?:个|位|次|部|任|届)"
    r"|谁(?:发明|创立|创办|发现|写|画|执导|建造|提出|设计)|(?:发明|创立|创办|发现|写|画|执导|建造|提出"
    r"|设计)的(?:是谁|[?？]?$)|(?:始建|建成|建于|成立|创建|创立|建立|发表|出版|上映|问世)于?"
    r"|(?:哪一?年|何时|什么时候|什么年代)(?:建|成立|创|出|发明|发现|发表|上映|登月|登陆|沉没|统一|独立|灭亡|结束|开始|爆发|签署)|朝代"
    r"|公元前|古代|历史上的|由来|起源",
    re.IGNORECASE | re.ASCII,
)
_DEFINITION = re.compile(
    r"什么是|是什么意思|(?:的)?(?:定义|含义|意思|原理|概念|全称|缩写|公式|区别是什么|读音|拼音|用法|词源)"
    r"|怎么(?:读|写|念|计算|形成)|如何(?:计算|形成)|为什么(?:天|海|月|太阳|地球|水|人)"
    r"|\bwhat does .{1,60} (?:mean|stand for)\b|\b(?:meaning|definition|etymology|origin|pronunciation"
    r"|plural|synonym|antonym|formula|symbol|abbreviation|translation) (?:of|for)\b"
    r"|\bdefine\b|\bstands? for\b|\bhow (?:do|does|to) .{1,40}\b(?:work|works|spell|pronounce|solve"
    r"|calculate|prove|form)\b|\bwhy (?:is|are|do|does) (?:the )?(?:sky|sea|ocean|moon|sun|earth|water|ice"
    r"|leaves|grass|cats|dogs|birds)\b"
    r"|\bexplain\b|\bdifference between\b",
    re.IGNORECASE | re.ASCII,
)
_ATTRIBUTE = re.compile(
    r"首都|省会|化学式|元素符号|原子序数|分子式|沸点|熔点|密度|光速|圆周率|国花|国歌|国旗|国徽|市花|市树"
    r"|国鸟|官方语言|母语|邮编|区号|时差|车牌|海拔|面积|长度|全长|直径|半径|主角|男主|女主|出自|哪本书"
    r"|哪部(?:小说|作品)|字数|几画"
    r"|\bcapital (?:city )?of\b|\b(?:chemical|atomic|boiling|melting|freezing) \w+\b|\bspeed of (?:light"
    r"|sound)\b|\bofficial languages?\b|\bnational (?:anthem|flower|bird|flag|animal|tree|day)\b"
    r"|\b(?:city|state) (?:flower|tree|bird)\b|\barea code\b|\bcountry code\b|\bmain character\b"
    r"|\bprotagonist\b|\b(?:title|plot|author|setting|narrator) of\b|\bname of the (?:main|first"
    r"|university|book|novel|city|place)\b"
    r"|\bsquare root\b|\bhow many (?:days|hours|minutes|seconds|weeks|months|feet|inches|meters|metres"
    r"|ounces|grams|continents|planets|bones|chambers|sides|legs|strings|keys|letters|books|novels|films"
    r"|movies|episodes|seasons|symphonies|plays|chapters)\b"
    r"|\b(?:in|of) the .{1,40}\b(?:series|trilogy|saga|franchise)\b|\bwhat .{0,40}\b(?:processor"
    r"|processing unit|gpu|cpu|chip|screen|display|battery|camera|engine)\b.{0,20}\bdoes\b"
    r"|\bname of .{0,40}\b(?:baby|daughter|son|child|wife|husband|mother|father|dog|cat|horse|ship|song"
    r"|character)\b|\bone of the\b.{0,30}\bwonders\b|\bwonders of the world\b|\bsmallest moon\b",
    re.IGNORECASE | re.ASCII,
)
_NATURE = re.compile(
    r"(?:最(?:高|大|长|深|小|冷|热|古老|亮|快|重|硬|低)|第[一二三]大?)(?:的)?[\u3400-\u9fff]{0,4}(?:山峰"
    r"|高峰|山脉|峰|河流?|江|湖泊?|海洋|大洋|海沟|沙漠|岛屿?|半岛|瀑布|洲|大陆|盆地|高原|平原|行星|恒星"
    r"|星球|卫星|动物|植物|鸟|鱼|元素|金属|器官|骨头)"
    r"|\b(?:highest|tallest|largest|biggest|longest|deepest|smallest|brightest|hottest|coldest|closest"
    r"|nearest|farthest|oldest|fastest|heaviest|hardest|driest|lowest)\s(?:\w+\s){0,2}?"
    r"(?:mountain|peak|river|lake|ocean|sea|desert|island|continent|waterfall|trench|canyon|cave|volcano"
    r"|planet|star|moon|galaxy|animal|mammal|bird|fish|insect|dinosaur|element|metal|organ|bone"
    r"|place on earth|point on earth)s?\b",
    re.IGNORECASE | re.ASCII,
)


def asks_for_the_present(text: str) -> bool:
    """Whether words of a plain question ask for the present: `now`, `latest`, what changes by the day."""
    return _PRESENT.search(text) is not None


def freshness_required(text: str, spans: Sequence[TimeSpan], now: datetime) -> bool:
    """Whether recent information is required.

    text: the plain question, of any kind. spans: the times that it states. now: the reference time, aware.
    """
    past = _PAST_VERB.search(text) is not None
    over = [span.explicit and span.until <= now - SETTLED for span in spans]
    if (all(over) or past) and any(over) and not _PRESENT_OFFICE.search(text):
        return False
    if asks_for_the_present(text) or _LAST_HELD.search(text) or not all(over):
        return True
    if any(rule.search(text) for rule in (_DEFINITION, _ATTRIBUTE, _NATURE, _FOUNDING, _RECORD)):
        return False
    return not past or any(rule.search(text) for rule in (_LIVING_PAST, _COUNT, _WON))
