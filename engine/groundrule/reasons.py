"""Why something has no answer, in both languages: every reason that the engine gives, and its Chinese wording.

A reason is written in English where it arises, with named values; this file has the same sentence in Chinese, as
message catalogues do. A test compares both sides, so that no reason is without its wording and no wording without use.
Values are names, numbers and pieces of expressions, which are the same in every language, or reasons themselves.
"""

from __future__ import annotations

import builtins
from typing import Any

CHINESE: dict[str, str] = {
    # Reading what is not there
    "{what} is absent": "缺少 {what}",
    "{what} is neither true nor false": "{what} 既不为真也不为假",
    "{what} is no object": "{what} 不是对象",
    "{what} is no list": "{what} 不是列表",
    "{what} has no such key": "{what} 没有这个键",
    "{what} is neither a list nor a map": "{what} 既不是列表也不是映射",
    "{what} cannot be a key": "{what} 不能作为键",
    "the key {what} stands twice": "键 {what} 出现两次",
    "a list index that is no int": "列表下标不是整数",
    "index {index} is out of range": "下标 {index} 超出范围",
    # Numbers, text and times
    "a JSON value without size": "JSON 值没有长度",
    "not an RE2 pattern: {problem}": "不是 RE2 模式：{problem}",
    "an int beyond 64 bits": "整数超出 64 位",
    "a number that is not finite": "数值不是有限数",
    "a division by zero": "除数为零",
    "a duration beyond 10,000 years": "时长超过一万年",
    "a duration finer than a microsecond": "时长精度细于微秒",
    "an instant outside the years 1 to 9999": "时刻不在公元 1 年至 9999 年之间",
    "an instant that does not exist": "时刻不存在",
    "an unknown time zone": "时区未知",
    "text that is no numeral": "文本不是数字",
    "text that is no bool": "文本不是布尔值",
    "text that is no duration": "文本不是时长",
    "text that is no RFC 3339 instant with offset and at most six decimals": "文本不是带时区偏移、至多六位小数的 RFC 3339 时刻",
    "a JSON value that is no number": "JSON 值不是数值",
    "a JSON value that is no text": "JSON 值不是文本",
    "a JSON value that is no bool": "JSON 值不是布尔值",
    "a null inside JSON": "JSON 内部有 null",
    "no JSON value: {kind}": "不是 JSON 值：{kind}",
    "{left} compared with {right}": "{left} 与 {right} 比较",
    "a key that is not text": "键不是文本",
    "a key that stands twice": "有键出现两次",
    "neither a list nor an object": "既不是列表也不是对象",
    "the least of an empty list": "空列表没有最小值",
    "the greatest of an empty list": "空列表没有最大值",
    "a {kind} out of range": "{kind} 超出范围",
    "null is no value; leave the key out": "null 不是值；请不要写这个键",
    # URLs
    "no registrable domain": "网址没有可注册域名",
    "too long": "网址过长",
    "a backslash": "网址含反斜杠",
    "a blank or control character": "网址含空白或控制字符",
    "no scheme": "网址没有协议",
    "no host": "网址没有主机",
    "user information": "网址含用户信息",
    "a percent-encoded host": "网址的主机带百分号编码",
    "a bad port": "网址的端口有误",
    "a bad host name": "网址的主机名有误",
    "a host that changes when it is normalised": "网址的主机在规范化后改变",
    "parsers disagree": "不同的解析器对网址的读法不一致",
    "a path that servers read differently": "不同的服务器对网址路径的读法不一致",
    "a bad address": "网址的地址有误",
    "a faulty list": "名单有误",
    # The call itself
    "no program": "没有可执行的规则",
    "this is no rule set": "给出的不是规则集",
    "of type {kind}": "类型为 {kind}",
    "a time with an offset is needed": "需要带时区偏移的时间",
    "pins map contract names to versions": "固定版本须是合同名到版本的映射",
    "there is no version {version} of `{name}`": "`{name}` 没有版本 {version}",
    "`can` is a collection of names": "`can` 须是名称的集合",
    "the caller will not fulfil it": "调用方不会履行",
    "its value is undecided": "它的值无法判定",
    "there are none": "没有事实",
    "facts of type {kind}": "事实的类型是 {kind}",
    "facts of the gate `{gate}`": "这是关口 `{gate}` 的事实",
    # Faulty facts
    "unknown gate `{gate}`": "关口 `{gate}` 不存在",
    "facts of {size} bytes; at most {limit} are read": "事实有 {size} 字节；至多读取 {limit} 字节",
    "facts that cannot be read: {kind}": "事实无法读取：{kind}",
    "not JSON: text or bytes are expected, not {kind}": "不是 JSON：应为文本或字节，而不是 {kind}",
    "not JSON, at line {line}, column {column}: {problem}": "第 {line} 行第 {column} 列起不是合法的 JSON",
    "not JSON": "不是合法的 JSON",
    "text with a lone surrogate": "文本含不成对的代理码元",
    "a time outside the years 1 to 9999": "时间不在公元 1 年至 9999 年之间",
    "two items of evidence with one id": "两条证据的 id 相同",
    "`{path}`: {fault}": "`{path}`：{fault}",
    "`{path}`: {fault} (and {count} more places)": "`{path}`：{fault}（另有 {count} 处）",
    "there is no such field; the nearest is `{near}`": "没有这个字段；最接近的是 `{near}`",
    "there is no such field; docs/reference/facts.md lists them": "没有这个字段；字段列于 docs/reference/facts.md",
    "it is missing": "缺少此项",
    "a time in RFC 3339 with offset and at most six decimals is expected": "应为带时区偏移、至多六位小数的 RFC 3339 时间",
    "true or false is expected": "应为 true 或 false",
    "an object is expected": "应为对象",
    "a list is expected": "应为列表",
    "a mapping is expected": "应为映射",
    "text is expected": "应为文本",
    "an int is expected": "应为整数",
    "a number is expected": "应为数值",
    'a duration such as "10800s" is expected': '应为时长，例如 "10800s"',
    "one of {words} is expected": "应为以下之一：{words}",
    "{type} is expected": "应为 {type}",
    "at most {limit} is allowed": "至多为 {limit}",
    "at least {limit} is allowed": "至少为 {limit}",
    "at most {limit} code points are read": "至多读取 {limit} 个字符",
    "at most {limit} elements are read": "至多读取 {limit} 个元素",
    "a value that cannot stand here ({kind})": "此处不能有这样的值（{kind}）",
    "a duration of more than 315,576,000,000 seconds": "时长超过 315,576,000,000 秒",
    "nested too deep": "嵌套过深",
    "an int beyond 2^53 - 1": "整数超出 2^53 - 1",
    "a value of type {kind}": "值的类型为 {kind}",
}
"""English, as it stands where the reason arises, to Chinese."""


class Reason:
    """One reason: its English template, and the values of its placeholders."""

    __slots__ = ("template", "values")

    def __init__(self, template: str, **values: Any) -> None:
        self.template, self.values = template, values

    def text(self, language: str) -> str:
        """The reason in `en` or `zh`. What has no Chinese wording stays English, rather than to be lost."""
        template = self.template if language == "en" else CHINESE.get(self.template, self.template)
        if not self.values:
            return template
        return template.format(**{name: said(value, language) for name, value in self.values.items()})

    def __str__(self) -> str:
        return self.text("en")

    def __repr__(self) -> str:
        return f"Reason({self.text('en')!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reason) and (self.template, self.values) == (other.template, other.values)

    def __hash__(self) -> int:
        return hash(self.template)


def said(value: object, language: str) -> str:
    """A reason in `en` or `zh`; any other value as it is in every language."""
    return value.text(language) if isinstance(value, Reason) else str(value)


def kind_of(value: object) -> str:
    """The name of the class of a value, or of the nearest builtin class above it: a name that somebody chose may say
    something that nobody should read."""
    names: list[str] = [kind.__name__ for kind in type(value).__mro__ if vars(builtins).get(kind.__name__) is kind]
    return names[0]
