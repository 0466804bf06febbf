from flong.patterns.kernel import align, page_queries, prepare, selection

__all__ = ["align", "page_queries", "prepare", "selection"]
