"""Currencies in Chinese and English: their names, signs and parts. Ids are ISO 4217 codes; a name that several
countries share and that does not say which is an id of its own (`peso`).
"""

from __future__ import annotations

from fractions import Fraction

CURRENCIES = """
CNY 元 元人民币 人民币元 人民币 块 块钱 元钱 yuan rmb cny renminbi kuai chinese_yuan
USD 美元 美金 美刀 dollar buck us_dollar u.s._dollar american_dollar usd united_states_dollar
HKD 港元 港币 港幣 hong_kong_dollar hkd
TWD 新台币 台币 新台幣 台幣 new_taiwan_dollar twd ntd taiwan_dollar
EUR 欧元 euro eur
GBP 英镑 pound_sterling quid british_pound gbp
JPY 日元 日圆 yen japanese_yen jpy
KRW 韩元 韩圆 won krw south_korean_won korean_won
INR 卢比 印度卢比 rupee indian_rupee inr
RUB 卢布 ruble rouble rub russian_ruble russian_rouble
AUD 澳元 澳大利亚元 australian_dollar aud
CAD 加元 加拿大元 canadian_dollar cad
SGD 新元 新加坡元 singapore_dollar sgd
NZD 新西兰元 new_zealand_dollar nzd
CHF 瑞士法郎 swiss_franc chf
THB 泰铢 baht thb thai_baht
VND 越南盾 dong vnd vietnamese_dong
MYR 林吉特 ringgit myr malaysian_ringgit
IDR 印尼盾 rupiah idr indonesian_rupiah
BRL 雷亚尔 brazilian_real brl
MXN 墨西哥比索 mexican_peso mxn
TRY 里拉 lira turkish_lira try
ZAR 兰特 rand zar south_african_rand
NGN 奈拉 naira ngn nigerian_naira
SEK 瑞典克朗 swedish_krona sek
NOK 挪威克朗 norwegian_krone nok
DKK 丹麦克朗 danish_krone dkk
AED 迪拉姆 dirham aed uae_dirham emirati_dirham
PLN 兹罗提 波兰兹罗提 zloty zlotys polish_zloty pln
CZK 捷克克朗 czech_koruna koruna czk
HUF 福林 匈牙利福林 forint hungarian_forint huf
ILS 新谢克尔 谢克尔 shekel israeli_shekel new_shekel israeli_new_shekel ils sheqel
PHP 菲律宾比索 philippine_peso php
EGP 埃及镑 egyptian_pound egp
SAR 沙特里亚尔 里亚尔 saudi_riyal riyal sar
QAR 卡塔尔里亚尔 qatari_riyal qar
KWD 科威特第纳尔 kuwaiti_dinar kwd
IQD 伊拉克第纳尔 iraqi_dinar iqd
dinar 第纳尔 dinar
IRR 伊朗里亚尔 iranian_rial rial irr
PKR 巴基斯坦卢比 pakistani_rupee pkr
LKR 斯里兰卡卢比 sri_lankan_rupee lkr
BDT 塔卡 孟加拉塔卡 taka bangladeshi_taka bdt
UAH 格里夫纳 乌克兰格里夫纳 hryvnia ukrainian_hryvnia uah
KZT 坚戈 tenge kzt kazakhstani_tenge kazakh_tenge
ARS 阿根廷比索 argentine_peso ars
CLP 智利比索 chilean_peso clp
COP 哥伦比亚比索 colombian_peso cop
PEN 秘鲁索尔 索尔 peruvian_sol pen
KES 肯尼亚先令 kenyan_shilling kes
shilling 先令 shilling
MAD 摩洛哥迪拉姆 moroccan_dirham mad
RON 罗马尼亚列伊 romanian_leu leu lei ron
BGN 保加利亚列弗 bulgarian_lev bgn
RSD 塞尔维亚第纳尔 serbian_dinar rsd
ISK 冰岛克朗 icelandic_krona isk
GEL 拉里 lari georgian_lari gel
AMD 德拉姆 armenian_dram amd
MNT 图格里克 tugrik mongolian_tugrik mnt togrog mongolian_togrog
MMK 缅元 缅甸元 kyat myanmar_kyat mmk burmese_kyat
LAK 基普 老挝基普 kip lao_kip lak
KHR 瑞尔 柬埔寨瑞尔 riel cambodian_riel khr
NPR 尼泊尔卢比 nepalese_rupee npr
MOP 澳门元 澳门币 pataca macanese_pataca mop
BHD 巴林第纳尔 bahraini_dinar bhd
JOD 约旦第纳尔 jordanian_dinar jod
OMR 阿曼里亚尔 omani_rial omr
ETB 埃塞俄比亚比尔 birr ethiopian_birr etb
GHS 加纳塞地 塞地 cedi ghanaian_cedi ghs
CRC 科朗 costa_rican_colon crc
BTC 比特币 个比特币 枚比特币 bitcoin btc
ETH 以太币 个以太币 枚以太币 ether eth
peso 比索 peso
franc 法郎 franc
pound pound
USc 美分 cent
pence 便士 pence penny
jiao 角 毛
sen 日本銭 日本钱 sen
kopeck 戈比 kopeck kopek copeck
paisa 派萨 paisa paise
centavo centavo
öre öre øre
groschen grosz groszy
centime 生丁 centime rappen
AFN 阿富汗尼 afghani afghan_afghani afn
ALL lek albanian_lek
DZD 阿尔及利亚第纳尔 algerian_dinar dzd
AOA 宽扎 kwanza angolan_kwanza aoa
AWG florin aruban_florin awg
AZN 马纳特 阿塞拜疆马纳特 azerbaijani_manat azn
BSD 巴哈马元 bahamian_dollar bsd
BBD 巴巴多斯元 barbadian_dollar bbd
BYN 白俄罗斯卢布 belarusian_ruble byn
BZD 伯利兹元 belize_dollar bzd
BMD 百慕大元 bermudian_dollar bermudan_dollar bmd
BTN 努尔特鲁姆 ngultrum bhutanese_ngultrum btn
BOB 玻利维亚诺 boliviano bolivian_boliviano bob
BAM convertible_mark bosnian_mark bam
BWP pula botswana_pula bwp
BIF 布隆迪法郎 burundian_franc bif
CVE cape_verdean_escudo cve
KYD 开曼元 cayman_islands_dollar kyd
XAF 中非法郎 central_african_cfa_franc xaf
XOF 西非法郎 cfa_franc west_african_cfa_franc xof
KMF comorian_franc kmf
CDF 刚果法郎 congolese_franc cdf
HRK 库纳 kuna croatian_kuna hrk
CUP 古巴比索 cuban_peso
DJF 吉布提法郎 djiboutian_franc djf
DOP 多米尼加比索 dominican_peso dop
XCD 东加勒比元 east_caribbean_dollar xcd
ERN 纳克法 nakfa eritrean_nakfa ern
FKP falkland_islands_pound fkp
FJD 斐济元 fijian_dollar fiji_dollar fjd
GMD 达拉西 dalasi gambian_dalasi gmd
GIP gibraltar_pound gip
GTQ 格查尔 quetzal guatemalan_quetzal gtq
GNF 几内亚法郎 guinean_franc gnf
GYD 圭亚那元 guyanese_dollar gyd
HTG gourde haitian_gourde htg
HNL 伦皮拉 lempira honduran_lempira hnl
JMD 牙买加元 jamaican_dollar jmd
KGS 吉尔吉斯斯坦索姆 kyrgyzstani_som kgs
LBP 黎巴嫩镑 lebanese_pound lbp
LSL loti lesotho_loti lsl
LRD 利比里亚元 liberian_dollar lrd
LYD 利比亚第纳尔 libyan_dinar lyd
MKD 代纳尔 denar macedonian_denar mkd
MGA 阿里亚里 ariary malagasy_ariary mga
MWK 马拉维克瓦查 malawian_kwacha mwk
MVR 拉菲亚 rufiyaa maldivian_rufiyaa mvr
MRU 乌吉亚 ouguiya mauritanian_ouguiya mru
MUR 毛里求斯卢比 mauritian_rupee mur
MDL 摩尔多瓦列伊 moldovan_leu mdl
MZN 梅蒂卡尔 metical mozambican_metical mzn
NAD 纳米比亚元 namibian_dollar nad
NIO 科多巴 nicaraguan_cordoba nio
KPW 朝鲜元 north_korean_won kpw
PAB 巴波亚 panamanian_balboa pab
PGK papua_new_guinean_kina pgk
PYG 瓜拉尼 guarani paraguayan_guarani pyg
RWF 卢旺达法郎 rwandan_franc rwf
WST samoan_tala wst
SCR 塞舌尔卢比 seychellois_rupee scr
SBD 所罗门群岛元 solomon_islands_dollar sbd
SOS 索马里先令 somali_shilling
SDG 苏丹镑 sudanese_pound sdg
SRD 苏里南元 surinamese_dollar srd
SZL lilangeni emalangeni swazi_lilangeni szl
SYP 叙利亚镑 syrian_pound syp
TJS 索莫尼 somoni tajikistani_somoni tjs
TZS 坦桑尼亚先令 tanzanian_shilling tzs
TOP 潘加 tongan_paanga
TTD 特立尼达和多巴哥元 trinidad_and_tobago_dollar ttd
TND 突尼斯第纳尔 tunisian_dinar tnd
TMT 土库曼斯坦马纳特 turkmenistan_manat turkmenistani_manat tmt
UGX 乌干达先令 ugandan_shilling ugx
UYU 乌拉圭比索 uruguayan_peso uyu
UZS 乌兹别克斯坦苏姆 uzbekistani_som uzbek_som uzs
VUV 瓦图 vatu vanuatu_vatu vuv
VES 玻利瓦尔 bolivar venezuelan_bolivar ves
YER 也门里亚尔 yemeni_rial yer
ZMW 赞比亚克瓦查 zambian_kwacha zmw
DEM 德国马克 deutsche_mark deutschmark german_mark
FRF 法国法郎 french_franc
ITL 意大利里拉 italian_lira
ESP 比塞塔 peseta spanish_peseta
GRD 德拉克马 drachma greek_drachma
IEP 爱尔兰镑 irish_pound
FIM 芬兰马克 markka finnish_markka finnish_mark
PTE portuguese_escudo
NLG 荷兰盾 guilder dutch_guilder
ATS 奥地利先令 schilling austrian_schilling
BEF 比利时法郎 belgian_franc
krone krone kroner krona kronor
manat manat
som som
kwacha 克瓦查 kwacha
escudo escudo
"""
SYMBOLS = {
    "$": "USD", "US$": "USD", "HK$": "HKD", "NT$": "TWD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD",
    "S$": "SGD", "NZ$": "NZD", "NZD$": "NZD", "R$": "BRL", "MX$": "MXN", "MXN$": "MXN", "MEX$": "MXN", "€": "EUR",
    "£": "GBP", "¥": "¥", "CN¥": "CNY", "JP¥": "JPY", "₩": "KRW", "₹": "INR", "₽": "RUB", "฿": "THB", "₿": "BTC",
    "₺": "TRY", "₫": "VND", "₱": "PHP", "₦": "NGN", "₴": "UAH", "₪": "ILS", "¢": "USc", "₡": "CRC", "₾": "GEL",
    "₭": "LAK", "RS": "INR", "RMB": "CNY", "人民币": "CNY",
}  # fmt: skip
"""Currency signs before or after an amount. `¥` alone is yuan or yen."""
CODES = (
    "CNY USD HKD TWD EUR GBP JPY KRW INR RUB AUD CAD SGD NZD CHF THB VND MYR IDR BRL MXN TRY ZAR SEK NOK DKK "
    "PLN CZK HUF ILS PHP EGP SAR QAR KWD PKR BDT UAH KZT ARS CLP COP AED NGN KES ISK MOP"
)
"""ISO 4217 codes that may stand before an amount."""
SYMBOLS |= {code: code for code in CODES.split()}
_HUNDREDTH = Fraction(1, 100)
MINOR = {
    "jiao": (("CNY", "HKD", "TWD"), Fraction(1, 10)),
    "point": (("CNY",), _HUNDREDTH),
    "USc": (tuple("USD EUR AUD CAD HKD SGD NZD TWD ZAR".split()), _HUNDREDTH),
    "pence": (("GBP", "pound"), _HUNDREDTH),
    "sen": (("JPY", "MYR", "IDR"), _HUNDREDTH),
    "kopeck": (("RUB", "UAH"), _HUNDREDTH),
    "paisa": (("INR", "PKR"), _HUNDREDTH),
    "centavo": (("MXN", "BRL", "PHP", "peso"), _HUNDREDTH),
    "öre": (("SEK", "NOK", "DKK"), _HUNDREDTH),
    "groschen": (("PLN",), _HUNDREDTH),
    "centime": (("CHF", "franc"), _HUNDREDTH),
}
"""Parts of a currency after its whole units, as in 五元三角, `3 dollars 50 cents` (分 reads as `point`)."""
