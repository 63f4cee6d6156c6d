"""The English words of the time grammar, lower case. A word that is not here is not read.

Ambiguous words (may, march, sun …) carry the kind that they have as a time word; whether they are one is decided by
their neighbours.
"""

from __future__ import annotations

from .kinds import Entry, K, Value, entries

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAYS_SHORT = {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
MONTHS = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
    "october": 10, "november": 11, "december": 12, "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8,
    "sept": 9, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}  # fmt: skip
DOUBTFUL = frozenset({"may", "march", "mar", "sat", "sun", "mon", "wed", "fri", "dec", "jan", "august"})
"""English words that are dates only in the company of another date word, a preposition, or a capital letter."""
NEVER_ALONE = frozenset({"may", "march", "mar", "sat", "sun"})
"""Of those, the ones that a capital letter does not make a date."""

_TABLE: tuple[tuple[K, Value, str], ...] = (
    (K.CLOCK, (12, 0), "noon midday noonish"),
    (K.CLOCK, (0, 0), "midnight"),
    (K.DAY, 0, "today"),
    (K.DAY, 1, "tomorrow tmrw tmr"),
    (K.DAY, -1, "yesterday"),
    (K.DAY_PART, (0, "night"), "tonight tonite"),
    (K.PART, "morning", "morning"),
    (K.PART, "afternoon", "afternoon"),
    (K.PART, "evening", "evening"),
    (K.PART, "night", "night"),
    (K.PART, "daytime", "daytime"),
    (K.WEEKDAYS, -1, "everyday daily mornings afternoons evenings weekends"),
    (K.PERIOD, ("year", "to date"), "ytd"),
    (K.UNIT, "second", "seconds sec secs"),
    (K.UNIT, "minute", "minute minutes min mins"),
    (K.UNIT, "hour", "hour hours hr hrs h"),
    (K.UNIT, "day", "day days"),
    (K.UNIT, "week", "week weeks wk wks"),
    (K.UNIT, "month", "month months"),
    (K.UNIT, "quarter", "quarter quarters"),
    (K.UNIT, "year", "year years yr yrs"),
    (K.UNIT, "decade", "decade decades"),
    (K.UNIT, "century", "century centuries"),
    (K.UNIT, "fortnight", "fortnight fortnights"),
    (K.UNIT, "weekend", "weekend"),
    (K.REL, 0, "this current"),
    (K.REL, -1, "last previous"),
    (K.REL, 1, "next coming upcoming following"),
    (K.EDGE, "early", "early"),
    (K.EDGE, "mid", "mid"),
    (K.EDGE, "late", "late"),
    (K.EDGE, "start", "beginning start"),
    (K.EDGE, "middle", "middle"),
    (K.EDGE, "end", "end"),
    (K.EDGE_OF, ("year", "late"), "eoy"),
    (K.EDGE_OF, ("month", "late"), "eom"),
    (K.PAST, 0, "past"),
    (K.BEFORE, 0, "before"),
    (K.AFTER, 0, "after"),
    (K.SINCE, 0, "since"),
    (K.SINCE, 1, "starting"),
    (K.BY, 1, "until"),
    (K.BY, 0, "by"),
    (K.ONWARD, 0, "onward onwards"),
    (K.NOW, 0, "now currently presently"),
    (K.FROM, 0, "from"),
    (K.BETWEEN, 0, "between"),
    (K.TO, 1, "till til"),
    (K.TO, 0, "to through thru"),
    (K.AND, 0, "and"),
    (K.OR, 0, "or"),
    (K.OF, 0, "of"),
    (K.THE, 0, "the"),
    (K.ON, 0, "on"),
    (K.AT, 0, "at"),
    (K.IN, 0, "in"),
    (K.IN, 1, "during over for"),
    (K.WITHIN, 0, "within"),
    (K.ABOUT, 0, "about around approximately"),
    (K.MERIDIEM, "am", "am"),
    (K.MERIDIEM, "pm", "pm"),
    (K.OCLOCK, 0, "oclock"),
    (K.HALF_AN, 0, "half"),
    (K.ARTICLE, 1, "a an"),
    (K.COUPLE, 2, "couple"),
    (K.VAGUE, 0, "few several some many"),
    (K.EVERY, 0, "every each any all annually weekly monthly yearly"),
    (K.HOLIDAY, "12-25", "christmas xmas"),
    (K.HOLIDAY, "10-31", "halloween"),
    (K.HOLIDAY, "thanksgiving", "thanksgiving"),
    (K.HOLIDAY, "easter", "easter"),
    (K.SEASON, 0, "spring summer autumn fall winter"),
    (K.FISCAL, 0, "fiscal fy school academic financial season"),
    (K.FORECAST, 0, "forecast weather"),
    (K.ZONE, "+0000", "utc gmt"),
    (K.ZONE, "-0800", "pst"),
    (K.ZONE, "-0500", "est"),
    (K.ZONE, "-0400", "edt"),
    (K.ZONE, "+0100", "cet"),
    (K.ZONE, "+0200", "cest"),
    (K.ZONE, "+0900", "jst kst"),
    (K.ZONE, "+0800", "hkt sgt awst"),
    (K.ZONE, "+1000", "aest"),
    (K.ZONE, "+1100", "aedt"),
    (K.ZONE, "+0300", "msk"),
    (K.ZONE, "-0700", "pdt mst"),
    (K.ZONE, "-0600", "mdt"),
    (K.ZONE, "", "cst ist bst cdt et ct pt"),
    (K.AGO, "ago", "ago"),
    (K.LATER, "later", "later"),
    (K.LATER, "hence", "hence"),
    (K.EARLIER, 0, "earlier"),
    (K.REST, 0, "rest remainder remaining"),
    (K.OTHER, 0, "prior"),
)  # fmt: skip
"""Kind, value, words."""
_PHRASES: tuple[tuple[K, Value, str], ...] = (
    (K.CLOCK, (0, 0), "mid night"),
    (K.DAY, 2, "the day after tomorrow|day after tomorrow"),
    (K.DAY, -2, "the day before yesterday|day before yesterday"),
    (K.PERIOD, ("year", "to date"), "year to date"),
    (K.UNIT, "year", "calendar year"),
    (K.WEEK_FROM, 0, "week commencing|w/c|week beginning|week starting|week beginning on|week starting on"),
    (K.PAST, 1, "this past"),
    (K.REL, 1, "this coming|this upcoming"),
    (K.BEFORE, 0, "prior to|earlier than"),
    (K.AFTER, 0, "or later than|later than"),
    (K.SINCE, 0, "ever since"),
    (K.SINCE, 1, "on or after|as early as|starting on|starting from|beginning on|beginning in"),
    (K.AS_OF, 0, "as of|up to"),
    (K.BY, 0, "on or before|no later than|as late as"),
    (K.BY, 2, "or earlier|and earlier|or before"),
    (K.ONWARD, 0, "or later|and greater|and later|and onwards"),
    (K.ONWARD, 1, "and after|or after"),
    (K.NOW, 0, "right now|at the moment|at present|at the present time|current date"),
    (K.JUST_NOW, 0, "just now|moments ago"),
    (K.SO_FAR, 0, "so far|to date|till date|until now|up to now"),
    (K.OCLOCK, 0, "o'clock"),
    (K.FEAST, 0, "lunar new year|chinese new year|spring festival"),
    (K.HOLIDAY, "01-01", "new year's day|new years day|new year day"),
    (K.HOLIDAY, "12-31", "new year's eve"),
    (K.HOLIDAY, "07-04", "independence day"),
    (K.HOLIDAY, "easter-2", "good friday"),
    (K.HOLIDAY, "easter+0", "easter sunday"),
    (K.HOLIDAY, "easter+1", "easter monday"),
    (K.HOLIDAY, "12-26", "boxing day"),
    (K.HOLIDAY, "12-25", "christmas day"),
    (K.HOLIDAY, "12-24", "christmas eve"),
    (K.HOLIDAY, "02-14", "valentine's day"),
    (K.HOLIDAY, "thanksgiving", "thanksgiving day"),
    (K.ZONE, "", "pacific time|eastern time|central time|mountain time|local time"),
    (K.ZONE, "+0800", "beijing time"),
    (K.FROM_NOW, 0, "from now"),
    (K.EARLIER, 1, "earlier this"),
    (K.EARLIER, 0, "earlier in"),
    (K.LATER_IN, 0, "later in"),
    (K.LATER_IN, 1, "later this"),
    (K.MORE, 0, "more than|longer than|greater than|at least|no less than|not less than|no fewer than"),
    (K.LESS, 0, "less than|fewer than|no more than|not more than|at most|no longer than"),
    (K.OTHER, 0, "the other day|day after day|second hand|up to date|last minute|per day"),
)  # fmt: skip
"""Kind, value, expressions of several words."""
_CARDINALS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth",
)  # fmt: skip


def words() -> dict[str, Entry]:
    """Every single English word of the grammar."""
    made: dict[str, Entry] = {word: (K.NUM, value) for value, word in enumerate(_CARDINALS)}
    made |= {word: (K.NUM, 10 * value) for value, word in enumerate(_TENS, start=2)}
    made |= {word: (K.ORD, value) for value, word in enumerate(_ORDINALS, start=1)} | {"thirtieth": (K.ORD, 30)}
    made |= {word: (K.WEEKDAY, day) for day, word in enumerate(_WEEKDAYS)}
    made |= {word + "s": (K.WEEKDAYS, day) for day, word in enumerate(_WEEKDAYS)}
    made |= {word: (K.WEEKDAY, day) for word, day in _WEEKDAYS_SHORT.items()}
    made |= {word: (K.MONTH, month) for word, month in MONTHS.items()}
    return made | entries(_TABLE)


def phrases() -> dict[str, Entry]:
    """English time words of several words, single blanks between them."""
    return entries(_PHRASES, "|")
