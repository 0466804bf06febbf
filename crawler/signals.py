"""What the parts of a crawl tell each other, by Scrapy's signals."""

revisits_loaded = object()
"""Before the first request, from storage: what the spider has to go on from; sent with
`revisits`, a `RevisitPolicy`, and `stored`, the pages of this run that earlier attempts stored."""
walk_ended = object()
"""All is asked for and stored; sent with `reason`. Handlers end the run."""
articles_wanted = object()
"""The run has ended well; sent with `spider`. Handlers return the articles to be yielded."""
