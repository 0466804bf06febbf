"""Full-text indexes of terms: FTS5 on SQLite, a tsvector on PostgreSQL, with the same hits.

Both store the terms of `search.index_terms` without tokenizing. Ids of documents are not reused, so
that an entry that was left behind is never found.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from sqlalchemy import Connection, text
from sqlalchemy.engine.interfaces import DBAPIConnection

from flong.search import (
    MARKS,
    STEPS,
    Condition,
    EntryMaker,
    Field,
    IndexedWords,
    IndexEntry,
    Phrase,
    Ranking,
    marked_entry,
    marked_terms,
    placed_entry,
    stands_in,
)

MOST_RANKED = 16
"""Maximum number of terms of a query that are ranked, within SQL's limits."""
USUAL_LENGTH = 600
"""Number of terms of a usual body, in place of BM25's mean: a constant keeps orders stable."""
ONCE = 1.3
"""Mean frequency of a term that is in a body once or twice."""
# BM25's k1 = 1.2 and b = 0.75.
_SATURATION = f"(0.3 + 0.9 * d.length / {USUAL_LENGTH})"


Entries = Mapping[int, IndexEntry]
"""Entries of documents, by id; ids are not reused."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of an SQL statement on `search_documents AS d`, with its bound values."""

    sql: str
    """The condition or expression."""
    values: Mapping[str, Any]
    """Values by name."""


class TermIndex(Protocol):
    """An index of the terms of documents."""

    join: str
    """Join for queries with required conditions."""

    @property
    def entry_of(self) -> EntryMaker:
        """Function that makes the entry of an article; workers without a database can run it."""

    def add(self, connection: Connection, documents: Entries) -> None:
        """Add documents with new ids."""

    def remove(self, connection: Connection, documents: Mapping[int, IndexedWords]) -> None:
        """Remove documents, given the same words that they were added with."""

    def clear(self, connection: Connection) -> None:
        """Remove all documents."""

    def required(self, conditions: Sequence[Condition]) -> Clause:
        """Return the condition for rows that meet all conditions, if the index can decide."""

    def excluded(self, conditions: Sequence[Condition]) -> Clause:
        """Return the condition for rows that meet no condition, if the index can decide."""

    def in_text(self, required: Sequence[Condition], excluded: Sequence[Condition]) -> Clause:
        """Return the conditions to check in each text; empty if the index has decided."""

    def relevance(
        self, connection: Connection, conditions: Sequence[Condition], ranking: Ranking
    ) -> Clause:
        """Return the relevance of a row of `candidates AS d`, for sorting."""

    def age(self, parameter: str) -> str:
        """Return the SQL expression of a row's age in days at a time."""


