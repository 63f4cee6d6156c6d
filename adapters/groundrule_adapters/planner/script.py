"""Which language a question is in, and its text in one plain form: same length, so that positions stay true."""

from __future__ import annotations

import re

from groundrule.facts.words import Language
from groundrule.grounding.folding import fold

_TRADITIONAL = (
    "廣東蘇瀋長濟貴陽烏魯齊爾濱廈門寧無錫鄭漢蘭銀慶紐約倫臺灣黃滬連雲龍蕪馬銅國際經緯氣溫濕風預報"
    "請問幫個們這裡嗎麼樣對較區別與從於來時間點現實剛動進發佈價匯漲財務營業額潤億萬誰開閉關閒聞頭"
    "條電話車輛飛機場鐵線橋樓島壩總統選舉會議獎賽獲勝創辦學歷員數據庫軟體計訓練評測試處轉載證確認"
    "聽說聯網資訊傳謠簡單複雜應該讓給還沒幾歲書畫寫譯導劇視頻裏後當讀買賣錢幣圓號碼變壞環護劃規則"
    "產標準術師醫藥療檢驗結論專題爭戰軍隊槍彈衛艦隻幹廳縣鄉鎮莊園藝運裝備製農養魚鳥樹葉溝邊緣遠離"
    "達過適豐強熱涼凍霧颱陰陣災難險滿盤貨債權監雙種類絡績虧損獨韓羅冊責義頁兒歐戶輸鍵詞銷憲戀愛傑"
    "勳賓館麥勞費"
)
_SIMPLE = (
    "广东苏沈长济贵阳乌鲁齐尔滨厦门宁无锡郑汉兰银庆纽约伦台湾黄沪连云龙芜马铜国际经纬气温湿风预报"
    "请问帮个们这里吗么样对较区别与从于来时间点现实刚动进发布价汇涨财务营业额润亿万谁开闭关闲闻头"
    "条电话车辆飞机场铁线桥楼岛坝总统选举会议奖赛获胜创办学历员数据库软体计训练评测试处转载证确认"
    "听说联网资讯传谣简单复杂应该让给还没几岁书画写译导剧视频里后当读买卖钱币圆号码变坏环护划规则"
    "产标准术师医药疗检验结论专题争战军队枪弹卫舰只干厅县乡镇庄园艺运装备制农养鱼鸟树叶沟边缘远离"
    "达过适丰强热凉冻雾台阴阵灾难险满盘货债权监双种类络绩亏损独韩罗册责义页儿欧户输键词销宪恋爱杰"
    "勋宾馆麦劳费"
)
_PLAIN = str.maketrans(_TRADITIONAL, _SIMPLE)
HAN = r"\u3400-\u9fff"
_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile(r"[A-Za-z]{2,}")


def plain(text: str) -> str:
    """The text with full-width and traditional forms made plain, code point by code point."""
    return fold(text).translate(_PLAIN)


def language_of(text: str) -> Language:
    """Chinese if there are as many Chinese characters as words in Latin letters, and at least one; else English."""
    head = text[:2000]
    han = len(_HAN.findall(head))
    return "zh" if han and han >= len(_WORD.findall(head)) else "en"
