"""Times in plain words among those of a query: never a filter by themselves, but offered as one.

Somebody who types `budget last week` may mean the time or the words; the words are searched, and a hint gives the query
that filters by it.
"""

from collections.abc import Iterator, Sequence

from scrubjay.profiles.search.query.query_tree import QueryWarning, Word

_SAID = {
    "today": "today | heute | aujourd'hui | hoy | oggi | hoje | vandaag | сегодня | 今天 | 今日",
    "yesterday": "yesterday | gestern | hier | ayer | ieri | ontem | gisteren | вчера | 昨天 | 昨日",
    "this week": "this week | diese woche | cette semaine | esta semana | questa settimana | deze week | эта неделя"
    " | на этой неделе | 本周 | 这周 | 今週",
    "last week": "last week | letzte woche | vorige woche | la semaine dernière | semaine dernière | la semana pasada"
    " | semana pasada | la settimana scorsa | semana passada | vorige week | прошлая неделя | на прошлой неделе"
    " | 上周 | 先週",
    "this month": "this month | diesen monat | ce mois-ci | este mes | questo mese | este mês | deze maand"
    " | в этом месяце | 本月 | 这个月 | 今月",
    "last month": "last month | letzten monat | le mois dernier | mois dernier | el mes pasado | mes pasado"
    " | il mese scorso | mês passado | vorige maand | в прошлом месяце | 上个月 | 先月",
    "this year": "this year | dieses jahr | cette année | este año | quest'anno | este ano | dit jaar | в этом году"
    " | 今年",
    "last year": "last year | letztes jahr | l'année dernière | el año pasado | año pasado | l'anno scorso"
    " | ano passado | vorig jaar | в прошлом году | 去年 | 昨年",
}
_TIMES = {tuple(said.split()): time for time, many in _SAID.items() for said in map(str.strip, many.split("|"))}
_LONGEST = max(map(len, _TIMES))


def date_hints(query: str, words: Sequence[Word]) -> Iterator[QueryWarning]:
    """A hint for each time that stands in plain words. words: those of the query, in its order."""
    at = 0
    while at < len(words):
        count = next((count for count in range(_LONGEST, 0, -1) if _time(words[at : at + count], count)), 0)
        if count:
            start, end = words[at].span[0], words[at + count - 1].span[1]
            time = _time(words[at : at + count], count)
            instead = f'modified:"{time}"' if " " in time else f"modified:{time}"
            rest = " ".join(f"{query[:start]} {instead} {query[end:]}".split())
            message = f"These words are searched. For the notes changed then, write {instead}."
            yield QueryWarning("date-in-words", message, start, end, rest)
        at += count or 1


def _time(words: Sequence[Word], count: int) -> str:
    """The time that exactly so many words name; "" where they name none."""
    return _TIMES.get(tuple(word.text.casefold() for word in words), "") if len(words) == count else ""
