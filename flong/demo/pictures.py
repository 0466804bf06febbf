"""Pictures generated from a key: seascapes and portraits as SVG, and small PNG files."""

import struct
import zlib
from random import Random

from flong.demo.grammar import dice

_SKIES = (
    ("#f7d9b0", "#e58f6b", "#3d5a73", "#1f3347"),
    ("#cfe3ea", "#8fb6c9", "#4a6f7c", "#203a43"),
    ("#f3e7d3", "#d9b88f", "#7d6b57", "#3a322b"),
    ("#e7d6e8", "#a98bb5", "#5b4b74", "#2a2340"),
    ("#dfeadb", "#9fbf9b", "#52745b", "#22382b"),
    ("#fbe3d6", "#f0a58a", "#a4545b", "#4b2638"),
)


def picture(key: str) -> bytes:
    """Return a seascape as SVG, determined by the key.

    >>> picture("7-0") == picture("7-0"), picture("7-0")[:4]
    (True, b'<svg')
    """
    chance = dice("picture", key)
    light, glow, mid, dark = chance.choice(_SKIES)
    sun, height = chance.randint(150, 1050), chance.randint(120, 300)
    hills = "".join(
        f'<path d="{_ridge(chance, level)}" fill="{colour}" opacity="{opacity}"/>'
        for level, colour, opacity in ((330, mid, 0.45), (400, mid, 0.8), (455, dark, 0.9))
    )
    things = chance.choice((_houses, _masts, _turbines))(chance)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 675">
<defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="{light}"/><stop offset="1" stop-color="{glow}"/>
</linearGradient></defs><rect width="1200" height="675" fill="url(#s)"/>
<circle cx="{sun}" cy="{height}" r="{chance.randint(38, 84)}" fill="#fff" opacity=".7"/>{hills}
<g fill="{dark}">{things}</g><rect y="540" width="1200" height="135" fill="{mid}"/>{_waves(chance)}</svg>
""".encode()


def _ridge(chance: Random, level: int) -> str:
    points = " ".join(f"L{x} {level + chance.randint(-60, 60)}" for x in range(0, 1300, 100))
    return f"M0 675 {points} L1200 675Z"


def _houses(chance: Random) -> str:
    x, parts = chance.randint(60, 300), []
    while x < 1050:
        width, height = chance.randint(40, 90), chance.randint(50, 150)
        top, middle = 545 - height, x + width // 2
        parts.append(f'<path d="M{x} 545V{top}L{middle} {top - 34}L{x + width} {top}V545Z"/>')
        parts.append(
            f'<rect x="{middle - 5}" y="{top + 16}" width="10" height="14" fill="#fbe9b7"/>'
        )
        x += width + chance.randint(0, 46)
    return "".join(parts)


def _masts(chance: Random) -> str:
    parts = []
    for x in sorted(chance.sample(range(90, 1110), 5)):
        size = chance.randint(70, 150)
        sail = f"M{x + 5} {550 - size}L{x + size // 2} 528H{x + 5}Z"
        hull = f"M{x - 34} 540H{x + 44}L{x + 28} 562H{x - 18}Z"
        parts.append(f'<path d="{sail}{hull}M{x - 2} {540 - size}h4V540h-4Z"/>')
    return "".join(parts)


def _turbines(chance: Random) -> str:
    parts = []
    for x in sorted(chance.sample(range(120, 1080), 4)):
        top, turn = chance.randint(210, 330), chance.randint(0, 119)
        blades = "".join(
            f'<path d="M{x} {top}l-4 -12L{x} {top - 110}l4 98Z" transform="rotate({turn + arm} {x} {top})"/>'
            for arm in (0, 120, 240)
        )
        parts.append(f'<path d="M{x - 5} 548L{x - 2} {top}h4L{x + 5} 548Z"/>{blades}')
    return "".join(parts)


def _waves(chance: Random) -> str:
    return "".join(
        f'<path d="M{chance.randint(0, 900)} {y}h{chance.randint(80, 380)}" stroke="#fff" '
        f'stroke-width="3" opacity=".35"/>'
        for y in range(556, 670, 12)
    )


def portrait(key: str) -> bytes:
    """Return a portrait as SVG."""
    chance = dice("portrait", key)
    skin = chance.choice(("#f0c9a8", "#d9a27a", "#a8714c", "#7a4b32", "#f5d7c0"))
    hair = chance.choice(("#2b2320", "#6b4428", "#b98a4b", "#8c8c8c", "#a23f2a"))
    ground = chance.choice(("#c9d6df", "#e8dccb", "#d4c5d9", "#cfe0d0"))
    coat = chance.choice(("#33475b", "#6d3b47", "#3f5d4f", "#4a4a4a"))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="{ground}"/>
<path d="M8 96c2-26 20-32 40-32s38 6 40 32Z" fill="{coat}"/><path d="M40 56h16v14q-8 8-16 0Z" fill="{skin}"/>
<circle cx="48" cy="{chance.randint(32, 36)}" r="24" fill="{hair}"/><ellipse cx="48" cy="44" rx="18" ry="21" fill="{skin}"/>
<path d="M30 38q18-{chance.randint(12, 26)} 36 0q-2-20-18-20t-18 20Z" fill="{hair}"/>
<g fill="#222"><circle cx="41" cy="44" r="2"/><circle cx="55" cy="44" r="2"/></g>
<path d="M41 54q7 {chance.randint(3, 7)} 14 0" stroke="#8a4a3a" stroke-width="2" fill="none"/></svg>
""".encode()


def thumbnail(key: str) -> bytes:
    r"""Return a small PNG: the sky of the picture of the same key.

    >>> thumbnail("7-0")[:8]
    b'\x89PNG\r\n\x1a\n'
    """
    light, glow, mid, dark = dice("picture", key).choice(_SKIES)
    rows = [light] * 3 + [glow] * 3 + [mid] * 2 + [dark]
    raw = b"".join(b"\0" + bytes.fromhex(colour[1:]) * 16 for colour in rows)
    header = struct.pack(">IIBBBBB", 16, len(rows), 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(raw)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
