"""The Chinese words of the time grammar. A word that is not here is not read."""

from __future__ import annotations

from .kinds import Entry, K, Value, entries

FOLD = str.maketrans(
    "後這從內當現剛開農曆閏禮還節兒適續連於結應將與紀號鐘點時間週兩個來過幾裡裏",
    "后这从内当现刚开农历闰礼还节儿适续连于结应将与纪号钟点时间周两个来过几里里",
)
"""Traditional forms of the words below that `folding` does not know."""

WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_STEPS = {
    "上": -1, "上一": -1, "上个": -1, "上一个": -1, "上上": -2, "上上个": -2, "下": 1, "下一": 1, "下个": 1,
    "下一个": 1, "下下": 2, "下下个": 2, "本": 0, "这": 0, "这个": 0, "这一": 0, "本个": 0,
}  # fmt: skip
_UNITS = {
    "周": "week", "星期": "week", "礼拜": "week", "月": "month", "月份": "month", "季度": "quarter", "季": "quarter",
    "年度": "year", "周末": "weekend",
}  # fmt: skip
_YEARS = {
    "今年": 0, "本年": 0, "今年度": 0, "去年": -1, "上一年": -1, "前年": -2, "大前年": -3, "明年": 1, "下一年": 1,
    "来年": 1, "后年": 2, "大后年": 3,
}  # fmt: skip
_TABLE: tuple[tuple[K, Value, str], ...] = (
    (K.CLOCK, (0, 0), "零点 零时"),
    (K.CLOCK, (24, 0), "午夜"),
    (K.DAY, 0, "今天 今日 今儿 本日"),
    (K.DAY, 1, "明天 明日 明儿"),
    (K.DAY, 2, "后天"),
    (K.DAY, 3, "大后天"),
    (K.DAY, 4, "大大后天"),
    (K.DAY, -1, "昨天 昨日 昨儿"),
    (K.DAY, -2, "前天 前日"),
    (K.DAY, -3, "大前天"),
    (K.DAY, -4, "大大前天"),
    (K.DAY_PART, (0, "morning"), "今早 今晨"),
    (K.DAY_PART, (0, "evening"), "今晚"),
    (K.DAY_PART, (0, "night"), "今夜"),
    (K.DAY_PART, (1, "morning"), "明早 明晨"),
    (K.DAY_PART, (1, "evening"), "明晚"),
    (K.DAY_PART, (-1, "evening"), "昨晚"),
    (K.DAY_PART, (-1, "night"), "昨夜"),
    (K.DAY_PART, (-1, "morning"), "昨早"),
    (K.DAY_PART, (-2, "evening"), "前晚"),
    (K.PART, "small hours", "凌晨 半夜"),
    (K.PART, "morning", "清晨 清早 早晨 早上 早间 早 上午 午前"),
    (K.PART, "noon", "中午 正午 午间"),
    (K.PART, "afternoon", "下午 午后"),
    (K.PART, "evening", "傍晚 晚上 晚间 晚 夜晚"),
    (K.PART, "night", "夜里 夜间 深夜 夜"),
    (K.PERIOD, ("weekend", 0), "周末"),
    (K.DAYS, ("day", 0, 2), "今明两天 今明 今明两日"),
    (K.DAYS, ("day", 1, 2), "明后两天 明后天"),
    (K.DAYS, ("day", 0, 3), "今明后三天 今明后"),
    (K.DAYS, ("day", -1, 2), "昨今两天"),
    (K.DAYS, ("year", 0, 2), "今明两年"),
    (K.DAYS, ("year", -1, 2), "去今两年"),
    (K.UNIT, "second", "秒钟"),
    (K.UNIT, "minute", "分钟"),
    (K.UNIT, "hour", "小时 钟头 个钟 个小时 个钟头"),
    (K.UNIT, "day", "天"),
    (K.UNIT, "week", "周 星期 礼拜 个星期 个礼拜"),
    (K.UNIT, "month", "个月"),
    (K.UNIT, "quarter", "季度 个季度"),
    (K.UNIT, "century", "世纪"),
    (K.UNIT, "decade", "年代"),
    (K.UNIT_AND_HALF, "month", "个半月"),
    (K.UNIT_AND_HALF, "hour", "个半小时"),
    (K.UNIT_AND_HALF, "year", "年半"),
    (K.QUARTER, 1, "首季度 首季"),
    (K.HALF, ("year", 1), "上半年"),
    (K.HALF, ("year", 2), "下半年"),
    (K.HALF, ("month", 1), "上半月"),
    (K.HALF, ("month", 2), "下半月"),
    (K.HALF, ("week", 1), "上半周"),
    (K.HALF, ("week", 2), "下半周"),
    (K.THIRD, 0, "上旬"),
    (K.THIRD, 1, "中旬"),
    (K.THIRD, 2, "下旬"),
    (K.EDGE, "early", "初 初期 前期"),
    (K.EDGE, "late", "底 末 后期 末期"),
    (K.EDGE, "mid", "中 中期"),
    (K.EDGE_OF, ("year", "early"), "年初"),
    (K.EDGE_OF, ("year", "mid"), "年中"),
    (K.EDGE_OF, ("year", "late"), "年底 年末 岁末"),
    (K.EDGE_OF, ("month", "early"), "月初"),
    (K.EDGE_OF, ("month", "mid"), "月中"),
    (K.EDGE_OF, ("month", "late"), "月底 月末"),
    (K.EDGE_OF, ("quarter", "late"), "季度末 季末"),
    (K.PAST, 0, "过去 最近 近 过去的 最近的 刚过去的"),
    (K.FUTURE, 0, "未来 未来的 接下来 接下来的 今后 往后 之后的"),
    (K.FUTURE, 1, "再过"),
    (K.SINCE, 0, "自从"),
    (K.AS_OF, 0, "截至 截止 截至到 截止到 截止至 直到"),
    (K.BY, 0, "或之前 或以前 及之前 及以前"),
    (K.ONWARD, 0, "或之后 或以后 及之后 及以后 起 开始"),
    (K.NOW, 0, "现在 目前 当前 此刻 眼下 此时此刻"),
    (K.JUST_NOW, 0, "刚刚 刚才 方才"),
    (K.SO_FAR, 0, "以来 至今 到目前为止 到现在"),
    (K.FROM, 0, "自 从"),
    (K.BETWIXT, 0, "之间 间"),
    (K.TO, 0, "到 至 一直到"),
    (K.AND, 0, "和 与 跟"),
    (K.OF, 0, "的"),
    (K.ON, 0, "在 于"),
    (K.WITHIN, 0, "内 之内 以内"),
    (K.NIAN, 0, "年"),
    (K.YUE, 0, "月 月份"),
    (K.RI, 0, "日 号"),
    (K.DIAN, 0, "点"),
    (K.DIAN, 1, "点钟"),
    (K.SHI, 0, "时"),
    (K.FEN, 0, "分"),
    (K.MIAO, 0, "秒"),
    (K.KE, 0, "刻 刻钟"),
    (K.BAN, 0, "半"),
    (K.GE, 0, "个"),
    (K.DI, 0, "第"),
    (K.ABOUT, 0, "整 许 左右"),
    (K.VAGUE, 0, "几 数 若干"),
    (K.VAGUE, 1, "多 余 来"),
    (K.EVERY, 0, "每 每个 每逢 每隔"),
    (K.LUNAR, 0, "农历 阴历 旧历 闰"),
    (K.LUNAR, 1, "正月"),
    (K.LUNAR, 12, "腊月"),
    (K.LUNAR, 11, "冬月"),
    (K.LUNAR, -1, "大年 大年三十 初一 初二 初三 初四 初五 初六 初七 初八 初九 初十"),
    (K.FEAST, 0,
     "春节 除夕 大年初一 元宵节 元宵 清明节 清明 端午节 端午 七夕 七夕节 中秋节 中秋 重阳节 "
     "冬至 夏至 立春 小寒 春分 秋分"),
    (K.HOLIDAY, "01-01", "元旦"),
    (K.HOLIDAY, "02-14", "情人节"),
    (K.HOLIDAY, "03-08", "妇女节"),
    (K.HOLIDAY, "05-01", "劳动节"),
    (K.HOLIDAY, "05-04", "青年节"),
    (K.HOLIDAY, "06-01", "儿童节"),
    (K.HOLIDAY, "09-10", "教师节"),
    (K.HOLIDAY, "10-01", "国庆节 国庆"),
    (K.HOLIDAY, "12-24", "平安夜"),
    (K.HOLIDAY, "12-25", "圣诞节 圣诞"),
    (K.HOLIDAY, "thanksgiving", "感恩节"),
    (K.HOLIDAY, "easter", "复活节"),
    (K.HOLIDAY, "10-31", "万圣节"),
    (K.SEASON, 0, "春天 春季 夏天 夏季 秋天 秋季 冬天 冬季"),
    (K.FISCAL, 0, "财年 财政年度 学年 赛季"),
    (K.FORECAST, 0, "预报 天气预报"),
    (K.FORECAST, 1, "天气"),
    (K.ZONE, "+0800", "北京时间"),
    (K.AGO, "前", "前"),
    (K.AGO, "之前", "之前"),
    (K.AGO, "以前", "以前"),
    (K.LATER, "后", "后"),
    (K.LATER, "之后", "之后"),
    (K.LATER, "以后", "以后"),
    (K.FINAL, 0, "最后"),
    (K.ERA, 1, "元年"),
    (K.ERA, 0, "公元前"),
    (K.MORE, 0, "超过 多于 至少 不少于"),
    (K.LESS, 0, "不到 少于 不足 至多 不超过"),
    (K.OTHER, 0, "近来 以往 随后 如今"),
    (K.OTHER, 0,
     "今日头条 明日之后 马上 以上 网上 线上 加上 路上 历史上 基本上 实际上 事实上 身上 之上 赶上 遇上 以下 "
     "之下 天下 地下 线下 当下 剩下 留下 乡下 手下 旗下 名下 余下 将近 然后 背后 身后 雨后 幕后 先后 前后 "
     "之后的话 五月天 周年 日前 近日 近期 当年 明天系 小年 百年 年龄 年轻 日元 日本 日币 号称 号召 月球 "
     "月亮 月薪 月经 时代 时尚 周边 周围 周期 点赞 点评 点击 分享 分析 分别 分之 分数 内部 内容 内存 "
     "内蒙古 内地 中国 中心 中文 中央 中东 初中 初始 最初 当初 到底 底部 末端 至于 甚至 和平 从来 "
     "从事 自己 自动 自然 自由 来自 自信 自家 到达 得到 看到 找到 遇到 的话 目的 的确 日均 前景 前任 前锋 "
     "前端 前沿 前往 后卫 后台 后续 后端 后面 前面 午后红茶 近况 附近 靠近 接近 上半场 下半场 一年到头 "
     "起来 一起 起诉 起源 起飞 引起 发起 中间 空间 房间 期间 民间 区间 时间 夜市 夜景 晚会 晚餐 晚安 晚报 "
     "早报 早餐 早市 早期 早盘 晚期 半导体 半决赛 半岛 半径 个人 个性 时报 整个 整体 许多 几乎 数据 数字 "
     "数量 来源 来说 来看 未来感"),
)  # fmt: skip
"""Kind, value, words. The last row holds longer words that hide a time word and are none."""

