"""Quality and speed against peers; nobody imports it."""
