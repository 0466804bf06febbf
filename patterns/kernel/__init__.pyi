from flong.patterns.kernel import align, page_queries, pictures, prepare

__all__ = ["align", "page_queries", "pictures", "prepare"]
