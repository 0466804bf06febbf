"""Custom Scrapy signals."""

revisits_loaded = object()
"""Sent by the storage before the first request.

Arguments: `revisits`, a `RevisitPolicy`, and `stored`, the number of pages stored by earlier
attempts at this run.
"""
walk_ended = object()
"""Sent with `reason` when all pages are requested and stored. Handlers end the run."""
articles_wanted = object()
"""Sent with `spider` after a successful run. Handlers return the articles to yield."""
