"""Addresses that look like those of a site and are none of it, or are none at all."""

URLS = [
    "https://www.weather.com.cn\u2044@evil.example/", "https://www.weather.com.cn\u3002evil.example/", "https://\u202ewww.weather.com.cn/",
    "https://www.weather.com.cn\u200b/", "https://www.weather.com.cn\\@evil.example/", "https://www.weather.com.cn%2eevil.example/",
    "https://\uff57ww.weather.com.cn/", "https://www.weather.com.cn@evil.example/", "https://www.w\u0435ather.com.cn/", "https://[::1]/x",
    "https://www.weather.com.cn\r\n.evil.example/", "javascript:alert(1)//www.weather.com.cn", "https://2130706433/", "//www.weather.com.cn/",
]  # fmt: skip
