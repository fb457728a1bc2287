"""What `muster preflight --save` does to the file of facts: it loses nothing."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.account.accounts import Account, there, write
from tests.account.aws import Aws, denied
from tests.cli.conftest import Muster, Ran
from tests.stack_files import AS_OF

STACK = "p5-odcr"


def file_of(muster: Muster) -> Path:
    return muster.folder / "stacks" / "facts" / f"{STACK}.json"


def read(muster: Muster) -> Any:
    return json.loads(file_of(muster).read_text())


def preflight(muster: Muster, monkeypatch: pytest.MonkeyPatch, *options: str, denying: str = "") -> tuple[Ran, Aws]:
    """Asks the sound account, one operation denied."""
    write(muster.folder, STACK)
    answers = Account.of(STACK).answers()
    if denying:
        answers[denying] = denied(*denying.split("."))
    with there(answers, monkeypatch) as aws:
        return muster.judged("preflight", STACK, "--save", "--json", *options), aws


def test_what_a_person_wrote_stays(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where AWS did not answer."""
    said = {"contract": 1, "hyperpodQuotas": {"ml.p5.48xlarge for cluster usage": 4}, "quotas": {"L-417A185B": 384}}
    muster.facts(said, STACK)
    ran, _ = preflight(muster, monkeypatch)
    now = read(muster)
    assert (ran.code, now["hyperpodQuotas"], now["quotas"]["L-417A185B"]) == (0, said["hyperpodQuotas"], 10000000)
    assert now["kept"] == ran.json["kept"] == {"/hyperpodQuotas/ml.p5.48xlarge for cluster usage": None}


def test_what_is_denied_keeps_its_day_and_grows_old(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """This run does not know it. Later the rules judge by it, and `facts-fresh` says how old it is, at its place in the
    facts."""
    monkeypatch.setenv("MUSTER_AS_OF", AS_OF)
    preflight(muster, monkeypatch)
    former = read(muster)
    former["kubernetesVersions"] = {"1.35": former["kubernetesVersions"]["1.35"]}
    file_of(muster).write_text(json.dumps({**former, "observed": "2026-11-01T09:00:00Z"}))
    ran, _ = preflight(muster, monkeypatch, denying="eks.DescribeClusterVersions")
    assert "kubernetesVersions" not in ran.json["facts"]
    assert ran.json["kept"].keys() == {"/kubernetesVersions/1.35"}
    assert "kubernetes-version-supported" in {each["rule"] for each in ran.json["notEvaluated"]}
    assert read(muster)["kubernetesVersions"] == former["kubernetesVersions"]
    (found,) = muster.judged("check", STACK, "--json").json["stacks"][0]["findings"]
    assert found["rule"] == "facts-fresh"
    where, lines = found["where"], file_of(muster).read_text().splitlines()
    assert (where["file"], lines[where["line"] - 1].strip()) == (f"stacks/facts/{STACK}.json", '"kept": {')
    preflight(muster, monkeypatch)
    assert "kept" not in read(muster)
    assert muster.judged("check", STACK, "--json").json["stacks"][0]["findings"] == []


def test_facts_of_another_account_are_kept_apart(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of two accounts in one file would fool every rule."""
    theirs = {"contract": 1, "account": {"id": "444455556666"}, "quotas": {"L-0000000A": 3}}
    muster.facts(theirs, STACK)
    ran, _ = preflight(muster, monkeypatch)
    copy = file_of(muster).with_name(f"{STACK}.json.old")
    assert json.loads(copy.read_text()) == theirs
    assert (ran.json["copy"], ran.json["kept"]) == (f"stacks/facts/{copy.name}", {})
    assert "L-0000000A" not in read(muster)["quotas"]


def test_saving_over_broken_facts_keeps_them(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time under a name that is free."""
    broken = b'{"contract": 1, "quotas": {\xff'
    for number in ("", "2"):
        muster.facts({}, STACK)
        file_of(muster).write_bytes(broken)
        ran, _ = preflight(muster, monkeypatch)
        assert [each["where"]["file"] for each in ran.json["factsNotRead"]] == [f"stacks/facts/{STACK}.json"]
        copy = file_of(muster).with_name(f"{STACK}.json.old{number}")
        assert (ran.json["copy"], copy.read_bytes()) == (f"stacks/facts/{copy.name}", broken)
    assert muster.judged("check", STACK).code == 0


def test_saving_over_a_link_keeps_the_link(
    muster: Muster, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A copy would bring what it names into the checkout."""
    secret = tmp_path_factory.mktemp("elsewhere") / "secret"
    secret.write_text("c4n4ry")
    muster.facts({}, STACK)
    file_of(muster).unlink()
    file_of(muster).symlink_to(secret)
    preflight(muster, monkeypatch)
    assert file_of(muster).with_name(f"{STACK}.json.old").readlink() == secret
    assert not file_of(muster).is_symlink()
    assert secret.read_text() == "c4n4ry"


@pytest.mark.parametrize("how", ["a folder in its place", "no folder of facts", "a folder that takes no file"])
def test_a_file_that_cannot_be_written_is_found_before_anything_is_asked(
    how: str, muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Minutes of questions would be for nothing."""
    file = file_of(muster)
    if how == "a folder in its place":
        file.mkdir(parents=True)
    elif how == "no folder of facts":
        file.parent.write_text("")
    else:
        file.parent.mkdir()

        def refuse(*_: Any, **__: Any) -> None:
            raise PermissionError(13, os.strerror(13))

        monkeypatch.setattr("muster.written_files.tempfile.mkstemp", refuse)
    ran, aws = preflight(muster, monkeypatch)
    assert (ran.code, ran.out, aws.asked) == (2, "", [])
    assert f"stacks/facts/{STACK}.json" in ran.err
