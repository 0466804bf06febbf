"""What is measured of several cores is the command, with all its processes."""

from itertools import islice

from benchmarks.cores import measure_cores
from benchmarks.memory import fill, generated_pages
from flong.stages.learning import learn
from flong.stages.learning_settings import LearningSettings
from flong.storage import Store


def test_each_way_to_extract_is_measured(tmp_path):
    database = tmp_path / "cores.db"
    fill(f"sqlite:///{database}", islice(generated_pages(), 95, 160))
    with Store.open(f"sqlite:///{database}") as store:
        learn(store, store.sites.all()[0], LearningSettings())
    rows = measure_cores(database, jobs=2, turns=1)
    assert [row["on"] for row in rows] == ["one core", "all cores", "all cores, 2 jobs"]
    for row in rows:
        assert min(row["storing, cpu s"], row["reading, cpu s"]) > 0
