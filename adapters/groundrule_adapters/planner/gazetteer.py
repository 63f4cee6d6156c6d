"""Names of places, for the offline planner: China down to its prefectures, countries, and the world's larger cities.

Written as tables of names. Where a place has a Chinese and an English name they stand as `广州=Guangzhou`; several
names of one language are separated by `/`. A name that is also a common word stands in DOUBTFUL and needs a word
beside it.
"""

from __future__ import annotations

from functools import cache

_CHINA = """
北京=Beijing/Peking 上海=Shanghai 天津=Tianjin 重庆=Chongqing 香港=Hong Kong/Hongkong 澳门=Macau/Macao
台湾=Taiwan 河北=Hebei 山西=Shanxi 内蒙古=Inner Mongolia 辽宁=Liaoning 吉林=Jilin 黑龙江=Heilongjiang
江苏=Jiangsu 浙江=Zhejiang 安徽=Anhui 福建=Fujian 江西=Jiangxi 山东=Shandong 河南=Henan 湖北=Hubei 湖南=Hunan
广东=Guangdong 广西=Guangxi 海南=Hainan 四川=Sichuan 贵州=Guizhou 云南=Yunnan 西藏=Tibet 陕西=Shaanxi 甘肃=Gansu
青海=Qinghai 宁夏=Ningxia 新疆=Xinjiang 石家庄=Shijiazhuang 唐山=Tangshan 秦皇岛=Qinhuangdao 邯郸=Handan
邢台=Xingtai 保定=Baoding 张家口=Zhangjiakou 承德=Chengde 沧州=Cangzhou 廊坊=Langfang 衡水=Hengshui 雄安
太原=Taiyuan 大同=Datong 阳泉 长治=Changzhi 晋城 朔州 晋中 运城=Yuncheng 忻州 临汾=Linfen 吕梁 呼和浩特=Hohhot
包头=Baotou 乌海 赤峰=Chifeng 通辽 鄂尔多斯=Ordos 呼伦贝尔=Hulunbuir 巴彦淖尔 乌兰察布 兴安盟 锡林郭勒 阿拉善
沈阳=Shenyang 大连=Dalian 鞍山=Anshan 抚顺=Fushun 本溪 丹东=Dandong 锦州=Jinzhou 营口=Yingkou 阜新 辽阳 盘锦
铁岭 朝阳 葫芦岛 长春=Changchun 吉林市 四平 辽源 通化 白山 松原 白城 延边=Yanbian 延吉=Yanji 哈尔滨=Harbin
齐齐哈尔=Qiqihar 鸡西 鹤岗=Hegang 双鸭山 大庆=Daqing 伊春 佳木斯=Jiamusi 七台河 牡丹江=Mudanjiang 黑河=Heihe
绥化 大兴安岭 漠河=Mohe 南京=Nanjing 无锡=Wuxi 徐州=Xuzhou 常州=Changzhou 苏州=Suzhou 南通=Nantong
连云港=Lianyungang 淮安=Huai'an 盐城=Yancheng 扬州=Yangzhou 镇江=Zhenjiang 泰州=Taizhou 宿迁=Suqian 昆山=Kunshan
江阴 张家港 常熟 杭州=Hangzhou 宁波=Ningbo 温州=Wenzhou 嘉兴=Jiaxing 湖州=Huzhou 绍兴=Shaoxing 金华=Jinhua
衢州=Quzhou 舟山=Zhoushan 台州 丽水=Lishui 义乌=Yiwu 乌镇=Wuzhen 合肥=Hefei 芜湖=Wuhu 蚌埠=Bengbu 淮南 马鞍山
淮北 铜陵 安庆=Anqing 黄山=Huangshan 滁州 阜阳=Fuyang 宿州 六安=Lu'an 亳州=Bozhou 池州 宣城 福州=Fuzhou
厦门=Xiamen 莆田=Putian 三明 泉州=Quanzhou 漳州=Zhangzhou 南平 龙岩=Longyan 宁德=Ningde 武夷山=Wuyishan 平潭
南昌=Nanchang 景德镇=Jingdezhen 萍乡 九江=Jiujiang 新余 鹰潭 赣州=Ganzhou 吉安 宜春=Yichun 抚州 上饶=Shangrao
婺源=Wuyuan 庐山=Lushan 井冈山 济南=Jinan 青岛=Qingdao 淄博=Zibo 枣庄 东营 烟台=Yantai 潍坊=Weifang 济宁=Jining
泰安=Tai'an 威海=Weihai 日照=Rizhao 临沂=Linyi 德州=Dezhou 聊城=Liaocheng 滨州 菏泽=Heze 曲阜=Qufu
泰山=Mount Tai 郑州=Zhengzhou 开封=Kaifeng 洛阳=Luoyang 平顶山 安阳=Anyang 鹤壁 新乡=Xinxiang 焦作 濮阳
许昌=Xuchang 漯河 三门峡 南阳=Nanyang 商丘=Shangqiu 信阳=Xinyang 周口 驻马店=Zhumadian 济源 武汉=Wuhan 黄石
十堰=Shiyan 宜昌=Yichang 襄阳=Xiangyang 鄂州 荆门 孝感 荆州=Jingzhou 黄冈=Huanggang 咸宁 随州 恩施=Enshi 仙桃
潜江 天门 神农架 长沙=Changsha 株洲=Zhuzhou 湘潭=Xiangtan 衡阳=Hengyang 邵阳 岳阳=Yueyang 常德=Changde
张家界=Zhangjiajie 益阳 郴州=Chenzhou 永州 怀化=Huaihua 娄底 湘西 凤凰古城 广州=Guangzhou/Canton 韶关=Shaoguan
深圳=Shenzhen 珠海=Zhuhai 汕头=Shantou 佛山=Foshan 江门=Jiangmen 湛江=Zhanjiang 茂名 肇庆=Zhaoqing 惠州=Huizhou
梅州=Meizhou 汕尾 河源 阳江 清远=Qingyuan 东莞=Dongguan 中山=Zhongshan 潮州=Chaozhou 揭阳=Jieyang 云浮
顺德=Shunde 南宁=Nanning 柳州=Liuzhou 桂林=Guilin 梧州 北海=Beihai 防城港 钦州 贵港 玉林 百色 贺州 河池 来宾
崇左 阳朔=Yangshuo 海口=Haikou 三亚=Sanya 三沙 儋州 琼海=Qionghai 文昌=Wenchang 万宁 五指山 成都=Chengdu
自贡=Zigong 攀枝花=Panzhihua 泸州=Luzhou 德阳=Deyang 绵阳=Mianyang 广元 遂宁 内江 乐山=Leshan 南充=Nanchong 眉山
宜宾=Yibin 广安 达州=Dazhou 雅安=Ya'an 巴中 资阳 阿坝 甘孜 凉山 西昌=Xichang 九寨沟=Jiuzhaigou 峨眉山=Mount Emei
都江堰=Dujiangyan 稻城 贵阳=Guiyang 六盘水 遵义=Zunyi 安顺=Anshun 毕节=Bijie 铜仁=Tongren 黔西南 黔东南 黔南
凯里 昆明=Kunming 曲靖=Qujing 玉溪=Yuxi 保山 昭通=Zhaotong 丽江=Lijiang 普洱=Pu'er 临沧 楚雄 红河 文山
西双版纳=Xishuangbanna 大理=Dali 德宏 怒江 迪庆 香格里拉=Shangri-La 腾冲=Tengchong 拉萨=Lhasa 日喀则=Shigatse
昌都 林芝=Nyingchi 山南 那曲 阿里 珠穆朗玛峰/珠峰=Mount Everest/Everest 西安=Xi'an/Xian 铜川 宝鸡=Baoji
咸阳=Xianyang 渭南=Weinan 延安=Yan'an 汉中=Hanzhong 榆林=Yulin 安康 商洛 华山=Mount Hua 兰州=Lanzhou
嘉峪关=Jiayuguan 金昌 白银 天水=Tianshui 武威 张掖=Zhangye 平凉 酒泉=Jiuquan 庆阳 定西 陇南 临夏 甘南
敦煌=Dunhuang 西宁=Xining 海东 海北 黄南 海南州 果洛 玉树 海西 格尔木=Golmud 银川=Yinchuan 石嘴山 吴忠 固原
中卫=Zhongwei 乌鲁木齐=Urumqi 克拉玛依=Karamay 吐鲁番=Turpan 哈密=Hami 昌吉 博尔塔拉 巴音郭楞 阿克苏=Aksu
克孜勒苏 喀什=Kashgar 和田=Hotan 伊犁=Ili 伊宁=Yining 塔城 阿勒泰=Altay 石河子 台北=Taipei 高雄=Kaohsiung
台中=Taichung 台南=Tainan 新竹=Hsinchu 基隆=Keelung 花莲=Hualien 桃园 新北 浦东=Pudong 海淀=Haidian 九龙=Kowloon
"""
_COUNTRIES = """
中国=China 美国=the United States/United States/USA/U.S./America
英国=the United Kingdom/United Kingdom/UK/U.K./Britain 英格兰=England 苏格兰=Scotland 威尔士=Wales
北爱尔兰=Northern Ireland 爱尔兰=Ireland 法国=France 德国=Germany 意大利=Italy 西班牙=Spain 葡萄牙=Portugal
荷兰=the Netherlands/Netherlands 比利时=Belgium 卢森堡=Luxembourg 瑞士=Switzerland 奥地利=Austria 波兰=Poland
捷克=Czechia/Czech Republic 斯洛伐克=Slovakia 匈牙利=Hungary 罗马尼亚=Romania 保加利亚=Bulgaria 希腊=Greece
土耳其=Turkey/Türkiye 俄罗斯=Russia 乌克兰=Ukraine 白俄罗斯=Belarus 立陶宛=Lithuania 拉脱维亚=Latvia
爱沙尼亚=Estonia 芬兰=Finland 瑞典=Sweden 挪威=Norway 丹麦=Denmark 冰岛=Iceland 塞尔维亚=Serbia 克罗地亚=Croatia
斯洛文尼亚=Slovenia 日本=Japan 韩国=South Korea/Korea 朝鲜=North Korea 蒙古国=Mongolia 印度=India
巴基斯坦=Pakistan 孟加拉国=Bangladesh 斯里兰卡=Sri Lanka 尼泊尔=Nepal 不丹=Bhutan 马尔代夫=Maldives 缅甸=Myanmar
泰国=Thailand 老挝=Laos 柬埔寨=Cambodia 越南=Vietnam 马来西亚=Malaysia 新加坡=Singapore
印度尼西亚/印尼=Indonesia 菲律宾=the Philippines/Philippines 文莱=Brunei 东帝汶=Timor-Leste
哈萨克斯坦=Kazakhstan 乌兹别克斯坦=Uzbekistan 吉尔吉斯斯坦=Kyrgyzstan 塔吉克斯坦=Tajikistan
土库曼斯坦=Turkmenistan 阿富汗=Afghanistan 伊朗=Iran 伊拉克=Iraq 叙利亚=Syria 约旦=Jordan 黎巴嫩=Lebanon
以色列=Israel 巴勒斯坦=Palestine 沙特阿拉伯/沙特=Saudi Arabia 阿联酋=the United Arab Emirates/UAE 卡塔尔=Qatar
科威特=Kuwait 巴林=Bahrain 阿曼=Oman 也门=Yemen 格鲁吉亚 亚美尼亚=Armenia 阿塞拜疆=Azerbaijan 埃及=Egypt
利比亚=Libya 突尼斯=Tunisia 阿尔及利亚=Algeria 摩洛哥=Morocco 苏丹=Sudan 埃塞俄比亚=Ethiopia 肯尼亚=Kenya
坦桑尼亚=Tanzania 乌干达=Uganda 卢旺达=Rwanda 刚果 尼日利亚=Nigeria 加纳=Ghana 塞内加尔=Senegal 喀麦隆=Cameroon
安哥拉=Angola 赞比亚=Zambia 津巴布韦=Zimbabwe 南非=South Africa 马达加斯加=Madagascar 加拿大=Canada
墨西哥=Mexico 古巴=Cuba 牙买加=Jamaica 海地=Haiti 巴拿马=Panama 哥斯达黎加=Costa Rica 危地马拉=Guatemala
哥伦比亚=Colombia 委内瑞拉=Venezuela 厄瓜多尔=Ecuador 秘鲁=Peru 玻利维亚=Bolivia 智利=Chile 阿根廷=Argentina
乌拉圭=Uruguay 巴拉圭=Paraguay 巴西=Brazil 澳大利亚=Australia 新西兰=New Zealand 斐济=Fiji 欧洲=Europe 亚洲=Asia
非洲=Africa 南极=Antarctica
"""
_WORLD = """
东京=Tokyo 大阪=Osaka 京都=Kyoto 名古屋=Nagoya 札幌=Sapporo 福冈=Fukuoka 横滨=Yokohama 神户=Kobe 奈良=Nara
冲绳=Okinawa 北海道=Hokkaido 首尔=Seoul 釜山=Busan 济州岛/济州=Jeju 仁川=Incheon 平壤=Pyongyang
乌兰巴托=Ulaanbaatar 曼谷=Bangkok 清迈=Chiang Mai 普吉岛/普吉=Phuket 芭提雅=Pattaya 河内=Hanoi
胡志明市=Ho Chi Minh City/Saigon 岘港=Da Nang 芽庄=Nha Trang 金边=Phnom Penh 暹粒=Siem Reap 万象=Vientiane
仰光=Yangon 吉隆坡=Kuala Lumpur 槟城=Penang 雅加达=Jakarta 巴厘岛=Bali 马尼拉=Manila 宿务=Cebu 新德里=New Delhi
德里=Delhi 孟买=Mumbai 班加罗尔=Bangalore/Bengaluru 金奈=Chennai 加尔各答=Kolkata 海得拉巴=Hyderabad
加德满都=Kathmandu 科伦坡=Colombo 达卡=Dhaka 伊斯兰堡=Islamabad 卡拉奇=Karachi 拉合尔=Lahore 喀布尔=Kabul
德黑兰=Tehran 巴格达=Baghdad 大马士革=Damascus 贝鲁特=Beirut 耶路撒冷=Jerusalem 特拉维夫=Tel Aviv 利雅得=Riyadh
迪拜=Dubai 阿布扎比=Abu Dhabi 多哈=Doha 塔什干=Tashkent 阿拉木图=Almaty 伦敦=London 曼彻斯特=Manchester
利物浦=Liverpool 伯明翰=Birmingham 爱丁堡=Edinburgh 格拉斯哥=Glasgow 剑桥=Cambridge 牛津=Oxford 都柏林=Dublin
巴黎=Paris 里昂=Lyon 马赛=Marseille 尼斯=Nice 柏林=Berlin 慕尼黑=Munich 法兰克福=Frankfurt 汉堡=Hamburg
科隆=Cologne 罗马=Rome 米兰=Milan 威尼斯=Venice 佛罗伦萨=Florence 那不勒斯=Naples 都灵=Turin 马德里=Madrid
巴塞罗那=Barcelona 塞维利亚=Seville 里斯本=Lisbon 波尔图=Porto 阿姆斯特丹=Amsterdam 鹿特丹=Rotterdam
海牙=The Hague 布鲁塞尔=Brussels 苏黎世=Zurich 日内瓦=Geneva 伯尔尼=Bern 维也纳=Vienna 萨尔茨堡=Salzburg
布拉格=Prague 华沙=Warsaw 克拉科夫=Krakow 布达佩斯=Budapest 布加勒斯特=Bucharest 索非亚=Sofia 雅典=Athens
圣托里尼=Santorini 伊斯坦布尔=Istanbul 安卡拉=Ankara 莫斯科=Moscow 圣彼得堡=Saint Petersburg/St. Petersburg
海参崴=Vladivostok 基辅=Kyiv/Kiev 明斯克=Minsk 里加=Riga 塔林=Tallinn 赫尔辛基=Helsinki 斯德哥尔摩=Stockholm
奥斯陆=Oslo 哥本哈根=Copenhagen 雷克雅未克=Reykjavik 开罗=Cairo 卡萨布兰卡=Casablanca 内罗毕=Nairobi
亚的斯亚贝巴=Addis Ababa 拉各斯=Lagos 开普敦=Cape Town 约翰内斯堡=Johannesburg 纽约=New York/New York City/NYC
华盛顿=Washington/Washington DC/Washington, D.C. 波士顿=Boston 芝加哥=Chicago 洛杉矶=Los Angeles
旧金山=San Francisco 硅谷=Silicon Valley 圣何塞=San Jose 圣地亚哥=San Diego/Santiago 西雅图=Seattle
波特兰=Portland 拉斯维加斯=Las Vegas 凤凰城=Phoenix 丹佛=Denver 盐湖城=Salt Lake City 休斯敦/休斯顿=Houston
达拉斯=Dallas 奥斯汀=Austin 新奥尔良=New Orleans 亚特兰大=Atlanta 迈阿密=Miami 奥兰多=Orlando 费城=Philadelphia
匹兹堡=Pittsburgh 底特律=Detroit 明尼阿波利斯=Minneapolis 圣路易斯=St. Louis 檀香山/火奴鲁鲁=Honolulu
夏威夷=Hawaii 阿拉斯加=Alaska 加利福尼亚/加州=California 得克萨斯/德克萨斯/得州=Texas 佛罗里达=Florida
马萨诸塞=Massachusetts 多伦多=Toronto 温哥华=Vancouver 蒙特利尔=Montreal 渥太华=Ottawa 卡尔加里=Calgary
墨西哥城=Mexico City 坎昆=Cancun 哈瓦那=Havana 波哥大=Bogota 利马=Lima 布宜诺斯艾利斯=Buenos Aires
里约热内卢/里约=Rio de Janeiro 圣保罗=Sao Paulo/São Paulo 巴西利亚=Brasilia 蒙得维的亚=Montevideo 悉尼=Sydney
墨尔本=Melbourne 布里斯班=Brisbane 珀斯=Perth 阿德莱德=Adelaide 堪培拉=Canberra 奥克兰=Auckland
惠灵顿=Wellington 皇后镇=Queenstown 基督城=Christchurch 关岛=Guam 塞班=Saipan
"""
_ALSO_WORDS = """
白银 阿里 中山 日照 大同 安康 朝阳 海北 海东 山南 黄南 三明 南平 和田 宁德 白山 白城 文山 保山 天门 来宾 玉树
凉山 红河 百色 内江 定西 中卫 吴忠 平凉 庆阳 黄石 孝感 四平 通化 本溪 东营 永州 玉林 河池 河源 阳江 达州 新北
桃园 商洛 黄山 华山 泰山 nice phoenix austin jordan turkey lima nara bali cologne florence sofia vienna perth
wellington washington cambridge oxford manchester liverpool lyon naples dali ili hami altay manila turin porto
bern
"""
DOUBTFUL = frozenset(_ALSO_WORDS.split())
"""Names that are also words, people, companies or clubs: places only beside 市, `in`, or a word about the weather."""


