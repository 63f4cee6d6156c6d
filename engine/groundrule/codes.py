"""Every kind of fault of a rule set: its code, its sentence, its help. All wording stands here.

GR1xx: files and YAML. GR2xx: expressions. GR3xx: contracts. GR4xx: rule sets. GR5xx: warnings.
GR6xx: test files. GR7xx: mappings of servers. GR8xx are problems of the service, worded beside it. GR9xx: what commands
are given. A code is never used again with another meaning.
"""

from __future__ import annotations

from .diagnostics import Code

CODES: dict[str, Code] = {}


def _code(code: str, message: str, help: str = "", page: str = "", severity: str = "error") -> Code:
    if code in CODES:
        raise ValueError(f"declared twice: {code}")
    CODES[code] = Code(code, severity, message, help, page)
    return CODES[code]


def _warning(code: str, message: str, help: str = "", page: str = "") -> Code:
    return _code(code, message, help, page, "warning")


# Files and YAML

NOT_UTF8 = _code(
    "GR101", "the file is not UTF-8", "save it as UTF-8 without a byte order mark",
    "Rule files are UTF-8. A byte that is no UTF-8 would mean different text to different readers.",
)  # fmt: skip
BYTE_ORDER_MARK = _code(
    "GR102", "the file begins with a byte order mark", "save it as UTF-8 without a byte order mark",
    "The mark is invisible in editors and becomes part of the first key.",
)  # fmt: skip
FILE_TOO_LARGE = _code(
    "GR103", "the file has {size} bytes; at most {limit} are read", "split it into several contracts",
    "A limit on the size of a file keeps loading fast and bounds memory.",
)  # fmt: skip
YAML_SYNTAX = _code(
    "GR104", "this is not YAML: {problem}", "compare the indentation and quotes of this line with those above",
    "The YAML reader could not make sense of the text at this place.",
)  # fmt: skip
DUPLICATE_KEY = _code(
    "GR105", "the key `{key}` stands twice", "remove one of the two; the first is in line {line}",
    "Most YAML readers silently keep the second value; a rule could be lost that way.",
)  # fmt: skip
ANCHOR = _code(
    "GR106", "anchors and aliases are not allowed", "write the value out; shared values belong in params.yaml",
    "Aliases can make a small file expand to gigabytes, and hide what a rule says.",
)  # fmt: skip
TAG = _code(
    "GR107", "YAML reads this as the tag `{tag}`",
    "put an expression that begins with `!` in quotes, on a line after `>-`, or write `forbid:`",
    "In YAML a word that begins with `!` is a tag, not text; the condition would be lost.",
)  # fmt: skip
MERGE_KEY = _code(
    "GR108", "merge keys (`<<`) are not allowed", "write the keys out",
    "A merge makes the meaning of a rule depend on text elsewhere.",
)  # fmt: skip
TOO_DEEP = _code(
    "GR109", "nested deeper than {limit} levels", "name parts of it with `let` or in params", "Nesting is bounded so that no file can exhaust the reader.",
)  # fmt: skip
SEVERAL_DOCUMENTS = _code(
    "GR110", "the file has more than one YAML document", "keep one document in a file",
    "One file states one thing.",
)  # fmt: skip
EMPTY_FILE = _code(
    "GR111", "the file is empty", "write its content, or remove the file", "An empty file states nothing; it is probably a mistake.",
)  # fmt: skip
KEY_NOT_TEXT = _code(
    "GR112", "a key must be a plain word", "write the key as one word, `key: value`", "Keys of rule files are words; lists and mappings cannot be keys.",
)  # fmt: skip
CONTROL_CHARACTER = _code(
    "GR113", "the file contains the control character {char}", "remove it; indent with blanks",
    "Control characters and tabs in indentation are invisible and read differently by different tools.",
)  # fmt: skip
TORN_FLOW = _code(
    "GR114", "the expression is torn apart here", "put the expression in quotes, or on a line of its own",
    "Inside `{ }` and `[ ]` YAML ends a plain value at a comma or bracket.",
)  # fmt: skip
NOT_A_SCALAR = _code(
    "GR115", "`{key}` must be one value, not a {found}", "write `{key}: value` on one line",
    "This key takes a single word, number or text.",
)  # fmt: skip
NOT_A_MAPPING = _code(
    "GR116", "`{key}` must be a mapping, not a {found}", "write `{key}:` and below it `name: value` lines, indented", "This key takes `name: value` lines.",
)  # fmt: skip
NOT_A_LIST = _code(
    "GR117", "`{key}` must be a list, not a {found}", "write `{key}:` and below it lines that begin with `- `", "This key takes a list: lines that begin with `- `.",
)  # fmt: skip
UNKNOWN_KEY = _code(
    "GR118", "unknown key `{key}`", "docs/rules.md lists the keys; remove it or mend its spelling", "A misspelt key would otherwise be ignored, and with it what it says.",
)  # fmt: skip
MISSING_KEY = _code(
    "GR119", "`{key}` is missing", "add a line `{key}: …`", "This key is obligatory here.",
)  # fmt: skip
BAD_VALUE = _code(
    "GR120", "`{key}` must be {wanted}, not `{found}`", "write it in that form; docs/rules.md shows it", "The value has the wrong form.",
)  # fmt: skip
COMMENT_CUT = _code(
    "GR121", "` #` begins a YAML comment, so the rest of the expression is lost",
    "put the expression in quotes, or on a line after `>-`",
    "YAML ends a plain value at a blank followed by `#`.",
)  # fmt: skip
QUOTED_START = _code(
    "GR122", "YAML takes the leading quote for its own: {problem}",
    "put the whole expression on a line after `>-`",
    "A plain YAML value cannot begin with a quote; the text after the closing quote is lost or refused.",
)  # fmt: skip
NO_UNIT = _code(
    "GR123", "`{text}` reads as a duration with the unknown unit `{unit}`", "units are us, ms, s, m, h, d and w, as in `30m` or `1h30m`; write text in quotes",
    "A number with a word for a time behind it is meant as a duration; as text it would compare with none.",
)  # fmt: skip

