"""The loops over blocks and trees, compiled."""
