"""Results of AWS's package are kept between runs, and asked for again when anything that they follow from changes."""

import json
from pathlib import Path

import pytest

from muster.authority import installation, result_cache, validation
from muster.authority.installation import NotInstalled
from muster.authority.validation import PackageResult, validate_cluster
from muster.authority.worker_process import Worker
from tests.authority.judged import a_slurm_cluster


class Started(Exception):
    """The package was asked."""


@pytest.fixture
def kept(aws: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PackageResult:
    """The result of `a_slurm_cluster`, kept in an empty folder; whoever asks the package after it raises `Started`."""

    def refuse() -> Worker:
        raise Started

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    result = validate_cluster(a_slurm_cluster())
    monkeypatch.setattr(validation, "worker", refuse)
    return result


def results(folder: Path) -> list[Path]:
    """The files of the kept results."""
    return list((folder / "muster/parallelcluster").iterdir())


def test_a_kept_result_is_the_result(kept: PackageResult) -> None:
    """No process is started for a cluster that was judged before."""
    assert validate_cluster(a_slurm_cluster()) == kept


def test_another_cluster_is_judged(kept: PackageResult) -> None:
    """A result is kept for one request."""
    with pytest.raises(Started):
        validate_cluster(a_slurm_cluster(os="ubuntu2204"))


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"messages"'])
def test_a_damaged_result_is_asked_for_again(kept: PackageResult, tmp_path: Path, text: str) -> None:
    """A file that was cut off, or is something else, is no result."""
    results(tmp_path)[0].write_text(text)
    with pytest.raises(Started):
        validate_cluster(a_slurm_cluster())


def test_another_package_beside_it_changes_the_key(
    kept: PackageResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newer moto or botocore may answer otherwise."""
    other = tmp_path / "venv"
    packages = other / "lib/python3.11/site-packages"
    for name in ("aws_parallelcluster-3.16.1", "moto-9.9.9"):
        (packages / f"{name}.dist-info").mkdir(parents=True)
    (other / "bin").mkdir()
    (other / "bin/python").touch()
    monkeypatch.setenv(installation.VARIABLE, str(other / "bin/python"))
    with pytest.raises(Started):
        validate_cluster(a_slurm_cluster())


def test_without_the_package_nothing_is_answered(
    kept: PackageResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kept result does not hide that the package is missing."""
    monkeypatch.setattr(installation, "checkout_root", lambda: tmp_path)
    monkeypatch.delenv(installation.VARIABLE, raising=False)
    with pytest.raises(NotInstalled):
        validate_cluster(a_slurm_cluster())


def test_a_folder_that_cannot_be_written_is_no_fault(
    aws: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package judges, and nothing is kept."""
    (tmp_path / "muster").write_text("a file where the folder belongs")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert validate_cluster(a_slurm_cluster()).ran


def test_the_oldest_results_go(kept: PackageResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder does not grow without end."""
    monkeypatch.setattr(result_cache, "_MOST_RESULTS", 2)
    for number in range(4):
        result_cache.keep_result({"number": number}, {"messages": [], "number": number})
    numbers = {json.loads(each.read_text()).get("number") for each in results(tmp_path)}
    assert len(numbers) == 2
    assert 3 in numbers