# Expressions

BAD_CHARACTER = _code(
    "GR201", "`{char}` cannot stand here", "text stands in quotes; the operators are && || ! == != < <= > >= + - * / % in ?:", "The character does not belong to the expression language.",
)  # fmt: skip
UNEXPECTED = _code(
    "GR202", "expected {wanted}, found {found}", "look for a bracket, comma or operator that is missing or too many before this place", "The expression is not well-formed at this place.",
)  # fmt: skip
UNCLOSED_STRING = _code(
    "GR203", "the text is not closed", "add the closing quote", "A text ends with the quote it began with.",
)  # fmt: skip
BAD_ESCAPE = _code(
    "GR204", "`{escape}` is no escape", "write `\\\\` for a backslash, or use r'…'",
    "CEL knows \\n \\t \\r \\a \\b \\f \\v \\\\ \\' \\\" \\` \\? \\xHH \\ooo \\uHHHH \\UHHHHHHHH.",
)  # fmt: skip
INT_RANGE = _code(
    "GR205", "`{number}` is beyond 64 bits", "write a double, such as `1e30`, or a smaller number", "Ints go from -9223372036854775808 to 9223372036854775807.",
)  # fmt: skip
EXPRESSION_TOO_DEEP = _code(
    "GR206", "the expression is nested deeper than {limit} levels", "name parts of it with `let`",
    "Depth is bounded so that no expression can exhaust the reader.",
)  # fmt: skip
EXPRESSION_TOO_LONG = _code(
    "GR207", "the expression has {size} characters; at most {limit} are read", "name parts of it with `let`",
    "Length is bounded so that checking stays fast.",
)  # fmt: skip
EMPTY_EXPRESSION = _code(
    "GR208", "the expression is empty", "write a condition, or remove the key", "An empty condition cannot be true.",
)  # fmt: skip
RESERVED = _code(
    "GR209", "`{word}` is a reserved word", "choose another name", "CEL reserves this word.",
)  # fmt: skip
NOT_IN_PROFILE = _code(
    "GR210", "{what} cannot be used in a rule", "{instead}",
    "The rule language is a profile of CEL; docs/rules.md lists what it leaves out and why.",
)  # fmt: skip
UNKNOWN_NAME = _code(
    "GR211", "unknown name `{name}`", "docs/reference/facts.md lists the variables of each gate", "No variable, let or list of this gate has that name.",
)  # fmt: skip
UNKNOWN_FIELD = _code(
    "GR212", "`{type}` has no field `{name}`", "docs/reference/facts.md lists the fields", "The field does not exist; a misspelt field would never be met.",
)  # fmt: skip
UNKNOWN_FUNCTION = _code(
    "GR213", "unknown function `{name}`", "docs/reference/functions.md lists the functions", "No function or macro has that name.",
)  # fmt: skip
NO_OVERLOAD = _code(
    "GR214", "`{name}` does not take {given}", "docs/reference/functions.md lists what each function takes",
    "The function exists, but not for values of these types.",
)  # fmt: skip
MIXED_TYPES = _code(
    "GR215", "{left} and {right} cannot be {verb}", "convert one side, as with `int()`, `double()` or `string()`",
    "Both sides of an operator need fitting types. A comparison of different types would never be met.",
)  # fmt: skip
MIXED_NUMBERS = _code(
    "GR216", "int and double cannot be mixed in `{operator}`", "convert one side with `double(…)`",
    "Only an int literal, or an int in params, becomes a double by itself.",
)  # fmt: skip
NOT_BOOL = _code(
    "GR217", "{what} must be a bool, not {type}", "compare it with something, as in `x > 0` or `has(x)`", "A condition is true or false.",
)  # fmt: skip
WRONG_TYPE = _code(
    "GR218", "{what} must be {wanted}, not {type}", "convert it, or take another value", "The value has the wrong type here.",
)  # fmt: skip
NOT_INDEXABLE = _code(
    "GR219", "{type} cannot be indexed with {index}", "a list is indexed with an int, a map with its key", "Lists take an int, maps their key type.",
)  # fmt: skip
NOT_A_RECORD = _code(
    "GR220", "{type} has no fields", "only records and free-form JSON have fields", "Only records, maps and free-form JSON have fields.",
)  # fmt: skip
MIXED_LIST = _code(
    "GR221", "elements of a list or map must have one type; here {left} and {right}", "write all elements in one type, as `1.0` beside `2.5`",
    "Lists and maps have one element type (a deliberate difference from CEL).",
)  # fmt: skip
NULL = _code(
    "GR222", "`null` cannot be written in a rule", "ask `has(…)` for what may be absent",
    "Facts carry no null: what is null is absent.",
)  # fmt: skip
BAD_HAS = _code(
    "GR223", "`has` takes a field, such as `has(e.dated_at)`", "name the field with its record", "The macro asks whether one field is there.",
)  # fmt: skip
BAD_MACRO = _code(
    "GR224", "`{macro}` is written `{form}`", "write it in that form", "The macro was called with the wrong number or kind of arguments.",
)  # fmt: skip
SHADOWED = _code(
    "GR225", "`{name}` already means something here", "choose another name",
    "A name that hides another makes a rule hard to read.",
)  # fmt: skip
UNKNOWN_ENUM = _code(
    "GR226", "`{value}` is no {words}", "docs/reference/facts.md lists the values", "The field only ever has one of its listed values, so this is never met.",
)  # fmt: skip
BAD_PATTERN = _code(
    "GR227", "the pattern is not RE2: {problem}", "docs/rules.md names the syntax; RE2 has no look-around and no back references", "`matches` takes RE2 patterns, which never back-track.",
)  # fmt: skip
PATTERN_NOT_CONSTANT = _code(
    "GR228", "the pattern of `matches` must be a literal or a param", "put the pattern in the expression or in params",
    "Patterns are compiled and checked when the rule set is loaded.",
)  # fmt: skip
BAD_CONSTANT = _code(
    "GR229", "this is always undecided: {problem}", "write a value for which the operation is defined",
    "The operation on these constants has no value, so the rule could never be met.",
)  # fmt: skip
LIST_NAME_EXPECTED = _code(
    "GR230", "`{name}` takes a list of the rule set or a list of strings", "write `params: NAME: {{list: FILE}}` and ask `params.NAME`",
    "Named lists are only asked through `url_in` and `domain_in`.",
)  # fmt: skip
NOT_COMPARABLE = _code(
    "GR231", "{type} cannot be compared", "compare a field of it", "Records and named lists have no equality.",
)  # fmt: skip