UNLESS = {
    "年中": "国央文东心学超秋期", "月中": "国央文东心学超秋期", "年初": "中级始创期夏",
    "月初": "中级始创一二三四五六七八九十", "年底": "部层线特", "月底": "部层", "前天": "后",
    "中": "国央文东心学超秋期", "现在": "时", "日": "均线游元币内本报常程间语籍历用",
    "号": "线楼店机院门台码令房馆桥井厅车卫", "早": "些就已", "晚": "会餐报饭于年",
    "时": "代尚装候光速而常报刻区", "分": "之析享别数布类钱辨期", "点": "击评赞子心燃名",
    "天": "气津堂河鹅猫下空使才然", "周": "边围期年刊报杰星深恩", "半": "导决岛径数场", "内": "部容存蒙地外",
    "间": "谍接隔", "后": "卫台续端面勤悔", "前": "期往锋端沿景任台列卫提途者面身", "近": "况视郊代乎似距亲",
    "起": "诉源飞步床点来码", "来": "自源说看电信回到往", "数": "据字量学值码控", "多": "少数次久家个种位名种",
    "至": "于", "到": "达底", "和": "平谐", "自": "己动然由信家我身主行", "从": "来事", "本": "周天",
    "几": "乎何", "与": "会否", "整": "个体理", "许": "多可", "初": "始级创期", "末": "端尾", "底": "部层线特",
    "刻": "画意苦", "夜": "市景宵", "最近": "的地铁",
}  # fmt: skip
"""A word must not be read where one of these characters follows it: 年中|国, 天|气, 日|均."""


