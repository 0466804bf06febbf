"""Stable 64-bit hashes (FNV-1a), independent of process and platform."""

OFFSET = 0xCBF29CE484222325
PRIME = 0x100000001B3
_MASK = 0xFFFFFFFFFFFFFFFF


def stable_hash(data: bytes) -> int:
    """Return the FNV-1a hash of some bytes as a signed 64-bit number, never 0.

    >>> stable_hash(b"") == stable_hash(b""), stable_hash(b"a") != stable_hash(b"b")
    (True, True)
    """
    value = OFFSET
    for byte in data:
        value = ((value ^ byte) * PRIME) & _MASK
    value = value or 1
    return value - (1 << 64) if value >> 63 else value
