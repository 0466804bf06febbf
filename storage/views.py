"""The readable views of the database, as they are."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from sqlalchemy import Text, bindparam, text

from flong.storage.database import Repository
from flong.storage.sites import Site

View = Literal[
    "v_site_summary", "v_cluster_summary", "v_pattern_health", "v_article", "v_template_era"
]


class Views(Repository):
    """Reads what people read."""

    def rows(self, view: View, sites: Sequence[Site]) -> list[Mapping[str, Any]]:
        """Return the rows of a view that are about these sites, in the order of the view.

        The columns are those of the database, so that a table on the screen and a query by
        hand say the same.
        """
        query = text(f"SELECT * FROM {view} WHERE site IN :names")  # noqa: S608 - one of five names
        query = query.bindparams(bindparam("names", expanding=True, type_=Text))
        with self.reading() as connection:
            found = connection.execute(query, {"names": [site.name for site in sites]})
            return [dict(row._mapping) for row in found]
