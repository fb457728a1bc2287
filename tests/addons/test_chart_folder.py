"""A folder's charts and manifests are found by the names that tools give them."""

from pathlib import Path

import pytest

from muster.addons.charts import NoChart
from muster.addons.charts.sources import find
from tests.addons.tiny import PLAIN, TINY


def a_folder(tmp_path: Path, *names: str) -> Path:
    """Names that end with a stroke are charts' folders."""
    for name in names:
        if name.endswith("/"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "Chart.yaml").write_text("version: 1.2.3")
        else:
            (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("there", "taken"),
    [
        (["tiny-1.2.3.tgz"], "tiny-1.2.3.tgz"),
        (["tiny-v1.2.3.tgz"], "tiny-v1.2.3.tgz"),
        (["tiny-1.2.3.tar.gz"], "tiny-1.2.3.tar.gz"),
        (["tiny/"], "tiny"),
        (["tiny-1.2.3/"], "tiny-1.2.3"),
        (["tiny-1.2.3.tgz", "tiny-1.10.0.tgz"], "tiny-1.2.3.tgz"),
        (["tiny-1.10.0.tgz", "tiny/"], "tiny"),
        (["tiny-1.9.0.tgz", "tiny-1.10.0.tgz"], "tiny-1.10.0.tgz"),
        (["tiny-1.9.0-rc.1.tgz", "tiny-1.9.0.tgz"], "tiny-1.9.0.tgz"),
        (["tiny-viz-1.2.3.tgz", "tiny-1.0.0.tgz", "tinier-1.2.3.tgz"], "tiny-1.0.0.tgz"),
    ],
)
@pytest.mark.parametrize("asked", ["1.2.3", "v1.2.3"])
def test_charts_by_name(tmp_path: Path, there: list[str], taken: str, asked: str) -> None:
    """The version that is asked for, with a v or without; else the newest. Others' charts begin like it."""
    assert find(a_folder(tmp_path, *there), TINY, asked).path.name == taken


@pytest.mark.parametrize(
    ("there", "taken", "version"),
    [
        (["plain-v2.0.0.yaml", "plain.yaml"], "plain-v2.0.0.yaml", "v2.0.0"),
        (["plain-2.0.0.yml"], "plain-2.0.0.yml", "2.0.0"),
        (["plain.yaml", "plain-v1.0.0.yaml"], "plain.yaml", None),
        (["plain-v1.9.0.yaml", "plain-v1.10.0.yaml"], "plain-v1.10.0.yaml", "v1.10.0"),
        (["plain.yaml"], "plain.yaml", None),
        (["all-of-it.yaml"], "all-of-it.yaml", None),
    ],
)
def test_manifests_by_name(tmp_path: Path, there: list[str], taken: str, version: str | None) -> None:
    """The add-on's name, with the version or without, or what the project itself calls it."""
    found = find(a_folder(tmp_path, *there), PLAIN, "v2.0.0")
    assert (found.path.name, found.version) == (taken, version)


@pytest.mark.parametrize("there", ["tiny.tgz", "tiny-latest.tgz", "tiny-1.2.3.zip", "tiny-1.2.3", "plain.yaml"])
def test_other_names_are_not_charts(tmp_path: Path, there: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(NoChart):
        find(a_folder(tmp_path, there), TINY, "1.2.3")


def test_a_folder_without_a_chart_file_is_no_chart(tmp_path: Path) -> None:
    """A mirror's folder of archives may have the chart's name."""
    (tmp_path / "tiny").mkdir()
    with pytest.raises(NoChart):
        find(tmp_path, TINY, "1.2.3")
