from flong.patterns.kernel import align, page_queries, pictures, prepare, selection

__all__ = ["align", "page_queries", "pictures", "prepare", "selection"]
