"""A model whose numbers were damaged is refused, or reads pages; it never ends the process."""

import json
import random
import re
import subprocess
import sys

import pytest

import flong

PAGES = [
    (
        f"http://news.example/story-{number}",
        f"<body class='home big'><ul class=menu><li>Home<li>Sport</ul><h1 class=head>Rain {number}"
        f"</h1><div class='text wide'>{f'<p>It rained {number} hours in the town.' * 9}</div>",
    )
    for number in range(12)
]
READ = """
import sys, flong
for path in sys.argv[3:]:
    try:
        model = flong.load(path)
    except flong.FlongError:
        print("refused")
    else:
        model.read(sys.argv[1], sys.argv[2])
        print("read")
"""
NUMBER = re.compile(r"(?<![\w.#])-?\d+(?:\.\d+)?(?![\w.])")
WRONG = ("2147483647", "-1", "-2147483648", "9223372036854775807", "0", "3", "1e300", "null")


@pytest.fixture(scope="module")
def saved():
    return flong.learn(PAGES).to_json()


def outcomes(texts, folder):
    paths = [folder / f"{number}.json" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", READ, *PAGES[0], *map(str, paths)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{texts[len(done.stdout.split())]}\n{done.stderr}"
    return done.stdout.split()


def test_damaged_number_never_crashes_a_model(saved, tmp_path):
    chance = random.Random(7)  # noqa: S311 - no secret
    found = list(NUMBER.finditer(saved))
    texts = [saved]
    for _ in range(150):
        at = chance.choice(found)
        texts.append(saved[: at.start()] + chance.choice(WRONG) + saved[at.end() :])
    said = outcomes(texts, tmp_path)
    assert said[0] == "read"
    assert {*said} == {"read", "refused"}


def test_label_outside_its_pattern_is_refused(saved, tmp_path):
    data = json.loads(saved)
    labels = json.loads(data["model"]["patterns"][0]["labels"])
    labels["labels"]["title"] = ["", "", "", None, 2147483647]
    data["model"]["patterns"][0]["labels"] = json.dumps(labels)
    assert outcomes([json.dumps(data)], tmp_path) == ["refused"]


@pytest.mark.parametrize("line", ["  *\n    p", " " * 40 + "p", "nothing here", '  text "'])
def test_invalid_pattern_tree_is_refused(saved, tmp_path, line):
    data = json.loads(saved)
    data["model"]["patterns"][0]["text"] += line
    assert outcomes([json.dumps(data)], tmp_path) == ["refused"]
