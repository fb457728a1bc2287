"""The process that AWS's package runs in: what it leaves alone, and what is said where it is missing."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from muster.authority import installation, worker_process
from muster.authority.installation import NotInstalled
from muster.authority.validation import package_report
from muster.authority.worker_process import NoAnswer, Worker
from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint
from muster.blueprint.parallelcluster.configuration import configuration
from muster.versions import PARALLELCLUSTER
from tests.authority.judged import ROOT, a_slurm_cluster


def test_nothing_is_left_behind(aws: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No log in the user's home, no variable of ours changed, and the process's own home goes with it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    before = dict(os.environ)
    own = Worker(installation.package_python())
    home = Path(own._home.name)
    assert own.ask("versions")
    own.close()
    assert list(tmp_path.iterdir()) == []
    assert dict(os.environ) == before
    assert not home.exists()
    assert own._process.returncode == 0


def test_no_credentials_and_no_proxy_reach_it(aws: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever our environment says of AWS stays ours: the process could not reach an account if it tried."""
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "HTTPS_PROXY", "PCLUSTER_LOG_TO_STDOUT"):
        monkeypatch.setenv(name, "ours")
    given = Worker._surroundings(aws)
    assert "ours" not in given.values()
    assert given["AWS_SECRET_ACCESS_KEY"] != os.environ.get("AWS_SECRET_ACCESS_KEY")


def test_of_our_packages_it_finds_muster_alone(aws: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Muster that pip installed lies among Pulumi's packages: theirs are not to come before its own."""
    installed = tmp_path / "site-packages"
    installed.mkdir()
    (installed / "muster").symlink_to(ROOT / "muster")
    for theirs in ("yaml", "boto3", "botocore", "moto", "pcluster"):
        (installed / f"{theirs}.py").write_text(f"raise ImportError('{theirs} of Muster and not of the other')\n")
    monkeypatch.setattr(worker_process, "muster_package", lambda: installed / "muster")
    own = Worker(installation.package_python())
    try:
        assert own.ask("versions")["aws-parallelcluster"] == PARALLELCLUSTER
    finally:
        own.close()


def test_its_sockets_are_shut(aws: Worker) -> None:
    """A validator that dials out fails, and does not wait for anybody."""
    code = (
        "import runpy, socket, sys, io\n"
        "sys.stdin = io.StringIO('')\n"
        "runpy.run_module('muster.authority.worker')\n"
        "socket.create_connection(('192.0.2.1', 443))\n"
    )
    done = subprocess.run(
        [installation.package_python(), "-c", code],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert "Muster does not allow validators to use the network" in done.stderr


def test_a_task_that_fails_says_how(aws: Worker) -> None:
    """Its own words, with their kind; and the process goes on."""
    with pytest.raises(NoAnswer, match="TypeError"):
        aws.ask("judge", nonsense=1)
    assert aws.ask("versions")


def test_what_the_stand_in_lacks_is_not_evaluated(aws: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its gap is no fault of the cluster's, and no pass: here an instance type that moto does not know."""
    from muster.authority import validation

    def render(blueprint: ParallelClusterBlueprint, word: Any) -> Any:
        said = configuration(blueprint, word)
        said["Scheduling"]["SlurmQueues"][0]["ComputeResources"][0]["InstanceType"] = "p99.48xlarge"
        return said

    monkeypatch.setattr(validation, "configuration", render)
    told = package_report(a_slurm_cluster())
    assert told.said == ()
    assert told.missing == (
        "an answer from AWS's package aws-parallelcluster: AWSClientError: The following supplied instance types do "
        "not exist: [p99.48xlarge]"
    )


def test_where_it_is_not_installed_the_report_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One thing that is missing, and the command that brings it."""
    worker_process.worker.cache_clear()
    monkeypatch.setattr(installation, "checkout_root", lambda: tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(installation.VARIABLE, raising=False)
    told = package_report(a_slurm_cluster())
    assert told.said == ()
    assert told.missing == (
        "AWS's package aws-parallelcluster 3.16.1 is not installed; run `muster pcluster install`, "
        "or set MUSTER_PARALLELCLUSTER to a Python interpreter that has it and moto"
    )
    worker_process.worker.cache_clear()


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ("/nowhere/python", "is set to /nowhere/python, where there is no Python interpreter"),
        (
            sys.executable,
            (
                "cannot load aws-parallelcluster 3.16.1 and moto; set MUSTER_PARALLELCLUSTER to another interpreter, "
                "or unset it and run `muster pcluster install`"
            ),
        ),
    ],
)
def test_a_python_without_it_is_told(named: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever names one of their own is told what is wrong with it."""
    worker_process.worker.cache_clear()
    monkeypatch.setenv(installation.VARIABLE, named)
    with pytest.raises(NotInstalled, match=re.escape(words)):
        worker_process.worker()
    worker_process.worker.cache_clear()


def test_another_version_is_told(aws: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another version takes, the one that makes the cluster may refuse."""
    worker_process.worker.cache_clear()
    monkeypatch.setattr(worker_process, "PARALLELCLUSTER", "3.17.0")
    with pytest.raises(
        NotInstalled, match=re.escape("has aws-parallelcluster 3.16.1, but Muster needs version 3.17.0")
    ):
        worker_process.worker()
    worker_process.worker.cache_clear()


def test_make_setup_brings_the_pinned_version() -> None:
    """The lock, the pin of the provider, and what `make setup` made: one version."""
    folder = ROOT / "muster/authority"
    assert f"aws-parallelcluster=={PARALLELCLUSTER}\n" in (folder / "requirements.in").read_text()
    assert f"\naws-parallelcluster=={PARALLELCLUSTER} \\\n" in (folder / "requirements.txt").read_text()
