"""Views: since when a template is used, and what a site announces against what is stored."""

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

ANNOUNCED = """
    SELECT s.name AS site, u.url,
        CASE u.source WHEN 2 THEN 'sitemap' WHEN 1 THEN 'feed' ELSE 'archive' END AS source,
        coalesce(substr(coalesce(a.published, u.announced_at), 1, 7), '') AS month,
        CASE WHEN a.page_id IS NOT NULL THEN 'article'
            WHEN p.content_hash IS NOT NULL AND m.page_id IS NOT NULL THEN 'no_article'
            WHEN p.content_hash IS NOT NULL THEN 'unread'
            WHEN p.id IS NOT NULL THEN p.outcome
            WHEN u.nowhere = 1 THEN 'no_page'
            ELSE 'missing' END AS state,
        u.announced_at
    FROM (
        SELECT g.site_id, coalesce(l.target, g.url) AS url, min(g.published) AS announced_at,
            max(CASE WHEN g.source IN ('sitemap', 'news') THEN 2 WHEN g.source = 'feed' THEN 1
                ELSE 0 END) AS source,
            max(CASE WHEN l.url IS NOT NULL AND l.target IS NULL THEN 1 ELSE 0 END) AS nowhere
        FROM anchors g
        LEFT JOIN aliases l ON l.site_id = g.site_id AND l.url = g.url
        GROUP BY g.site_id, coalesce(l.target, g.url)
    ) AS u
    JOIN sites s ON s.id = u.site_id
    LEFT JOIN pages p ON p.site_id = u.site_id AND p.url = u.url
    LEFT JOIN matches m ON m.page_id = p.id
    LEFT JOIN articles a ON a.page_id = p.id AND a.retired_at IS NULL
"""
VIEWS = {
    "v_template_era": """
        SELECT t.id AS pattern_id, s.name AS site, t.cluster_id, t.kind,
            count(a.page_id) AS articles, count(a.published) AS dated,
            substr(min(a.published), 1, 10) AS first_day,
            substr(max(a.published), 1, 10) AS last_day, t.retired_at
        FROM patterns t
        JOIN sites s ON s.id = t.site_id
        JOIN articles a ON a.pattern_id = t.id AND a.retired_at IS NULL
        GROUP BY t.id, s.name
    """,
    "v_announced": ANNOUNCED,
    "v_coverage": f"""
        SELECT site, source, month, count(*) AS announced,
            sum(CASE WHEN state IN ('article', 'no_article', 'unread') THEN 1 ELSE 0 END) AS stored,
            sum(CASE WHEN state = 'article' THEN 1 ELSE 0 END) AS articles,
            sum(CASE WHEN state IN ('article', 'no_article', 'unread') THEN 0 ELSE 1 END) AS missing
        FROM ({ANNOUNCED}) AS v
        GROUP BY site, source, month
    """,
}


def upgrade() -> None:
    for name, query in VIEWS.items():
        op.execute(f"CREATE VIEW {name} AS {query}")


def downgrade() -> None:
    for name in VIEWS:
        op.execute(f"DROP VIEW {name}")
