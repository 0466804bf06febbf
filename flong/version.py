"""The version of flong, in the one place that all others read."""

VERSION = "0.1.0"
