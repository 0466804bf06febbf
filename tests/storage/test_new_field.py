"""The cost of a new article field: its declaration, a migration, and the code that reads it."""

import shutil
import subprocess
import sys
from filecmp import cmp
from pathlib import Path

from flong.storage import Store
from flong.storage.engine import HEAD

ROOT = Path(__file__).parents[2]
MIGRATION = f'''
from alembic import op

revision = "0999"
down_revision = "{HEAD}"


def upgrade():
    op.execute("ALTER TABLE articles ADD COLUMN dateline TEXT")
'''
LINES = {
    "flong/article.py": {
        "    canonical_url: str | None = None\n": "    dateline: str | None = None\n"
    },
    "patterns/fields.py": {
        "    canonical_url: str | None = None\n": "    dateline: str | None = None\n",
        '        "canonical_url": fields.canonical_url,\n': (
            '        "dateline": fields.dateline,\n'
        ),
    },
}
"""Lines to insert, by file and by the line that they follow."""
PROGRAM = """
import sys
from datetime import UTC, datetime

from flong.article import Article
from flong.decision import Decision
from flong.page import Page
from flong.patterns.fields import Fields, fill_article
from flong.states import Verdict
from flong.storage import Store

with Store.open(sys.argv[1]) as store:
    site = store.sites.find("example.org")
    run = store.runs.start(site, "load")
    time = datetime(2026, 5, 1, tzinfo=UTC)
    store.pages.save(site, run, [Page(url=site.url, html="<p>Rain", fetched_at=time)])
    page = store.pages.find(site.url)
    article = Article(url=site.url, title="Rain", body="It rained.")
    article = fill_article(article, Fields(dateline="Bamako"))
    store.extractions.save(site, run, [
        Decision(page_id=page.id, content_hash=page.content_hash or "",
                 verdict=Verdict.ARTICLE, article=article)
    ])
    print([row.article.dateline for row in store.articles.all(site)])
"""


def test_a_new_article_field_touches_three_files(tmp_path):
    url = f"sqlite:///{tmp_path / 'old.db'}"
    with Store.open(url) as store:
        store.sites.add("https://www.example.org/")
    copy = tmp_path / "copy"
    for name in ("flong", "crawler", "clustering", "patterns", "storage"):
        left_out = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=left_out)
    for name, lines in LINES.items():
        insert_lines(copy / name, lines)
    (copy / "storage/migrations/versions/0999_dateline.py").write_text(MIGRATION, encoding="utf-8")
    touched = {
        str(path.relative_to(copy))
        for path in copy.rglob("*.py")
        if not (ROOT / path.relative_to(copy)).exists()
        or not cmp(path, ROOT / path.relative_to(copy), shallow=False)
    }
    assert touched == {*LINES, "storage/migrations/versions/0999_dateline.py"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, url], cwd=copy, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.returncode) == ("['Bamako']", 0), done.stderr


def insert_lines(path, lines):
    text = path.read_text(encoding="utf-8")
    for before, line in lines.items():
        assert text.count(before) == 1
        text = text.replace(before, before + line)
    path.write_text(text, encoding="utf-8")
