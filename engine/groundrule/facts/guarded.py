"""What is judged before code or a side effect runs."""

from __future__ import annotations

from .record import Record, Text, Texts, fact


class DataSource(Record):
    """A database or file that a statement or program would read."""

    id: Text | None = fact("Identifier of the source.", "数据源标识。")
    kind: Text | None = fact("What it is, for example sqlite or postgres.", "种类，如 sqlite、postgres。")
    tables: Texts | None = fact("Tables that may be read.", "允许读取的表。")


class Statement(Record):
    """A SQL statement."""

    text: Text | None = fact("The statement.", "语句。")
    verbs: Texts | None = fact("Its verbs in upper case, for example SELECT.", "语句动词（大写），如 SELECT。")
    tables: Texts | None = fact("Tables that it names.", "涉及的表。")
    columns: Texts | None = fact("Columns that it names.", "涉及的列。")


class Program(Record):
    """A program written by a model."""

    text: Text | None = fact("Its source.", "源代码。")
    imports: Texts | None = fact("Modules that it imports.", "导入的模块。")
    calls: Texts | None = fact("Functions that it calls.", "调用的函数。")
    attributes: Texts | None = fact("Attributes that it reads.", "读取的属性。")


class Operation(Record):
    """One operation of the closed set of computations."""

    name: Text | None = fact("Name of the operation, for example sum.", "运算名称，如 sum。")
    inputs: Texts | None = fact("Results that it computes on.", "参与运算的结果。")


class Action(Record):
    """A side effect."""

    name: Text | None = fact("Name of the action, for example export.", "动作名称，如 export。")
    target: Text | None = fact("What it would change.", "将被改变的对象。")
    confirmed: bool | None = fact("Whether the user has confirmed it.", "用户是否已确认。")
