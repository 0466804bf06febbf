"""Robustness benchmarks: kills, faults, hostile input."""