# Contracts

UNKNOWN_GATE = _code(
    "GR301", "unknown gate `{gate}`", "docs/rules.md lists the gates", "The gates are fixed places of a request; docs/rules.md lists them.",
)  # fmt: skip
BAD_VERSION = _code(
    "GR302", "`{version}` is no version", "write three numbers, such as 1.0.0",
    "Contracts have semantic versions: MAJOR.MINOR.PATCH.",
)  # fmt: skip
BAD_ID = _code(
    "GR303", "`{id}` is no rule id", "write AREA-TOPIC-NN in upper case, such as FRESH-AGE-01",
    "Ids are what receipts, waivers and tests refer to.",
)  # fmt: skip
DUPLICATE_ID = _code(
    "GR304", "the id `{id}` is used twice", "the other is in {place}", "Ids are unique across a rule set.",
)  # fmt: skip
ENGINE_ID = _code(
    "GR305", "ids that begin with `ENGINE-` belong to the engine", "choose another area",
    "ENGINE- ids name the engine's own violations, which cannot be waived.",
)  # fmt: skip
CHECK_COUNT = _code(
    "GR306", "a rule has exactly one of `require` and `forbid`", "keep `require:` if it must be true, `forbid:` if it must be false", "A rule is one check.",
)  # fmt: skip
EFFECT_AT_GATE = _code(
    "GR307", "the gate `{gate}` does not know the effect `{effect}`", "docs/rules.md lists the effects of each gate",
    "Each gate allows certain effects; docs/rules.md has the table.",
)  # fmt: skip
REJECT_NEEDS_EACH = _code(
    "GR308", "`reject` needs `each: evidence as …`", "add `each: evidence as e`, or choose another effect", "Only an item can be taken out of the evidence.",
)  # fmt: skip
BAD_EACH = _code(
    "GR309", "`each` is written `LIST as NAME`", "for example `evidence as e`",
    "A rule with `each` is asked once for every element.",
)  # fmt: skip
EACH_NOT_LIST = _code(
    "GR310", "`{path}` is {type}, not a list", "go over a list: a variable, let or param that is one", "`each` goes over the elements of a list.",
)  # fmt: skip
EACH_CONFLICT = _code(
    "GR311", "`{name}` stands for `{first}` elsewhere in this file", "use one name for one list",
    "Lets may read the name, so it must mean the same list in the whole file.",
)  # fmt: skip
ITEM_NOT_NAMED = _code(
    "GR312", "`{name}` needs `{item}`, which is only known under `each: … as {item}`", "add `each: … as {item}` to this rule or choice",
    "The let or choice is evaluated once per item, so only a rule that goes over the items can read it.",
)  # fmt: skip
CYCLE = _code(
    "GR313", "these names read each other in a circle: {names}", "take one of the names out of the circle", "Lets and choices form a graph without circles.",
)  # fmt: skip
DUPLICATE_CHOICE = _code(
    "GR314", "the choice `{name}` is made twice at the gate `{gate}`", "the other is in {place}",
    "Two contracts may not make one choice at one gate: which would hold?",
)  # fmt: skip
CHOICE_TYPE = _code(
    "GR315", "the choice `{name}` must be {wanted}, not {type}", "docs/rules.md says which type the pipeline reads", "The pipeline reads this choice with that type.",
)  # fmt: skip
CHOICE_VALUE = _code(
    "GR316", "`{value}` is not among the values of `{name}`", "write one of the declared values, or declare it in `values:`",
    "The choice declares or the pipeline knows its values.",
)  # fmt: skip
CHOICE_EACH = _code(
    "GR317", "the choice `{name}` is {made}", "write it for the whole or per item, as the pipeline reads it", "Choices are per item (`each: evidence as …`) or for the whole.",
)  # fmt: skip
ADMITTED_CYCLE = _code(
    "GR318", "`{name}` decides which items are admitted, so it may not read `admitted`", "read `evidence`",
    "What rejects items cannot depend on which items are left.",
)  # fmt: skip
MESSAGE_LANGUAGE = _code(
    "GR319", "`{key}` must be written in `en` and `zh`", "add the missing language", "Every message exists in both languages.",
)  # fmt: skip
MESSAGE_PLACEHOLDERS = _code(
    "GR320", "the languages have different placeholders: {names}", "use the same placeholders in `en` and `zh`",
    "Both messages of a rule say the same, so they show the same values.",
)  # fmt: skip
MESSAGE_BRACE = _code(
    "GR321", "a brace is not closed", "write `{{{{` for a brace", "Braces in messages hold expressions.",
)  # fmt: skip
OPTIONS_NEED_CLARIFY = _code(
    "GR322", "`options` belongs to `otherwise: clarify`", "remove `options`, or write `otherwise: clarify`", "Only a question back has options.",
)  # fmt: skip
OBLIGE_BLOCK = _code(
    "GR323", "`otherwise: oblige` and the block `oblige:` belong together", "write both, or neither",
    "An obligation has a name and a value.",
)  # fmt: skip
BAD_REPLY = _code(
    "GR324", "unknown reply `{reply}`", "known: `no_evidence`, `stale`, `unsupported`, `forbidden`, `unclear`", "The refusals that a user can see are fixed.",
)  # fmt: skip
TOO_COSTLY = _code(
    "GR325", "the gate `{gate}` could take {cost} steps; at most {limit} are allowed", "nest fewer macros, or name a shared part with `let`",
    "Worst-case cost is computed from the nesting of macros and the largest lists. The dearest: {dearest}.",
)  # fmt: skip
DATED_ORDER = _code(
    "GR326", "dated values must go from old to new, the first without `from`", "sort the entries by `from`, and leave it out of the first",
    "Each value holds from its date until the next.",
)  # fmt: skip
EMPTY_PERIOD = _code(
    "GR327", "`until` is not after `from`", "let `until` be later than `from`", "The contract would never be in force.",
)  # fmt: skip
PARAM_TYPES = _code(
    "GR328", "values of different types stand side by side: {left} and {right}", "write all values beside one another in one type",
    "A list of params has one type.",
)  # fmt: skip
UNKNOWN_EFFECT = _code(
    "GR333", "unknown effect `{otherwise}`", "known: `deny`, `clarify`, `confirm`, `fallback`, `oblige`, `reject`, `warn`",
    "What follows when a rule is not met: deny, clarify, confirm, fallback, oblige, reject or warn.",
)  # fmt: skip
UNKNOWN_LIST = _code(
    "GR329", "there is no list `{name}`", "write the list as lists/{name}.txt", "Named lists are files `lists/NAME.txt` of the rule set.",
)  # fmt: skip
BAD_LIST_ENTRY = _code(
    "GR330", "this entry cannot be used: {problem}", "write a domain, a URL pattern with `*`, or `/regex/`, one a line", "A list entry is a domain, a wildcard pattern or a /regex/.",
)  # fmt: skip
PARAM_NAME = _code(
    "GR331", "`{name}` is no name", "use letters, digits and `_`", "Params, lets and choices are read as names.",
)  # fmt: skip
NEEDS_QUOTES = _code(
    "GR332", "the value of a choice is an expression; a text needs quotes",
    "write `'\"{text}\"'`, or declare `values:`",
    "YAML takes one pair of quotes away.",
)  # fmt: skip

