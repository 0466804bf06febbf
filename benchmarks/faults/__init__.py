"""What must not break: kills, faults, hostile input."""
