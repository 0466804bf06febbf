"""Sites, their runs and pages."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

REAL = sa.Double().with_variant(sa.REAL(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "sites",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("paused", sa.Integer(), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("delay", REAL, nullable=True),
        sa.Column("render", sa.Integer(), nullable=False),
        sa.Column("subdomains", sa.Integer(), nullable=False),
        sa.Column("max_pages", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sites"),
        sa.UniqueConstraint("name", name="uq_sites_name"),
        sqlite_strict=True,
    )
    op.create_table(
        "locks",
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("taken_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["sites.id"], name="fk_locks_site_id_sites", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("site_id", name="pk_locks"),
        sqlite_strict=True,
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("started_at", sa.Text(), nullable=False),
        sa.Column("finished_at", sa.Text(), nullable=True),
        sa.Column("new", sa.Integer(), nullable=False),
        sa.Column("changed", sa.Integer(), nullable=False),
        sa.Column("unchanged", sa.Integer(), nullable=False),
        sa.Column("gone", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("articles", sa.Integer(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["sites.id"], name="fk_runs_site_id_sites", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
        sqlite_strict=True,
    )
    op.create_index("ix_runs_site_id_kind", "runs", ["site_id", "kind"])
    op.create_table(
        "dictionaries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("pages", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["sites.id"], name="fk_dictionaries_site_id_sites", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_dictionaries"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_dictionaries_site_id", "dictionaries", ["site_id"])
    op.create_table(
        "pages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=True),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("encoding", sa.Text(), nullable=False),
        sa.Column("etag", sa.Text(), nullable=True),
        sa.Column("last_modified", sa.Text(), nullable=True),
        sa.Column("content_hash", sa.Text(), nullable=True),
        sa.Column("first_seen", sa.Text(), nullable=False),
        sa.Column("last_seen", sa.Text(), nullable=True),
        sa.Column("changed_at", sa.Text(), nullable=True),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("dictionary_id", sa.Integer(), nullable=True),
        sa.Column("links", sa.LargeBinary(), nullable=True),
        sa.Column("html", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(
            ["dictionary_id"], ["dictionaries.id"], name="fk_pages_dictionary_id_dictionaries"
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name="fk_pages_run_id_runs", ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["site_id"], ["sites.id"], name="fk_pages_site_id_sites", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_pages"),
        sa.UniqueConstraint("site_id", "url", name="uq_pages_site_id_url"),
        sqlite_strict=True,
    )
    op.create_table(
        "page_versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("page_id", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("seen_from", sa.Text(), nullable=False),
        sa.Column("seen_until", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("dictionary_id", sa.Integer(), nullable=True),
        sa.Column("html", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["dictionary_id"],
            ["dictionaries.id"],
            name="fk_page_versions_dictionary_id_dictionaries",
        ),
        sa.ForeignKeyConstraint(
            ["page_id"], ["pages.id"], name="fk_page_versions_page_id_pages", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_page_versions"),
        sqlite_strict=True,
    )
    op.create_index("ix_page_versions_page_id", "page_versions", ["page_id"])
    op.create_table(
        "anchors",
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("pages", sa.Integer(), nullable=False),
        sa.Column("published", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["site_id"], ["sites.id"], name="fk_anchors_site_id_sites", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("site_id", "url", "source", "text", name="pk_anchors"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("anchors")
    op.drop_table("page_versions")
    op.drop_table("pages")
    op.drop_table("dictionaries")
    op.drop_table("runs")
    op.drop_table("locks")
    op.drop_table("sites")
