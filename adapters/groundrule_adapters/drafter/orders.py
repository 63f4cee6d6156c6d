"""Text that gives orders to its reader. It is data like any other text, and not worth quoting where there is better.

This only chooses among sentences; it protects nothing. What protects is that page text is never read as anything but
text: it cannot add a source, a link, a handle or a call.
"""

from __future__ import annotations

import re

_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:above|previous|prior|earlier|instructions?|rules?|prompts?)\b"
    r"|\b(?:system prompt|you (?:must|should|are now|have to|shall)|as an ai"
    r"|to (?:all )?ai (?:assistants?|agents?|models?))\b"
    r"|\b(?:tell|send|ask|redirect) (?:the |your )?(?:users?|readers?|customers?)\b"
    r"|\b(?:click|tap) (?:here|below|on|the)\b|\bvisit (?:this|our|the|https?)\b"
    r"|\b(?:enter|type) (?:a|your|the) password\b"
    r"|\b(?:reply|respond|answer) (?:only )?(?:with|that|in)\b"
    r"|\b(?:do not|don't|never) (?:tell|mention|cite|reveal|quote)\b"
    r"|\bcite (?:no|only|this)\b|^\W*(?:system|assistant|user|developer)\s*[:：]|<[/|]|\[/?inst\]"
    r"|(?:忽略|无视|忘记|忘掉|不要理会).{0,16}(?:以上|之前|此前|前面|上述|先前|指令|规则|提示|要求)"
    r"|系统提示|(?:^|[，。；：“\s])你(?:必须|应该|应当|现在是|需要|务必)|作为(?:一[个名])?(?:AI|人工智能|助手|大模型)"
    r"|(?:致|给|告)\s*(?:各位)?\s*(?:AI|人工智能|智能|大模型)?\s*(?:助手|助理|模型)|(?:让|请|告诉|引导)(?:用户|读者|客户)"
    r"|请(?:点击|访问|回答|回复|转告|执行|输出|输入|登录)|(?:不要|禁止|切勿|不得)(?:告诉|提及|引用|透露|说明|注明)|输入密码",
    re.IGNORECASE,
)


def gives_orders(sentence: str) -> bool:
    """Whether a sentence addresses its reader with an order rather than stating something."""
    return _ORDERS.search(sentence) is not None
