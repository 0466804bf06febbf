"""What a reader saw of a page when it was crawled, and whether a site is crawled so."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE sites ADD COLUMN visual INTEGER DEFAULT 0 NOT NULL")
    op.create_table(
        "page_blocks",
        sa.Column("page_id", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("blocks", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["page_id"], ["pages.id"], name="fk_page_blocks_page_id_pages", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("page_id", name="pk_page_blocks"),
        sqlite_strict=True,
    )


def downgrade() -> None:
    op.drop_table("page_blocks")
    op.execute("ALTER TABLE sites DROP COLUMN visual")
