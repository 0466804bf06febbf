"""Comparison of trees in compiled code.

Import `align` and `prepare` inside functions: they load the compiler, which takes 0.6 s.
"""
