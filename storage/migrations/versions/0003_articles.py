"""Articles, how they were decided, and views of everything."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

REAL = sa.Double().with_variant(sa.REAL(), "sqlite")

VIEWS = {
    "v_site_summary": """
        SELECT s.name AS site, s.url, s.paused,
            (SELECT count(*) FROM pages p
                WHERE p.site_id = s.id AND p.content_hash IS NOT NULL) AS pages,
            (SELECT count(*) FROM pages p
                WHERE p.site_id = s.id AND p.outcome = 'failed') AS failed,
            (SELECT count(*) FROM pages p WHERE p.site_id = s.id AND p.outcome = 'gone') AS gone,
            (SELECT count(*) FROM articles a WHERE a.site_id = s.id) AS articles,
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
            (SELECT count(*) FROM cluster_members m
                JOIN articles a ON a.page_id = m.page_id WHERE m.cluster_id = c.id) AS articles,
            c.first_seen, c.last_seen, c.retired_at
        FROM clusters c
        JOIN sites s ON s.id = c.site_id
        LEFT JOIN pages p ON p.id = c.medoid_id
    """,
    "v_pattern_health": """
        SELECT t.id AS pattern_id, s.name AS site, t.cluster_id, t.kind, t.version, t.made_from,
            t.constants, t.score, count(m.page_id) AS pages,
            count(CASE WHEN m.fit = 'strict' THEN 1 END) AS strict,
            count(CASE WHEN m.fit = 'bounded' THEN 1 END) AS bounded,
            count(CASE WHEN m.verdict = 'article' THEN 1 END) AS articles,
            avg(m.cost) AS mean_cost, max(m.extracted_at) AS last_matched_at,
            (SELECT count(*) FROM wildcards w WHERE w.pattern_id = t.id) AS wildcards,
            (SELECT min(w.path) FROM wildcards w
                WHERE w.pattern_id = t.id AND w.role = 'title') AS title_path,
            (SELECT min(w.path) FROM wildcards w
                WHERE w.pattern_id = t.id AND w.role = 'body') AS body_path,
            t.created_at, t.retired_at
        FROM patterns t
        JOIN sites s ON s.id = t.site_id
        LEFT JOIN matches m ON m.pattern_id = t.id
        GROUP BY t.id, s.name
    """,
    "v_article": """
        SELECT s.name AS site, p.url, a.title, a.published, a.modified, a.authors, a.section,
            a.language, a.image, a.confidence, a.method, a.pattern_id, m.reason,
            p.first_seen, p.last_seen, p.outcome, a.page_id, a.body
        FROM articles a
        JOIN pages p ON p.id = a.page_id
        JOIN sites s ON s.id = a.site_id
        LEFT JOIN matches m ON m.page_id = a.page_id
    """,
}


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("page_id", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("model_version", sa.Integer(), nullable=False),
        sa.Column("pattern_id", sa.Integer(), nullable=True),
        sa.Column("fit", sa.Text(), nullable=False),
        sa.Column("cost", REAL, nullable=True),
        sa.Column("constants", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("score", REAL, nullable=True),
        sa.Column("run_id", sa.Integer(), nullable=True),
        sa.Column("extracted_at", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["page_id"], ["pages.id"], name="fk_matches_page_id_pages", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["pattern_id"],
            ["patterns.id"],
            name="fk_matches_pattern_id_patterns",
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name="fk_matches_run_id_runs", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("page_id", name="pk_matches"),
        sqlite_strict=True,
    )
    op.create_index("ix_matches_pattern_id", "matches", ["pattern_id"])
    op.create_table(
        "articles",
        sa.Column("page_id", sa.Integer(), nullable=False),
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("published", sa.Text(), nullable=True),
        sa.Column("modified", sa.Text(), nullable=True),
        sa.Column("authors", sa.Text(), nullable=False),
        sa.Column("image", sa.Text(), nullable=True),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("section", sa.Text(), nullable=True),
        sa.Column("confidence", REAL, nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("pattern_id", sa.Integer(), nullable=True),
        sa.Column("extracted_at", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["page_id"], ["pages.id"], name="fk_articles_page_id_pages", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["pattern_id"],
            ["patterns.id"],
            name="fk_articles_pattern_id_patterns",
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["site_id"], ["sites.id"], name="fk_articles_site_id_sites", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("page_id", name="pk_articles"),
        sqlite_strict=True,
    )
    op.create_index("ix_articles_site_id", "articles", ["site_id"])
    op.create_table(
        "provenance",
        sa.Column("page_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("vertex", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["page_id"],
            ["articles.page_id"],
            name="fk_provenance_page_id_articles",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("page_id", "position", name="pk_provenance"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    for name, query in VIEWS.items():
        op.execute(f"CREATE VIEW {name} AS {query}")


def downgrade() -> None:
    for name in VIEWS:
        op.execute(f"DROP VIEW {name}")
    op.drop_table("provenance")
    op.drop_table("articles")
    op.drop_table("matches")
