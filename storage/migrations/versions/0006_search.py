"""Search: which articles have which terms, which ones tell one story; searches to keep."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

REAL = sa.Double().with_variant(sa.REAL(), "sqlite")

FULL_TEXT = {
    "sqlite": (
        "CREATE VIRTUAL TABLE search_index USING fts5"
        " (title, body, authors, content = '', tokenize = 'ascii')",
        "CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab (search_index, row)",
    ),
    "postgresql": (
        "CREATE TABLE search_index (id integer PRIMARY KEY, terms tsvector NOT NULL)",
        "CREATE INDEX search_index_terms ON search_index USING gin (terms)",
        'CREATE MATERIALIZED VIEW search_vocabulary AS SELECT word COLLATE "C" AS term, ndoc AS doc'
        " FROM ts_stat('SELECT terms FROM search_index')",
        "CREATE UNIQUE INDEX search_vocabulary_term ON search_vocabulary (term)",
    ),
}
DROPPED = {
    "sqlite": ("DROP TABLE search_vocabulary", "DROP TABLE search_index"),
    "postgresql": ("DROP MATERIALIZED VIEW search_vocabulary", "DROP TABLE search_index"),
}


def upgrade() -> None:
    op.create_table(
        "stories",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("representative_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["representative_id"],
            ["pages.id"],
            name="fk_stories_representative_id_pages",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_stories"),
        sqlite_strict=True,
    )
    op.create_index("ix_stories_representative_id", "stories", ["representative_id"])
    op.create_table(
        "search_documents",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("page_id", sa.Integer(), nullable=False),
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("dated", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("story_id", sa.Integer(), nullable=True),
        sa.Column("shared", REAL, nullable=True),
        sa.Column("is_compared", sa.Integer(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["page_id"], ["pages.id"], name="fk_search_documents_page_id_pages", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["site_id"], ["sites.id"], name="fk_search_documents_site_id_sites", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["story_id"],
            ["stories.id"],
            name="fk_search_documents_story_id_stories",
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_search_documents"),
        sa.UniqueConstraint("page_id", name="uq_search_documents_page_id"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_search_documents_site_id", "search_documents", ["site_id"])
    op.create_index("ix_search_documents_story_id", "search_documents", ["story_id"])
    op.create_table(
        "search_version",
        sa.Column("folding", sa.Integer(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("folding", name="pk_search_version"),
        sqlite_strict=True,
    )
    op.create_table(
        "clippings",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("sites", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_clippings"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    for statement in FULL_TEXT[op.get_context().dialect.name]:
        op.execute(statement)


def downgrade() -> None:
    for statement in DROPPED[op.get_context().dialect.name]:
        op.execute(statement)
    op.drop_table("clippings")
    op.drop_table("search_version")
    op.drop_table("search_documents")
    op.drop_table("stories")
