"""States in place of sentences: soft 404s, walls and broken nights are outcomes of pages.

Which states there are of runs and of decisions is checked by the database.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

OUTCOMES = {
    "soft_404": ("gone", "It says that nothing is there, with a status that says the opposite."),
    "walled": (
        "failed",
        "It showed the same text as many other pages: a wall, an error or a login.",
    ),
    "broken": (
        "failed",
        "It showed something else in the place of its article, as many other pages did.",
    ),
}
STATES = {
    ("runs", "status"): ("failed", "running", "done", "interrupted", "killed"),
    ("matches", "verdict"): ("unmatched", "article", "other", "failed"),
    ("matches", "fit"): ("none", "strict", "bounded"),
}
"""The first is what an old row has whose state is none of these."""
SUMMARY = """
    CREATE VIEW v_site_summary AS
    SELECT s.name AS site, s.url, s.paused,
        (SELECT count(*) FROM pages p
            WHERE p.site_id = s.id AND p.content_hash IS NOT NULL) AS pages,
        (SELECT count(*) FROM pages p
            WHERE p.site_id = s.id AND p.outcome IN ({failed})) AS failed,
        (SELECT count(*) FROM pages p WHERE p.site_id = s.id AND p.outcome IN ({gone})) AS gone,
        (SELECT count(*) FROM articles a
            WHERE a.site_id = s.id AND a.retired_at IS NULL) AS articles,
        (SELECT count(*) FROM clusters c
            WHERE c.site_id = s.id AND c.retired_at IS NULL) AS clusters,
        (SELECT count(*) FROM patterns t
            WHERE t.site_id = s.id AND t.retired_at IS NULL) AS patterns,
        r.kind AS last_run, r.status AS last_status, r.started_at AS last_started_at,
        r.note AS last_note
    FROM sites s
    LEFT JOIN runs r ON r.id = (SELECT max(id) FROM runs WHERE site_id = s.id)
"""


def _drop_views() -> dict[str, str]:
    """Drop all views; return what makes them again."""
    connection = op.get_bind()
    names = sa.inspect(connection).get_view_names()
    if connection.dialect.name == "sqlite":
        query = "SELECT name, sql FROM sqlite_master WHERE type = 'view'"
    else:
        query = (
            "SELECT viewname, 'CREATE VIEW ' || viewname || ' AS ' || definition FROM pg_views"
            " WHERE schemaname = current_schema()"
        )
    made = {name: sql for name, sql in connection.exec_driver_sql(query) if name in names}
    for name in made:
        op.execute(f"DROP VIEW {name}")
    return made


def _recreate_views(made: dict[str, str], *, failed: str, gone: str) -> None:
    for statement in (made | {"v_site_summary": SUMMARY.format(failed=failed, gone=gone)}).values():
        op.execute(sa.text(statement.replace(":", r"\:")))


def _replace_column(table: str, name: str, states: tuple[str, ...], check: str) -> None:
    """Make a column anew, which does not touch what refers to its table."""
    known = ", ".join(f"'{state}'" for state in states)
    op.execute(
        f"ALTER TABLE {table} ADD COLUMN new_{name} TEXT NOT NULL DEFAULT '{states[0]}'"
        + check.format(table=table, name=name, column=f"new_{name}", known=known)
    )
    op.execute(f"UPDATE {table} SET new_{name} = {name} WHERE {name} IN ({known})")
    op.execute(f"ALTER TABLE {table} DROP COLUMN {name}")
    op.execute(f"ALTER TABLE {table} RENAME COLUMN new_{name} TO {name}")


def _replace_columns(check: str) -> None:
    for (table, name), states in STATES.items():
        _replace_column(table, name, states, check)


def upgrade() -> None:
    views = _drop_views()
    for state, (outcome, sentence) in OUTCOMES.items():
        op.execute(
            f"UPDATE pages SET outcome = '{state}', error = NULL"
            f" WHERE outcome = '{outcome}' AND error = '{sentence}'"
        )
    _replace_columns(" CONSTRAINT ck_{table}_{name} CHECK ({column} IN ({known}))")
    _recreate_views(views, failed="'failed', 'walled', 'broken'", gone="'gone', 'soft_404'")


def downgrade() -> None:
    views = _drop_views()
    for state, (outcome, sentence) in OUTCOMES.items():
        op.execute(
            f"UPDATE pages SET outcome = '{outcome}', error = '{sentence}'"
            f" WHERE outcome = '{state}'"
        )
    _replace_columns("")
    _recreate_views(views, failed="'failed'", gone="'gone'")
