"""Which part of a site is crawled, and with whose cookies."""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

NAMES = ("include", "exclude", "cookies")


def upgrade() -> None:
    for name in NAMES:
        op.execute(f"ALTER TABLE sites ADD COLUMN {name} TEXT")


def downgrade() -> None:
    for name in NAMES:
        op.execute(f"ALTER TABLE sites DROP COLUMN {name}")
