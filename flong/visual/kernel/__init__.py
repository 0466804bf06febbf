"""Compiled loops over blocks and trees."""