# Rule sets

NO_CONTRACT = _code(
    "GR401", "there is no contract here", "a rule set has `contracts/*.yaml`",
    "A rule set without contracts denies everything; it is probably a wrong path.",
)  # fmt: skip
SAME_VERSION = _code(
    "GR402", "`{name}` {version} is stated twice", "the other is in {place}", "A version is stated once.",
)  # fmt: skip
UNKNOWN_AUDIT = _code(
    "GR403", "there is no contract `{name}` to audit", "name a contract of the set, or take the line out", "`audit` lists contracts of the set.",
)  # fmt: skip
UNKNOWN_RULE = _code(
    "GR404", "there is no rule `{rule}`", "name a rule of the set; a rule that is gone needs no waiver", "A waiver names a rule of the set.",
)  # fmt: skip
WAIVER_EXPIRED = _code(
    "GR405", "the waiver of `{rule}` has expired", "remove it, or agree on a new end with {owner}",
    "An expired waiver has no effect; it stays a fault until someone removes it.",
)  # fmt: skip
ENGINE_WAIVER = _code(
    "GR406", "`{rule}` cannot be waived", "mend what the engine complains about; only rules of contracts can be waived", "The engine's own violations cannot be waived.",
)  # fmt: skip
UNKNOWN_FILE = _code(
    "GR407", "`{file}` belongs to no part of a rule set", "a rule set has contracts/, lists/, tests/, mappings/, manifest.yaml, params.yaml and waivers.yaml",
    "A rule set has manifest.yaml, params.yaml, waivers.yaml, contracts/, lists/, tests/ and mappings/.",
)  # fmt: skip
TOO_MANY = _code(
    "GR408", "{count} {what}; at most {limit} are read", "split the rule set, or leave out what is no part of it", "Rule sets are bounded so that loading stays fast.",
)  # fmt: skip
NO_SUCH_PATH = _code(
    "GR409", "there is nothing at `{path}`", "name a folder, a contract file or an archive that exists", "A rule set is a folder, one contract file, or an archive.",
)  # fmt: skip
UNREADABLE = _code(
    "GR410", "`{file}` cannot be read: {problem}", "check its permissions, or take it out of the folder",
    "A file that cannot be read might say anything, so the rule set is not used without it.",
)  # fmt: skip
NOT_REGULAR = _code(
    "GR411", "`{file}` is {kind}, not a file", "replace it with a file of its own, or take it out of the folder",
    "Only files and folders are read; a pipe or device could block for ever.",
)  # fmt: skip
LINK_LOOP = _code(
    "GR412", "the link `{file}` leads back to a folder that it lies in", "remove the link",
    "A folder that contains itself has no end.",
)  # fmt: skip
BAD_ARCHIVE = _code(
    "GR413", "this is no archive of a rule set: {problem}", "write it anew with `groundrule pack`",
    "An archive is a zip file made of a checked folder, with digests.json beside the files.",
)  # fmt: skip
BAD_ENTRY = _code(
    "GR414", "the archive has an entry `{file}` that is refused: {problem}", "make the archive anew",
    "Paths that lead elsewhere, links, repeated names and unusual packing are how archives attack their readers.",
)  # fmt: skip
WRONG_DIGEST = _code(
    "GR415", "`{file}` is not what digests.json says: {problem}", "make the archive anew from the folder",
    "The digests prove that every file is the one that was checked when the archive was made.",
)  # fmt: skip
NO_MANIFEST = _code(
    "GR416", "an archive needs a manifest.yaml", "state `name` and `version` there",
    "An archive is deployed by name and version.",
)  # fmt: skip

