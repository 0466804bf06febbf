"""Examples of wildcards, a true name for the table of vertices, and published patterns."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

WILDCARDS = """
    CREATE VIEW v_wildcard AS
    SELECT s.name AS site, w.pattern_id, w.vertex, w.path, w.kind, w.role, w.coverage, w.example
    FROM vertices w
    JOIN patterns t ON t.id = w.pattern_id
    JOIN sites s ON s.id = t.site_id
    WHERE w.kind <> 'n'
"""
HEALTH = """
    CREATE VIEW v_pattern_health AS
    SELECT t.id AS pattern_id, s.name AS site, t.cluster_id, t.kind, t.version, t.made_from,
        t.constants, t.score, count(m.page_id) AS pages,
        count(CASE WHEN m.fit = 'strict' THEN 1 END) AS strict,
        count(CASE WHEN m.fit = 'bounded' THEN 1 END) AS bounded,
        count(CASE WHEN m.verdict = 'article' THEN 1 END) AS articles,
        avg(m.cost) AS mean_cost, max(m.extracted_at) AS last_matched_at,
        (SELECT count(*) FROM {table} w WHERE w.pattern_id = t.id{only}) AS wildcards,
        (SELECT min(w.path) FROM {table} w
            WHERE w.pattern_id = t.id AND w.role = 'title') AS title_path,
        (SELECT min(w.path) FROM {table} w
            WHERE w.pattern_id = t.id AND w.role = 'body') AS body_path,
        t.created_at, t.retired_at
    FROM patterns t
    JOIN sites s ON s.id = t.site_id
    LEFT JOIN matches m ON m.pattern_id = t.id
    GROUP BY t.id, s.name
"""


def upgrade() -> None:
    op.execute("DROP VIEW v_pattern_health")
    op.execute("ALTER TABLE wildcards RENAME TO vertices")
    op.add_column("vertices", sa.Column("example", sa.Text(), server_default="", nullable=False))
    op.execute(HEALTH.format(table="vertices", only=" AND w.kind <> 'n'"))
    op.execute(WILDCARDS)
    op.create_table(
        "published_patterns",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("vertices", sa.Integer(), nullable=False),
        sa.Column("wildcards", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"],
            ["sites.id"],
            name="fk_published_patterns_site_id_sites",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("number", "site_id", name="pk_published_patterns"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("published_patterns")
    op.execute("DROP VIEW v_wildcard")
    op.execute("DROP VIEW v_pattern_health")
    op.execute("ALTER TABLE vertices DROP COLUMN example")
    op.execute("ALTER TABLE vertices RENAME TO wildcards")
    op.execute(HEALTH.format(table="wildcards", only=""))
