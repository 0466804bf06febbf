"""The structure of articles, and what their pages say of them beside title, date and authors."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

STATES = {
    "access": ("free", "paywalled", "partial"),
    "genre": (
        "news", "opinion", "review", "analysis", "live_blog", "gallery", "video", "podcast",
    ),
}  # fmt: skip
TEXTS = ("sections", "description", "tags", "publisher", "canonical_url", "structure")
VIEW = """
    SELECT s.name AS site, p.url, a.title, a.published, {when}a.modified, a.authors, a.section,
        {more}a.language, a.image, a.confidence, a.method, a.pattern_id, m.kept, m.reason,
        p.first_seen, p.last_seen, p.outcome, a.page_id, a.body
    FROM articles a
    JOIN pages p ON p.id = a.page_id
    JOIN sites s ON s.id = a.site_id
    LEFT JOIN matches m ON m.page_id = a.page_id
    WHERE a.retired_at IS NULL
"""
MORE = "a.description, a.tags, a.publisher, a.canonical_url, a.access, a.genre, "


def upgrade() -> None:
    for name in TEXTS:
        op.execute(f"ALTER TABLE articles ADD COLUMN {name} TEXT")
    for name, values in STATES.items():
        allowed = ", ".join(f"'{value}'" for value in values)
        op.execute(
            f"ALTER TABLE articles ADD COLUMN {name} TEXT"
            f" CONSTRAINT ck_articles_{name} CHECK ({name} IN ({allowed}))"
        )
    _replace_view(when="a.published_precision, ", more=MORE)


def downgrade() -> None:
    _replace_view(when="", more="")
    for name in (*TEXTS, *STATES):
        op.execute(f"ALTER TABLE articles DROP COLUMN {name}")


def _replace_view(**parts: str) -> None:
    op.execute("DROP VIEW v_article")
    op.execute(f"CREATE VIEW v_article AS {VIEW.format(**parts)}")