class Fts5Index:
    """A contentless FTS5 table with the terms of documents, without positions.

    Positions would take three times the space. In place of columns and counts, a term is indexed a
    second time with a mark if it is in the title, among the authors, in the section's name, or
    several times in the body. Phrases are searched in the texts of articles that have all their
    terms, with the SQL function `phrases_standing`.

    Python's SQLite may be 3.40, which removes documents from such a table only by the command
    `delete` with the same text; another text would damage the index silently.
    """

    join = ""

    entry_of = staticmethod(marked_entry)

    def add(self, connection: Connection, documents: Entries) -> None:
        """Add documents with new ids."""
        rows = [{"id": number, "terms": entry.terms} for number, entry in documents.items()]
        insertion = "INSERT INTO search_index (rowid, terms) VALUES (:id, :terms)"
        if rows:
            connection.execute(text(insertion), rows)

    def remove(self, connection: Connection, documents: Mapping[int, IndexedWords]) -> None:
        """Remove documents, given the same words that they were added with."""
        rows = [{"id": number, "terms": marked_terms(words)} for number, words in documents.items()]
        deletion = (
            "INSERT INTO search_index (search_index, rowid, terms) VALUES ('delete', :id, :terms)"
        )
        if rows:
            connection.execute(text(deletion), rows)

    def clear(self, connection: Connection) -> None:
        """Remove all documents."""
        connection.exec_driver_sql("INSERT INTO search_index (search_index) VALUES ('delete-all')")

    def required(self, conditions: Sequence[Condition]) -> Clause:
        """Return the condition for rows that have all terms of the conditions."""
        return Clause(self._found("required"), {"required": self._all_terms(conditions)})

    def excluded(self, conditions: Sequence[Condition]) -> Clause:
        """Return the condition for rows that have no single word of the conditions."""
        words = [each for each in conditions if len(each.phrase.terms) == 1]
        if not words:
            return Clause("", {})
        unwanted = " OR ".join(map(self._terms, words))
        return Clause(f"NOT {self._found('excluded')}", {"excluded": unwanted})

    def in_text(self, required: Sequence[Condition], excluded: Sequence[Condition]) -> Clause:
        """Return the condition for texts that contain the required phrases and no excluded one."""
        wanted, unwanted = (
            [each for each in some if len(each.phrase.terms) > 1] for some in (required, excluded)
        )
        parts, values = [], {}
        if wanted:
            parts.append(f"{self._standing('phrases')} = {len(wanted)}")
            values["phrases"] = _written(wanted)
        if unwanted:
            standing = self._standing("unwanted")
            parts.append(f"NOT ({self._found('perhaps')} AND {standing} > 0)")
            values["perhaps"] = " OR ".join(f"({self._terms(each)})" for each in unwanted)
            values["unwanted"] = _written(unwanted)
        return Clause(" AND ".join(parts), values)

    def relevance(
        self, connection: Connection, conditions: Sequence[Condition], ranking: Ranking
    ) -> Clause:
        """Return BM25 of the terms, with frequencies from their marks."""
        terms = dict.fromkeys(
            (term, each.phrase.is_prefix and term == each.phrase.terms[-1])
            for each in conditions
            if each.where in (Field.TEXT, Field.TITLE)
            for term in each.phrase.terms
        )
        documents = connection.execute(text("SELECT count(*) FROM search_documents")).scalar_one()
        known = text("SELECT doc FROM search_vocabulary WHERE term = :term")
        frequencies = {
            (term, is_prefix): connection.execute(known, {"term": term}).scalar() or 0
            for term, is_prefix in list(terms)[:MOST_RANKED]
        }
        # Articles without the rarest term need no marks; a prefix is never rare.
        whole = [each for each in frequencies if not each[1]] or list(frequencies)
        rarest, starts = min(whole, key=frequencies.__getitem__, default=("", False))
        asked = self._token(rarest, is_prefix=starts)
        values: dict[str, Any] = {}
        sums = []
        for number, ((term, is_prefix), having) in enumerate(frequencies.items()):
            rarity = math.log(1 + (documents - having + 0.5) / (having + 0.5))
            counted = [(step.mark, step.more) for step in STEPS]
            counted.append((MARKS[Field.TITLE], ranking.title_weight))
            count = f"{ONCE}"
            for place, (mark, more) in enumerate(counted):
                name = f"marked_{number}_{place}"
                values[name] = f"{asked} AND {self._token(mark + term, is_prefix=is_prefix)}"
                # Marks of older documents are not read.
                least = "rowid >= (SELECT min(id) FROM candidates)"
                count += f" + {float(more)} * ({self._found(name, least)})"
            # BM25's n / (n + k), with n in it only once.
            sums.append(f"{rarity} * (1 - {_SATURATION} / ({count} + {_SATURATION}))")
        return Clause(" + ".join(sums) or "0.0", values)

    def _all_terms(self, conditions: Sequence[Condition]) -> str:
        return " AND ".join(map(self._terms, conditions))

    def _terms(self, condition: Condition) -> str:
        """Return the FTS5 expression for documents that have all terms of a condition."""
        terms, mark = condition.phrase.terms, MARKS[condition.where]
        last = len(terms) - 1 if condition.phrase.is_prefix else None
        return " AND ".join(
            self._token(mark + term, is_prefix=place == last) for place, term in enumerate(terms)
        )

    @staticmethod
    def _token(term: str, *, is_prefix: bool) -> str:
        # Terms have no quotes in them, so no part of a query is FTS5 syntax.
        return f'"{term}"{" *" * is_prefix}'

    @staticmethod
    def _found(parameter: str, also: str = "true") -> str:
        matching = f"search_index MATCH :{parameter} AND {also}"
        return f"d.id IN (SELECT rowid FROM search_index WHERE {matching})"  # noqa: S608 - ours

    @staticmethod
    def _standing(parameter: str) -> str:
        return (
            "(SELECT phrases_standing(a.title, coalesce(j.body, a.body), a.authors, a.section,"  # noqa: S608 - ours
            f" :{parameter}) FROM articles AS a LEFT JOIN article_pages AS j"
            " ON j.page_id = a.page_id WHERE a.page_id = d.page_id)"
        )

    def age(self, parameter: str) -> str:
        """Return the SQL expression of a row's age in days at a time."""
        return f"max(0.0, julianday(:{parameter}) - julianday(d.dated))"