# Warnings

ABSENT_SURPRISE = _warning(
    "GR501", "`{field}` may be absent, and then this is undecided and not met",
    "ask `has({field})` first if that is not meant",
    "Under `forbid`, or in `when`, an absent field often surprises: the rule applies and is not met.",
)  # fmt: skip
FUTURE_UNGUARDED = _warning(
    "GR502", "nothing here guards `{field}` against the future", "add a rule that refuses what is dated after `now`",
    "An age is negative for what is dated in the future, so every age limit is met.",
)  # fmt: skip
EMPTY_PASSES = _warning(
    "GR503", "an empty list passes this", "add `size(…) > 0`", "`all` is true of an empty list.",
)  # fmt: skip
NO_EFFECT = _warning(
    "GR504", "this can never matter: {why}", "remove it, or mend its condition", "The rule or condition decides nothing.",
)  # fmt: skip
SAME_VERSION_CHANGED = _warning(
    "GR505", "`{name}` changed its meaning ({what}) but is still version {version}", "raise the version of the contract",
    "Receipts name contract and version; one version must mean one thing. What a contract reads is part of its meaning: "
    "its lists, shared params, and whether `audit` names it. For those a new version in the manifest will do.",
)  # fmt: skip
ONLY_WATCHES = _warning(
    "GR506", "the gate `{gate}` is covered only by contracts that warn or choose", "add a rule that denies, or let another contract cover the gate",
    "Nothing at this gate can say no.",
)  # fmt: skip
HAS_CHAIN = _warning(
    "GR507", "`has({path})` is undecided where `{operand}` is absent", "write `has({operand}) && has({path})`",
    "`has` asks for the last field only.",
)  # fmt: skip
UNUSED = _warning(
    "GR508", "`{name}` is never read", "remove it, or read it", "A let or param that nothing reads is probably a misspelling.",
)  # fmt: skip
TO_FILL_IN = _warning(
    "GR509", "the `{key}` is still the text that `groundrule new` wrote", "write your own, in both languages",
    "Users would read it in a refusal.",
)  # fmt: skip

