"""Nights: earlier articles, figures of patterns, reports, and all that restores a page."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

REAL = sa.Double().with_variant(sa.REAL(), "sqlite")

ADDED = {
    "page_versions": (
        ("encoding", sa.Text()),
        ("etag", sa.Text()),
        ("last_modified", sa.Text()),
        ("links", sa.LargeBinary()),
    ),
    "matches": (
        ("page_words", sa.Integer()),
        ("agrees", sa.Integer()),
        ("before_pattern_id", sa.Integer()),
    ),
    "articles": (("created_at", sa.Text()), ("changed_at", sa.Text())),
}
FIGURES = ("accepted", "dated", "authored", "words", "paragraphs", "captured", "agreeing")


def upgrade() -> None:
    for table, columns in ADDED.items():
        for name, kind in columns:
            op.add_column(table, sa.Column(name, kind, nullable=True))
    op.execute("UPDATE articles SET created_at = extracted_at, changed_at = extracted_at")
    op.create_table(
        "article_versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("page_id", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("seen_from", sa.Text(), nullable=False),
        sa.Column("seen_until", sa.Text(), nullable=False),
        sa.Column("changes", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["page_id"], ["pages.id"], name="fk_article_versions_page_id_pages", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_article_versions"),
        sqlite_strict=True,
    )
    op.create_index("ix_article_versions_page_id", "article_versions", ["page_id"])
    op.create_table(
        "pattern_nights",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("pattern_id", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("pages", "strict", "articles", "before")
        ),
        *(sa.Column(name, REAL, nullable=True) for name in FIGURES),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name="fk_pattern_nights_run_id_runs", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["pattern_id"],
            ["patterns.id"],
            name="fk_pattern_nights_pattern_id_patterns",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("run_id", "pattern_id", name="pk_pattern_nights"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("ix_pattern_nights_pattern_id", "pattern_nights", ["pattern_id"])
    op.create_table(
        "reports",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("needs_look", sa.Integer(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name="fk_reports_run_id_runs", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", name="pk_reports"),
        sqlite_strict=True,
    )


def downgrade() -> None:
    for table in ("reports", "pattern_nights", "article_versions"):
        op.drop_table(table)
    for table, columns in ADDED.items():
        for name, _ in columns:
            op.drop_column(table, name)
