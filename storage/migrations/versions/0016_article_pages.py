"""Stories of several pages, and the same article at several URLs, are one article each."""

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

IS_PART = """EXISTS (
        SELECT 1 FROM article_pages j WHERE j.page_id = a.page_id AND j.article_id <> j.page_id
    )"""
ARTICLE = """
    SELECT s.name AS site, p.url, a.title, a.published, a.published_precision, a.modified,
        a.authors, a.section, a.description, a.tags, a.publisher, a.canonical_url, a.access,
        a.genre, a.language, a.image, a.confidence, a.method, a.pattern_id, m.kept, m.reason,
        p.first_seen, p.last_seen, p.outcome, a.page_id, {body} AS body
    FROM articles a
    JOIN pages p ON p.id = a.page_id
    JOIN sites s ON s.id = a.site_id
    LEFT JOIN matches m ON m.page_id = a.page_id
    {joined}WHERE a.retired_at IS NULL{shown}
"""
SUMMARY = """
    SELECT s.name AS site, s.url, s.paused,
        (SELECT count(*) FROM pages p
            WHERE p.site_id = s.id AND p.content_hash IS NOT NULL) AS pages,
        (SELECT count(*) FROM pages p
            WHERE p.site_id = s.id AND p.outcome IN ('failed', 'walled', 'broken')) AS failed,
        (SELECT count(*) FROM pages p
            WHERE p.site_id = s.id AND p.outcome IN ('gone', 'soft_404')) AS gone,
        (SELECT count(*) FROM articles a
            WHERE a.site_id = s.id AND a.retired_at IS NULL{shown}) AS articles,
        (SELECT count(*) FROM clusters c
            WHERE c.site_id = s.id AND c.retired_at IS NULL) AS clusters,
        (SELECT count(*) FROM patterns t
            WHERE t.site_id = s.id AND t.retired_at IS NULL) AS patterns,
        r.kind AS last_run, r.status AS last_status, r.started_at AS last_started_at,
        r.note AS last_note
    FROM sites s
    LEFT JOIN runs r ON r.id = (SELECT max(id) FROM runs WHERE site_id = s.id)
"""


def upgrade() -> None:
    strict = " STRICT" if op.get_bind().dialect.name == "sqlite" else ""
    op.execute(f"""
        CREATE TABLE article_pages (
            page_id INTEGER NOT NULL,
            article_id INTEGER NOT NULL,
            position INTEGER NOT NULL,
            role TEXT NOT NULL CONSTRAINT ck_article_pages_role CHECK (role IN ('page', 'copy')),
            structure TEXT,
            body TEXT,
            CONSTRAINT pk_article_pages PRIMARY KEY (page_id),
            CONSTRAINT fk_article_pages_page_id_pages
                FOREIGN KEY (page_id) REFERENCES pages (id) ON DELETE CASCADE,
            CONSTRAINT fk_article_pages_article_id_pages
                FOREIGN KEY (article_id) REFERENCES pages (id) ON DELETE CASCADE
        ){strict}
    """)
    op.execute("CREATE INDEX ix_article_pages_article_id ON article_pages (article_id)")
    shown = f" AND NOT {IS_PART}"
    joined = "LEFT JOIN article_pages g ON g.page_id = a.page_id\n    "
    _replace_views(body="coalesce(g.body, a.body)", joined=joined, shown=shown)


def downgrade() -> None:
    _replace_views(body="a.body", joined="", shown="")
    op.execute("DROP TABLE article_pages")


def _replace_views(*, body: str, joined: str, shown: str) -> None:
    op.execute("DROP VIEW v_article")
    op.execute("DROP VIEW v_site_summary")
    op.execute(f"CREATE VIEW v_article AS {ARTICLE.format(body=body, joined=joined, shown=shown)}")
    op.execute(f"CREATE VIEW v_site_summary AS {SUMMARY.format(shown=shown)}")
