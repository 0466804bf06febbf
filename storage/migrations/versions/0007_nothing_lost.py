"""Articles that are retired instead of deleted, with the document that each came from.

Why an earlier article is kept becomes a state; which night a run belongs to, a column.
"""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

KEPT = {
    "replaced_by_nothing": "the page gives no article any more",
    "replaced_by_part": "the page gives only a part of it now",
    "replaced_by_shorter": "in its place the page gives something shorter under the same title",
    "replaced_by_other_text": None,
    "replaced_by_error_page": None,
    "replaced_by_worse": "no pattern reads it as well",
    "paywall": "Only the beginning of the article is shown",
}
ADDED = {
    "matches": {
        "kept": "TEXT NOT NULL DEFAULT 'none' CONSTRAINT ck_matches_kept CHECK (kept IN ('none', "
        + ", ".join(f"'{state}'" for state in KEPT)
        + "))"
    },
    "articles": {"retired_at": "TEXT", "content_hash": "TEXT"},
    "article_versions": {"content_hash": "TEXT"},
    "runs": {"night_id": "INTEGER"},
}
CURRENT = "a.retired_at IS NULL"
BEFORE = {
    "v_site_summary": """
        SELECT s.name AS site, s.url, s.paused,
            (SELECT count(*) FROM pages p
                WHERE p.site_id = s.id AND p.content_hash IS NOT NULL) AS pages,
            (SELECT count(*) FROM pages p
                WHERE p.site_id = s.id AND p.outcome = 'failed') AS failed,
            (SELECT count(*) FROM pages p WHERE p.site_id = s.id AND p.outcome = 'gone') AS gone,
            (SELECT count(*) FROM articles a WHERE a.site_id = s.id{and_current}) AS articles,
            (SELECT count(*) FROM clusters c
                WHERE c.site_id = s.id AND c.retired_at IS NULL) AS clusters,
            (SELECT count(*) FROM patterns t
                WHERE t.site_id = s.id AND t.retired_at IS NULL) AS patterns,
            r.kind AS last_run, r.status AS last_status, r.started_at AS last_started_at,
            r.note AS last_note
        FROM sites s
        LEFT JOIN runs r ON r.id = (SELECT max(id) FROM runs WHERE site_id = s.id)
    """,
    "v_cluster_summary": """
        SELECT c.id AS cluster_id, s.name AS site, c.kind, c.size, c.radius, p.url AS medoid,
            (SELECT count(*) FROM patterns t
                WHERE t.cluster_id = c.id AND t.retired_at IS NULL) AS patterns,
            (SELECT count(*) FROM cluster_members m JOIN articles a ON a.page_id = m.page_id
                WHERE m.cluster_id = c.id{and_current}) AS articles,
            c.first_seen, c.last_seen, c.retired_at
        FROM clusters c
        JOIN sites s ON s.id = c.site_id
        LEFT JOIN pages p ON p.id = c.medoid_id
    """,
    "v_article": """
        SELECT s.name AS site, p.url, a.title, a.published, a.modified, a.authors, a.section,
            a.language, a.image, a.confidence, a.method, a.pattern_id, {kept}m.reason,
            p.first_seen, p.last_seen, p.outcome, a.page_id, a.body
        FROM articles a
        JOIN pages p ON p.id = a.page_id
        JOIN sites s ON s.id = a.site_id
        LEFT JOIN matches m ON m.page_id = a.page_id
        {where_current}
    """,
}


def _recreate_views(**parts: str) -> None:
    for name, query in BEFORE.items():
        op.execute(f"CREATE VIEW {name} AS {query.format(**parts)}")


def _drop_views() -> None:
    for name in BEFORE:
        op.execute(f"DROP VIEW {name}")


def upgrade() -> None:
    _drop_views()
    for table, columns in ADDED.items():
        for name, kind in columns.items():
            op.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")
    for state, words in KEPT.items():
        if words:
            op.execute(
                f"UPDATE matches SET kept = '{state}', reason = '' "
                f"WHERE reason LIKE 'The earlier article is kept: {words}%'"
            )
    op.execute(
        "UPDATE articles SET content_hash = (SELECT content_hash FROM matches"
        " WHERE matches.page_id = articles.page_id AND kept = 'none')"
    )
    op.execute(
        "UPDATE articles SET content_hash = (SELECT content_hash FROM page_versions WHERE id ="
        " (SELECT max(v.id) FROM page_versions v WHERE v.page_id = articles.page_id))"
        " WHERE content_hash IS NULL"
    )
    _recreate_views(
        and_current=f" AND {CURRENT}", where_current=f"WHERE {CURRENT}", kept="m.kept, "
    )


def downgrade() -> None:
    _drop_views()
    op.execute("DELETE FROM articles WHERE retired_at IS NOT NULL")
    for table, columns in ADDED.items():
        for name in columns:
            op.execute(f"ALTER TABLE {table} DROP COLUMN {name}")
    _recreate_views(and_current="", where_current="", kept="")
