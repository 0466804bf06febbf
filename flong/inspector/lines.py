"""The dendrogram for a terminal."""

from flong.inspector.dendrogram import Drawing

BRANCHES = {"┐": "┬", "┘": "┴", "│": "├"}
"""How a line goes on to the right of a bracket."""


def draw_text(drawing: Drawing, width: int = 60) -> str:
    """Return the dendrogram as lines of text, distance growing to the right.

    The first line says where it is cut. Pages that are nearer to each other than can be drawn
    share a line.
    """
    names = _rows(drawing, width)
    row_of = [row for row, (_, pages) in enumerate(names) for _ in range(pages)]
    canvas = [[" "] * (width + 1) for _ in names]
    ends = {(at, at): (row, 0) for at, row in enumerate(row_of)}
    for merge in drawing.merges:
        column = round(merge.corners[1][1] * width)
        one, other = ends[merge.first, merge.split - 1], ends[merge.split, merge.last]
        if one[0] == other[0]:  # they share a line
            ends[merge.first, merge.last] = one[0], 0
            continue
        ends[merge.first, merge.last] = (one[0] + other[0]) // 2, column
        for row in canvas[one[0] + 1 : other[0]]:
            row[column] = "│"
        for (at, start), corner in ((one, "┐"), (other, "┘")):
            row = canvas[at]
            row[start] = BRANCHES.get(row[start], "─")
            row[start + 1 : column] = "─" * (column - start - 1)
            row[column] = corner
    cut = f"{' ' * round((1 - drawing.similarity) * width)}▾ {drawing.similarity:.0%} similar"
    lines = (f"{''.join(row)} {name}" for row, (name, _) in zip(canvas, names, strict=True))
    return "\n".join([cut, *lines])


def _rows(drawing: Drawing, width: int) -> list[tuple[str, int]]:
    """Return what stands at the end of each line, and how many pages share it."""
    inner = {
        at
        for merge in drawing.merges
        if round(merge.corners[1][1] * width) < 2
        for at in range(merge.first + 1, merge.last + 1)
    }
    rows: list[tuple[str, int]] = []
    for at, leaf in enumerate(drawing.leaves):
        if at in inner:
            name, pages = rows[-1]
            rows[-1] = name, pages + 1
        else:
            rows.append((f"cluster {leaf.cluster}  {leaf.url}", 1))
    return [(name if pages == 1 else f"{name} and {pages - 1} more", pages) for name, pages in rows]