_REGIONS = """
河北 山西 内蒙古 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 广西 海南 四川 贵州 云南 西藏 陕西 甘肃 青海
宁夏 新疆 台湾 夏威夷 阿拉斯加 加利福尼亚 得克萨斯 佛罗里达 马萨诸塞
"""


@cache
def countries() -> frozenset[str]:
    """The places that hold others, countries, provinces and states, by the key of their names."""
    return frozenset(entry.partition("=")[0].split("/")[0] for entry in _entries(_COUNTRIES)) | {*_REGIONS.split()}


@cache
def names() -> dict[str, tuple[str, str]]:
    """Each name, English ones in lower case, to the Chinese and English name of its place."""
    made: dict[str, tuple[str, str]] = {}
    for entry in _entries(_CHINA + _COUNTRIES + _WORLD):
        zh, _, en = entry.partition("=")
        zh_names, en_names = zh.split("/"), en.split("/") if en else []
        canonical = zh_names[0], en_names[0].removeprefix("the ") if en_names else zh_names[0]
        for name in zh_names:
            made.setdefault(name, canonical)
        for name in en_names:
            made.setdefault(name.removeprefix("the ").lower(), canonical)
    return made


def _entries(table: str) -> list[str]:
    """The entries of a table. English names may hold blanks, so a new entry begins at a Chinese character."""
    entries: list[str] = []
    for word in table.split():
        if word[0] >= "\u3400":
            entries.append(word)
        else:
            entries[-1] += " " + word
    return entries
