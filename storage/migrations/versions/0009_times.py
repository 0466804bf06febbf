"""How exactly the times of articles are known, and as what they were written.

Until now a day without a time of day was stored as its midnight in UTC.
"""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

TIMES = ("published", "modified")


def upgrade() -> None:
    for name in TIMES:
        op.execute(
            f"ALTER TABLE articles ADD COLUMN {name}_precision TEXT"
            f" CONSTRAINT ck_articles_{name}_precision"
            f" CHECK ({name}_precision IN ('day', 'minute'))"
        )
        op.execute(f"ALTER TABLE articles ADD COLUMN {name}_text TEXT")
        op.execute(
            f"UPDATE articles SET {name}_precision ="
            f" CASE WHEN {name} LIKE '%T00:00:00Z' THEN 'day' ELSE 'minute' END"
            f" WHERE {name} IS NOT NULL"
        )


def downgrade() -> None:
    for name in TIMES:
        op.execute(f"ALTER TABLE articles DROP COLUMN {name}_text")
        op.execute(f"ALTER TABLE articles DROP COLUMN {name}_precision")
