"""Benchmarks: every published figure, and the checks that guard rules. Only tests import it."""