# Test files

NO_CASE = _code(
    "GR601", "the test file has no case", "add a case under `cases:`", "A test without cases proves nothing.",
)  # fmt: skip
UNKNOWN_USE = _code(
    "GR602", "there is no `{name}` to use", "`$use: plans/weather` reads tests/plans/weather.yaml",
    "A fixture that a test uses must exist.",
)  # fmt: skip
BAD_CHANGE = _code(
    "GR603", "`{path}` leads nowhere: {problem}", "write the path of a fact, such as `evidence[0].dated_at`", "`change` sets, removes or appends at a path of the facts.",
)  # fmt: skip
BAD_EXPECTATION = _code(
    "GR604", "`{text}` is no expected violation",
    "write `RULE-ID @ evidence[1] undecided waived`, as far as it applies",
    "An expected violation is a rule id, perhaps a place, perhaps the words undecided and waived.",
)  # fmt: skip
UNKNOWN_CONTRACT = _code(
    "GR605", "there is no contract `{name}`", "name a contract of the rule set", "A test file names contracts of the set.",
)  # fmt: skip
USE_CIRCLE = _code(
    "GR606", "these fixtures use each other in a circle: {names}", "write one of the fixtures out", "A circle of fixtures has no end.",
)  # fmt: skip
FACTS_TOO_LARGE = _code(
    "GR607", "the facts unfold to more than {limit} values", "use fewer fixtures within fixtures", "Fixtures that use each other can grow without bound.",
)  # fmt: skip
USE_ALONE = _code(
    "GR608", "`{name}` is a {found}, so nothing can stand beside `$use`", "use a fixture that is a mapping, or take the other keys out",
    "Keys beside `$use` override those of the fixture, which must then be a mapping.",
)  # fmt: skip
UNKNOWN_EXPECTED = _code(
    "GR609", "no rule `{rule}` is asked here", "name a rule of this contract or of one in `with:`", "Only rules of the contracts that the test file names are asked.",
)  # fmt: skip
NO_TEST = _code(
    "GR610", "there is no test file", "write tests/CONTRACT.test.yaml", "A run that tests nothing proves nothing.",
)  # fmt: skip
UNTESTED = _code(
    "GR611", "no test file names the contract `{name}`", "write tests/{name}.test.yaml",
    "A contract ships with what it allows and what it refuses.",
)  # fmt: skip
NOT_SHOWN = _code(
    "GR612", "no case shows `{rule}` {state}", "add a case to tests/ with facts that bring the rule there; expect `{rule} undecided` if it cannot be judged",
    "Every rule needs a case that it passes, one that it fails, and, where it can be undecided, one where it is.",
)  # fmt: skip
NEEDS_WITH = _code(
    "GR613", "`{contract}` reads the choice `{choice}`, which `{other}` makes", "add `with: [{other}]`",
    "The contract is asked alone, so a choice of another contract would be absent.",
)  # fmt: skip
OTHER_GATE = _code(
    "GR614", "`{name}` is asked at the gate `{other}`, not at `{gate}`", "test contracts of one gate together",
    "`with` adds contracts of the same gate; choices of earlier gates are facts: `evidence[0].chosen`.",
)  # fmt: skip

