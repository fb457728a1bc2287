"""`muster rehearse --if-built` where no control plane is built: what was given is read nevertheless."""

from pathlib import Path

import pytest

from tests.cli.conftest import Muster

IF_BUILT = ("rehearse", "p5-odcr", "--if-built")


@pytest.fixture(autouse=True)
def _nothing_built(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No program on PATH, and none in the cache."""
    empty = str(tmp_path_factory.mktemp("empty"))
    monkeypatch.setenv("PATH", empty)
    monkeypatch.setenv("XDG_CACHE_HOME", empty)


@pytest.mark.parametrize("options", [(), ("--job", "nccl-tests", "--lose-nodes", "1"), ("--build",)])
def test_what_could_be_rehearsed_is_told_how_to_build(muster: Muster, options: tuple[str, ...]) -> None:
    ran = muster.judged(*IF_BUILT, *options)
    assert (ran.code, ran.err) == (0, "")
    assert "not rehearsed" in ran.out
    assert "mpi-operator" in ran.out
    assert "kueue" not in ran.out


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--file", "nope.yaml"), "nope.yaml"),
        (("--file", "broken.yaml"), "broken.yaml"),
        (("--file", "template.yaml"), "WORKERS"),
        (("--job", "nope"), "'nope'"),
        (("--lose-nodes", "9000"), "9000"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_is_wrong_is_told_though_nothing_is_built(muster: Muster, options: tuple[str, ...], named: str) -> None:
    Path("broken.yaml").write_text("kind: [\n")
    Path("template.yaml").write_text(
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: one}\nspec: {parallelism: $WORKERS, template: "
        "{spec: {restartPolicy: Never, containers: [{name: one, image: one}]}}}\n"
    )
    ran = muster.judged(*IF_BUILT, *options)
    assert (ran.code, ran.out) == (2, "")
    assert named in ran.err
    assert "not rehearsed" not in ran.err


@pytest.mark.parametrize(
    ("addon", "cause"),
    [("mpi-operator", "no-operator"), ("efa-device-plugin", "no-plugin")],
    ids=["operator", "plugin"],
)
def test_an_addon_that_lacks_needs_no_control_plane(muster: Muster, addon: str, cause: str) -> None:
    Path("job.yaml").write_text(muster.judged("job", "nccl-tests", "--stack", "p5-odcr").out)
    muster.edit(f"      {addon}: {{}}\n", "")
    ran = muster.judged("rehearse", "p5-odcr", "--file", "job.yaml", "--json")
    assert (ran.code, ran.json["verdict"], ran.json["binaries"]) == (1, "does-not-start", {})
    assert [each["id"] for each in ran.json["waiting"]] == [cause]
