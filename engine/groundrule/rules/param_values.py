"""Values of params that expressions read, known when the rule set is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .contract import Dated
from .syntax import Field, Index, Name, Node


def is_param(node: Node, locals_: Mapping[str, Node] | None = None) -> bool:
    """Whether a node is a value of params, so that it is known when the rule set is loaded."""
    while isinstance(node, Field | Index):
        node = node.operand
    return isinstance(node, Name) and (node.role in ("params", "shared") or node.name in (locals_ or {}))


def param_values(node: Node, trees: Mapping[str, Any], locals_: Mapping[str, Node]) -> list[Any]:
    """Every value that a param may have, over all its dates."""
    match node:
        case Name() if node.role in ("params", "shared"):
            return [trees.get(node.role, {})]
        case Name() if node.name in locals_:
            return [item for value in param_values(locals_[node.name], trees, locals_) for item in _elements(value)]
        case Field():
            return [value for tree in param_values(node.operand, trees, locals_) for value in _entry(tree, node.name)]
        case Index():
            return [value for tree in param_values(node.operand, trees, locals_) for value in _children(tree)]
    return []


def _settled(value: Any) -> list[Any]:
    """A value of params without its dates."""
    return [entry for entry, _ in value.entries] if isinstance(value, Dated) else [value]


def _entry(tree: Any, name: str) -> list[Any]:
    return _settled(tree[name]) if isinstance(tree, Mapping) and name in tree else []


def _children(tree: Any) -> list[Any]:
    inner = tree.values() if isinstance(tree, Mapping) else tree if isinstance(tree, tuple) else ()
    return [value for child in inner for value in _settled(child)]


def _elements(value: Any) -> list[Any]:
    return list(value) if isinstance(value, tuple | Mapping) else []