_ERAS = """
武德 618 626, 贞观 627 649, 永徽 650 655, 神龙 705 707, 开元 713 741, 天宝 742 756, 洪武 1368 1398, 永乐 1403 1424, 嘉靖 1522 1566, 万历 1573 1620,
崇祯 1628 1644, 康熙 1662 1722, 雍正 1723 1735, 乾隆 1736 1795, 嘉庆 1796 1820, 道光 1821 1850, 咸丰 1851 1861, 同治 1862 1874,
光绪 1875 1908, 宣统 1909 1912, 明治 1868 1912, 大正 1912 1926, 昭和 1926 1989, 平成 1989 2019, 令和 2019 2100,
民国 1912 2100"""
"""Eras with the years of our calendar in which their first and last year began."""


def words() -> dict[str, Entry]:
    """Every Chinese word of the grammar."""
    made: dict[str, Entry] = {}
    for era in _ERAS.split(","):
        name, first, last = era.split()
        made[name] = (K.ERA, (int(first), int(last)))
    made |= {
        step + unit: (K.PERIOD, (name, offset)) for step, offset in _STEPS.items() for unit, name in _UNITS.items()
    }
    made |= {word: (K.PERIOD, ("year", offset)) for word, offset in _YEARS.items()}
    made |= {
        "本世纪": (K.PERIOD, ("century", 0)),
        "上世纪": (K.PERIOD, ("century", -1)),
        "上个世纪": (K.PERIOD, ("century", -1)),
    }
    made |= {step: (K.REL, offset) for step, offset in _STEPS.items()}
    return made | entries(_TABLE)
