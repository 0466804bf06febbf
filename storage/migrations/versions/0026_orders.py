"""Indexes in the orders of the inspector's lists, and for what a night brought: little is read."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0024"
branch_labels = None
depends_on = None

CURRENT = sa.text("retired_at IS NULL")
GONE = sa.text("outcome IN ('gone', 'soft_404')")
# As `storage.lists.DOUBT` has it.
DOUBT = """(
    (CASE WHEN confidence < 0.7 THEN 2 ELSE 0 END)
    + (CASE WHEN method <> 'pattern' THEN 2 ELSE 0 END)
    + (CASE WHEN published IS NULL THEN 1 ELSE 0 END)
)"""
UNORDERED = ("confidence", "method", "published", "page_id")


def upgrade() -> None:
    op.drop_index("ix_articles_confidence_method_published_page_id", "articles")
    # What doubts are made of is in it, too: PostgreSQL reads nothing but the index then.
    op.create_index(
        "ix_articles_doubt",
        "articles",
        [sa.text(f"{DOUBT} DESC"), "confidence", "page_id", "method", "published"],
        sqlite_where=CURRENT,
        postgresql_where=CURRENT,
    )
    op.create_index(
        "ix_search_documents_dated_page_id", "search_documents", [sa.text("dated DESC"), "page_id"]
    )
    op.create_index("ix_runs_started_at", "runs", ["started_at"])
    op.create_index(
        "ix_pages_run_id", "pages", ["run_id"], sqlite_where=GONE, postgresql_where=GONE
    )


def downgrade() -> None:
    op.drop_index("ix_pages_run_id", "pages")
    op.drop_index("ix_runs_started_at", "runs")
    op.drop_index("ix_search_documents_dated_page_id", "search_documents")
    op.drop_index("ix_articles_doubt", "articles")
    op.create_index(
        "ix_articles_confidence_method_published_page_id",
        "articles",
        list(UNORDERED),
        sqlite_where=CURRENT,
        postgresql_where=CURRENT,
    )
