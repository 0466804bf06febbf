"""Comparison of trees in compiled code; imported only when the first pattern is compared."""