def define_functions(connection: DBAPIConnection) -> None:
    """Define the SQL function for phrases on an SQLite connection."""
    connection.create_function("phrases_standing", 5, phrases_standing, deterministic=True)


def phrases_standing(title: str, body: str, authors: str, section: str | None, phrases: str) -> int:
    """Return the number of phrases in an article; an SQL function of `Fts5Index`.

    >>> asked = _written([Condition(Phrase(("so", "be"))), Condition(Phrase(("it", "be")))])
    >>> phrases_standing("", "So be it", "", None, asked)
    1
    """
    parts = {
        Field.TEXT: (title, body),
        Field.TITLE: (title,),
        Field.AUTHOR: (authors,),
        Field.SECTION: (section or "",),
    }
    return sum(
        any(stands_in(part, each.phrase) for part in parts[each.where]) for each in _read(phrases)
    )


def _written(conditions: Sequence[Condition]) -> str:
    return json.dumps([(c.where, c.phrase.terms, c.phrase.is_prefix) for c in conditions])


@lru_cache(maxsize=16)
def _read(conditions: str) -> tuple[Condition, ...]:
    return tuple(
        Condition(Phrase(tuple(terms), is_prefix), Field(where))
        for where, terms, is_prefix in json.loads(conditions)
    )


class TsVectorIndex:
    """A table with a tsvector: titles have weight A, authors B, sections C, bodies D."""

    join = "JOIN search_index ON search_index.id = d.id"

    _FIELDS = {Field.TEXT: "AD", Field.TITLE: "A", Field.AUTHOR: "B", Field.SECTION: "C"}  # noqa: RUF012

    entry_of = staticmethod(placed_entry)

    def add(self, connection: Connection, documents: Entries) -> None:
        """Add documents with new ids."""
        rows = [
            {"id": number, "terms": entry.terms, "long_body": entry.long_body}
            for number, entry in documents.items()
        ]
        insertion = (
            "INSERT INTO search_index (id, terms, long_body)"
            " VALUES (:id, CAST(:terms AS tsvector), :long_body)"
        )
        if rows:
            connection.execute(text(insertion), rows)

    def remove(self, connection: Connection, documents: Mapping[int, IndexedWords]) -> None:
        """Remove documents."""
        rows = [{"id": number} for number in documents]
        if rows:
            connection.execute(text("DELETE FROM search_index WHERE id = :id"), rows)

    def clear(self, connection: Connection) -> None:
        """Remove all documents."""
        connection.exec_driver_sql("TRUNCATE search_index")

    def required(self, conditions: Sequence[Condition]) -> Clause:
        """Return the condition for rows that meet all conditions."""
        return self._fulfilling("required", conditions, "and")

    def excluded(self, conditions: Sequence[Condition]) -> Clause:
        """Return the condition for rows that meet no condition."""
        found = self._fulfilling("excluded", conditions, "or")
        matching = f"SELECT 1 FROM search_index WHERE search_index.id = d.id AND {found.sql}"  # noqa: S608 - ours
        return Clause(f"NOT EXISTS ({matching})", found.values)

    def in_text(self, required: Sequence[Condition], excluded: Sequence[Condition]) -> Clause:
        """Return an empty clause: positions in the index decide about phrases."""
        return Clause("", {})

    def _fulfilling(self, name: str, conditions: Sequence[Condition], how: str) -> Clause:
        """Return the condition for rows that meet all (`and`) or one (`or`) of the conditions."""
        sign = {"and": " & ", "or": " | "}[how]
        asked = sign.join(map(self._expression, conditions))
        phrases = [c for c in conditions if len(c.phrase.terms) > 1 and c.where is Field.TEXT]
        if not phrases:
            return Clause(self._matches(name), {name: asked})
        # Positions end in long texts, so their phrases are searched in the text.
        perhaps = (self._terms(c) if c in phrases else self._expression(c) for c in conditions)
        arrays = f"CAST(:{name}_queries AS text[]), CAST(:{name}_texts AS text[])"
        long = (
            f"search_index.long_body IS NOT NULL AND {self._matches(f'{name}_terms')}"  # noqa: S608 - ours
            f" AND (SELECT bool_{how}(search_index.terms @@ CAST(p.query AS tsquery)"
            f" OR strpos(search_index.long_body, p.phrase) > 0)"
            f" FROM unnest({arrays}) AS p (query, phrase))"
        )
        values = {
            name: asked,
            f"{name}_terms": sign.join(f"({each})" for each in perhaps),
            f"{name}_queries": [self._expression(each) for each in phrases],
            f"{name}_texts": [_in_a_row(each.phrase) for each in phrases],
        }
        return Clause(f"({self._matches(name)} OR {long})", values)

    def _terms(self, condition: Condition) -> str:
        """Return the tsquery for documents that have all terms of a condition."""
        weights, (*first, last) = self._FIELDS[condition.where], condition.phrase.terms
        every = [Phrase((term,)) for term in first]
        every.append(Phrase((last,), condition.phrase.is_prefix))
        return " & ".join(_tsquery(each, weights) for each in every)

    def relevance(
        self, connection: Connection, conditions: Sequence[Condition], ranking: Ranking
    ) -> Clause:
        """Return PostgreSQL's cover density, reduced for longer texts."""
        least = 1 / max(1.0, ranking.title_weight)
        weights = f"'{{{least}, {least}, {least}, 1.0}}'"
        query = "CAST(:ranked AS tsquery)"
        rank = f"ts_rank_cd(CAST({weights} AS real[]), search_index.terms, {query}, 1)"
        return Clause(rank, {"ranked": self._all_of(conditions)})

    def _all_of(self, conditions: Sequence[Condition]) -> str:
        return " & ".join(map(self._expression, conditions))

    def _expression(self, condition: Condition) -> str:
        return f"({_tsquery(condition.phrase, self._FIELDS[condition.where])})"

    @staticmethod
    def _matches(parameter: str) -> str:
        return f"search_index.terms @@ CAST(:{parameter} AS tsquery)"

    def age(self, parameter: str) -> str:
        """Return the SQL expression of a row's age in days at a time."""
        times = f"CAST(:{parameter} AS timestamptz) - CAST(d.dated AS timestamptz)"
        return f"greatest(0, extract(epoch FROM {times}) / 86400)"


def term_index(dialect: str) -> TermIndex:
    """Return the index for a kind of database."""
    return Fts5Index() if dialect == "sqlite" else TsVectorIndex()


def _in_a_row(phrase: Phrase) -> str:
    """Return the substring that texts of terms, joined by spaces, have if they have a phrase."""
    return f" {' '.join(phrase.terms)}" + " " * (not phrase.is_prefix)


def _tsquery(phrase: Phrase, weights: str) -> str:
    terms = [f"'{term}':{weights}" for term in phrase.terms]
    if phrase.is_prefix:
        terms[-1] = f"'{phrase.terms[-1]}':*{weights}"
    return " <-> ".join(terms)
