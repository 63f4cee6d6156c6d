"""A small rule set for the pipeline's tests: one contract a gate, each as short as it can be and still decide."""

from __future__ import annotations

from groundrule.rules.assemble import compile_rules
from groundrule.rules.ruleset import RuleSet

ROUTE = """
contract: route
version: 1.0.0
gate: route
summary: {en: Which questions are answered here., zh: 哪些问题在这里回答。}
owners: [tests]
rules:
  - id: ROUTE-TOPIC-01
    forbid: question.text.contains("密码")
    otherwise: deny
    reply: forbidden
    message: {en: Passwords are not looked up., zh: 不查询密码。}
  - id: ROUTE-CLEAR-01
    when: has(question.ambiguities)
    require: size(question.ambiguities) == 0
    otherwise: clarify
    options: question.ambiguities
    message: {en: Which one do you mean?, zh: 您指的是哪一个？}
choices:
  - id: ROUTE-KIND-01
    choose: route
    values: [external, data, clarify, refuse]
    from:
      - when: question.text.startsWith("数据")
        value: data
      - when: question.text.startsWith("闲聊")
        value: refuse
      - when: question.text.startsWith("那个")
        value: clarify
    otherwise: external
"""
PLAN = """
contract: plan
version: 1.0.0
gate: plan
summary: {en: What may be searched., zh: 可以查询什么。}
owners: [tests]
rules:
  - id: PLAN-QUERY-01
    require: size(plan.search_queries) > 0
    otherwise: deny
    message: {en: The plan has no query., zh: 计划没有查询短语。}
"""
LIMITS = """
contract: limits
version: 1.0.0
gate: plan
summary: {en: How much a run may use., zh: 一次查询的用量。}
owners: [tests]
choices:
"""
CALL = """
contract: call
version: 1.0.0
gate: call
summary: {en: Which calls may be made., zh: 可以发起哪些调用。}
owners: [tests]
rules:
  - id: CALL-READ-01
    require: call.read_only
    otherwise: deny
    message: {en: The call might change something., zh: 调用可能产生修改。}
"""
DISPATCH = """
contract: dispatch
version: 1.0.0
gate: dispatch
summary: {en: The next source., zh: 下一个来源。}
owners: [tests]
choices:
  - id: DISPATCH-NEXT-01
    choose: next
    from:
      - when: size(run.adapters_left) > 0
        value: run.adapters_left[0]
    otherwise: '"stop"'
"""
EVIDENCE = """
contract: evidence
version: 1.0.0
gate: evidence
summary: {en: What may ground an answer., zh: 什么可以作为依据。}
owners: [tests]
params:
  types: [url, mcp_search]
  max_age: 3h
rules:
  - id: SOURCE-TYPE-01
    each: evidence as e
    require: e.source_type in params.types
    otherwise: reject
    reply: no_evidence
    message: {en: "{e.title} is internal.", zh: "{e.title} 是内部资料。"}
  - id: SOURCE-RUN-01
    each: evidence as e
    require: e.execution_id == run.execution_id
    otherwise: reject
    reply: no_evidence
    message: {en: "{e.title} is of another execution.", zh: "{e.title} 来自另一次查询。"}
  - id: FRESH-AGE-01
    when: plan.freshness_required
    each: evidence as e
    require: now - e.dated_at <= params.max_age
    otherwise: reject
    reply: stale
    message: {en: "{e.title} is too old.", zh: "{e.title} 太旧。"}
  - id: ENOUGH-NONE-01
    require: evidence.exists(e, e.source_type in params.types)
    otherwise: fallback
    reply: no_evidence
    message: {en: Nothing external was found., zh: 没有找到外部资料。}
  - id: ENOUGH-STALE-01
    when: evidence.exists(e, e.source_type in params.types)
    require: size(admitted) > 0
    otherwise: fallback
    reply: stale
    message: {en: Everything found is too old., zh: 找到的资料都太旧。}
choices:
  - id: AUTH-RANK-01
    each: evidence as e
    choose: authority
    from:
      - when: e.target_url.startsWith("https://official.")
        value: 0.9
    otherwise: 0.4
"""
ANSWER = """
contract: answer
version: 1.0.0
gate: answer
summary: {en: What may be said., zh: 可以说什么。}
owners: [tests]
rules:
  - id: ANSWER-CLAIM-01
    each: answer.claims as c
    require: c.status in ["bound", "derived"]
    otherwise: deny
    message: {en: "{c.text} is not supported.", zh: "{c.text} 没有依据。"}
  - id: ANSWER-NUMBER-01
    require: size(answer.unclaimed_numbers) == 0
    otherwise: deny
    message: {en: There are unchecked numbers., zh: 有未核对的数字。}
"""
AS_OF = """
contract: tell
version: 1.0.0
gate: answer
summary: {en: Old facts are told as old., zh: 旧信息要说明日期。}
owners: [tests]
when: plan.freshness_required
rules:
  - id: TELL-DATE-01
    require: evidence.all(e, now - e.dated_at < duration("1h"))
    otherwise: oblige
    oblige:
      as_of: min(evidence.map(e, e.dated_at))
    message: {en: The date must be told., zh: 必须说明日期。}
"""
LAX = """
contract: evidence
version: 1.0.0
gate: evidence
summary: {en: Everything counts., zh: 全部采纳。}
owners: [tests]
rules:
  - id: LAX-ALL-01
    require: size(evidence) >= 0
    otherwise: deny
    message: {en: Never., zh: 不会发生。}
"""
LAX_ANSWER = """
contract: answer
version: 1.0.0
gate: answer
summary: {en: Everything may be said., zh: 都可以说。}
owners: [tests]
rules:
  - id: LAX-SAY-01
    require: size(evidence) >= 0
    otherwise: deny
    message: {en: Never., zh: 不会发生。}
"""
FILES = {
    "contracts/route.yaml": ROUTE,
    "contracts/plan.yaml": PLAN,
    "contracts/call.yaml": CALL,
    "contracts/dispatch.yaml": DISPATCH,
    "contracts/evidence.yaml": EVIDENCE,
    "contracts/answer.yaml": ANSWER,
    "contracts/tell.yaml": AS_OF,
}


def rules(**replaced: str | None) -> RuleSet:
    """The set, with contracts replaced, added, or (None) left out."""
    files: dict[str, str] = {}
    for path, text in (FILES | {f"contracts/{name}.yaml": new for name, new in replaced.items()}).items():
        if text is not None:
            files[path] = text
    return compile_rules(files)


def limits(**chosen: str) -> str:
    """A contract of the plan gate that chooses these limits; the values are expressions."""
    made = LIMITS
    for name, value in chosen.items():
        made += f"  - id: LIMIT-{name.upper().replace('_', '-')}-01\n    choose: {name}\n"
        made += f"    from: []\n    otherwise: '{value}'\n"
    return made
