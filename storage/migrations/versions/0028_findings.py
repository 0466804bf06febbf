"""Findings by kind in place of sentences, and the runs that made, edited and retired articles.

Sentences of earlier reports are kept as they are. Those that were seen or muted stay so, and
where their kind is known later findings of that kind do, too.
"""

import json
import re

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0026"
branch_labels = None
depends_on = None

KINDS = (
    ("showed one and the same text", "wall"),
    ("showed something else in the place of their articles", "broken"),
    ("The home page of", "empty_home"),
    ("could not be had:", "articles_failed"),
    ("are gone since the last night", "articles_gone"),
    ("lead to another URL now", "articles_moved"),
    ("shown only in part, as behind a paywall", "paywall"),
    ("have changed; it was learned again", "redesign"),
    ("are taken for none since it was learned again", "retired"),
    ("on such a day on the mean", "few_articles"),
    ("No pattern of articles was found", "no_article_pattern"),
    ("before is kept.", "model_kept"),
    ("could not be crawled:", "crawl_refused"),
    ("ended badly.", "crawl_failed"),
    ("was stopped; the next night goes on from there", "crawl_stopped"),
    ("The crawl ended", "crawl_bounded"),
)
"""Parts of sentences of earlier versions, and the kinds of what they say about a whole site."""
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
EARLIER = {"look": "earlier", "drifted": "drift_earlier", "done": "note_earlier"}
"""Kinds that keep sentences, by the list of a report that they stood in."""
RUN_COLUMNS = (
    ("articles", "created_run_id"),
    ("articles", "retired_run_id"),
    ("article_versions", "run_id"),
)


def upgrade() -> None:
    for table, column in RUN_COLUMNS:
        op.add_column(table, sa.Column(column, sa.Integer(), nullable=True))
    op.create_index("ix_articles_created_run_id", "articles", ["created_run_id"])
    op.create_table(
        "muted_findings",
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("said_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["sites.id"], name="fk_muted_findings_site_id_sites", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("site_id", "kind", "subject", name="pk_muted_findings"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    _mute()
    op.drop_table("look_states")
    op.execute("ALTER TABLE reports RENAME COLUMN needs_look TO needs_attention")
    _rewrite_reports(_with_findings)


def downgrade() -> None:
    _rewrite_reports(_with_sentences)
    op.execute("ALTER TABLE reports RENAME COLUMN needs_attention TO needs_look")
    op.create_table(
        "look_states",
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("said_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["sites.id"], name="fk_look_states_site_id_sites", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("site_id", "about", name="pk_look_states"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.execute(
        "INSERT INTO look_states SELECT site_id, subject, state, said_at FROM muted_findings"
        " WHERE kind = 'earlier'"
    )
    op.drop_table("muted_findings")
    op.drop_index("ix_articles_created_run_id", "articles")
    for table, column in reversed(RUN_COLUMNS):
        op.drop_column(table, column)


def _mute() -> None:
    connection = op.get_bind()
    rows = {}
    query = "SELECT site_id, about, state, said_at FROM look_states ORDER BY state DESC, said_at"
    for site_id, about, state, said_at in connection.exec_driver_sql(query):
        rows[site_id, "earlier", about] = (state, said_at)
        for part, kind in KINDS:
            if part in about:
                rows[site_id, kind, ""] = (state, said_at)
                break
    insert = sa.text(
        "INSERT INTO muted_findings (site_id, kind, subject, state, said_at)"
        " VALUES (:site_id, :kind, :subject, :state, :said_at)"
    )
    for (site_id, kind, subject), (state, said_at) in rows.items():
        row = {"site_id": site_id, "kind": kind, "subject": subject}
        connection.execute(insert, row | {"state": state, "said_at": said_at})


def _rewrite_reports(rewrite) -> None:
    connection = op.get_bind()
    runs = [run_id for (run_id,) in connection.exec_driver_sql("SELECT run_id FROM reports")]
    read = sa.text("SELECT data FROM reports WHERE run_id = :run")
    write = sa.text("UPDATE reports SET data = :data WHERE run_id = :run")
    for run_id in runs:
        report = json.loads(connection.execute(read, {"run": run_id}).scalar_one())
        data = json.dumps(rewrite(report), ensure_ascii=False)
        connection.execute(write, {"run": run_id, "data": data})


def _with_findings(report):
    findings = [
        {
            "kind": kind,
            "site": report.get("site", ""),
            "subject": NUMBER.sub("#", sentence) if kind == "earlier" else "",
            "counts": {},
            "detail": sentence,
        }
        for name, kind in EARLIER.items()
        for sentence in report.pop(name, ())
    ]
    needs_attention = report.pop("needs_look", False)
    return report | {"findings": findings, "needs_attention": needs_attention}


def _with_sentences(report):
    found = report.pop("findings", ())
    for name, kind in EARLIER.items():
        report[name] = [each["detail"] for each in found if each["kind"] == kind]
    # Findings that have no sentence in them are named by their kind.
    report["look"] += [each["kind"] for each in found if each["kind"] not in EARLIER.values()]
    return report | {"needs_look": report.pop("needs_attention", False)}
