"""The kind of an article: news, or a page in prose that is not news."""

from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "ALTER TABLE articles ADD COLUMN kind TEXT NOT NULL DEFAULT 'news'"
        " CONSTRAINT ck_articles_kind CHECK (kind IN ('news', 'page'))"
    )


def downgrade() -> None:
    op.execute("ALTER TABLE articles DROP COLUMN kind")