# Mappings of servers

MAPPING_KEY = _code(
    "GR701", "unknown key `{key}`", "`groundrule schema mapping` lists the keys",
    "A misspelt key would be a promise about a server's results that nobody keeps.",
)  # fmt: skip
MAPPING_LACKS = _code(
    "GR702", "`{key}` is missing", "`groundrule schema mapping` says what belongs there",
    "Without it nobody can tell what the server's results mean, so none of them would be evidence.",
)  # fmt: skip
MAPPING_VALUE = _code(
    "GR703", "{key}: {problem}", "`groundrule schema mapping` says what is taken there",
    "The value is none that this key can have.",
)  # fmt: skip

# What commands are given

NO_SUCH_ZONE = _code(
    "GR901", "there is no time zone `{zone}`", "write an IANA name, such as Asia/Shanghai",
    "Days begin and end in a zone; a zone that is guessed gives other days.",
)  # fmt: skip
NO_INSTANT = _code(
    "GR902", "`{text}` is no instant: {problem}", "write RFC 3339 with offset, such as 2026-04-15T08:00:00+08:00",
    "Relative times count from one instant, within the years 2 to 9998. A time without offset is another instant in each zone.",
)  # fmt: skip
INPUT_UNREADABLE = _code(
    "GR903", "`{file}` cannot be read: {problem}", "name a file that you can read, or `-` for standard input",
    "The system does not hand out what the command was told to read.",
)  # fmt: skip
INPUT_NOT_UTF8 = _code(
    "GR904", "this is not UTF-8", "save it as UTF-8",
    "A byte that is no UTF-8 would mean different text to different readers, and every position behind it would differ.",
)  # fmt: skip
INPUT_TOO_LARGE = _code(
    "GR905", "this is too large; at most {limit} are read", "give a part of it",
    "Texts and facts are bounded, as everywhere at the border. Nothing is cut in silence.",
)  # fmt: skip
INPUT_EMPTY = _code(
    "GR906", "there is no text", "write what is to be read",
    "In an empty text everything is fine; it is probably a wrong file.",
)  # fmt: skip
UNFIT_FACTS = _code(
    "GR907", "these facts cannot be used: {problem}", "docs/reference/facts.md lists the fields",
    "Facts are read strictly: JSON without NaN or repeated keys, known fields, each of its type.",
)  # fmt: skip
FACTS_WITHOUT_EVIDENCE = _code(
    "GR908", "the facts have no `evidence`", "give the facts of the gate `evidence` or `answer`; `[]` says that there is none",
    "Against no evidence nothing is bound; it is probably a wrong file.",
)  # fmt: skip
