from flong.patterns.kernel import align, page_queries, prepare

__all__ = ["align", "page_queries", "prepare"]
