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
QUOTA = "L-417A185B"


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
        return muster.judged("preflight", STACK, *options), aws


def test_what_a_person_wrote_stays(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where AWS did not answer."""
    said = {"contract": 1, "hyperpodQuotas": {"ml.p5.48xlarge for cluster usage": 4}, "quotas": {QUOTA: 384}}
    muster.facts(said, STACK)
    ran, _ = preflight(muster, monkeypatch, "--save")
    assert ran.code == 0
    end = ran.out[ran.out.index("saved: ") :]
    assert end == (
        f"saved: stacks/facts/{STACK}.json\n    1 value kept from the previous file, because AWS did not answer:\n"
        "        hyperpodQuotas.ml.p5.48xlarge for cluster usage (undated)\n"
    )
    now = read(muster)
    assert now["hyperpodQuotas"] == said["hyperpodQuotas"]
    assert now["kept"] == {"/hyperpodQuotas/ml.p5.48xlarge for cluster usage": None}
    assert now["quotas"][QUOTA] == 10000000


def test_what_is_denied_keeps_its_day_and_grows_old(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules judge by it, and `facts-fresh` says how old it is, at its place in the facts."""
    monkeypatch.setenv("MUSTER_AS_OF", AS_OF)
    preflight(muster, monkeypatch, "--save")
    former = read(muster)
    former["kubernetesVersions"] = {"1.35": former["kubernetesVersions"]["1.35"]}
    file_of(muster).write_text(json.dumps({**former, "observed": "2026-11-01T09:00:00Z"}))
    ran, _ = preflight(muster, monkeypatch, "--save", denying="eks.DescribeClusterVersions")
    why = "from the previous file, because AWS did not answer:\n        kubernetesVersions.1.35 (AWS, 2026-11-01)"
    assert f"1 value kept {why}\n" in ran.out
    assert read(muster)["kubernetesVersions"] == former["kubernetesVersions"]
    (found,) = muster.judged("check", STACK, "--json").json["stacks"][0]["findings"]
    assert found["rule"] == "facts-fresh"
    assert "kubernetesVersions.1.35" in found["got"]
    lines = file_of(muster).read_text().splitlines()
    where = found["where"]
    assert where["file"] == f"stacks/facts/{STACK}.json"
    assert lines[where["line"] - 1].strip() == '"kept": {'
    preflight(muster, monkeypatch, "--save")
    assert "kept" not in read(muster)
    assert muster.judged("check", STACK, "--json").json["stacks"][0]["findings"] == []


def test_facts_of_another_account_are_kept_apart(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of two accounts in one file would fool every rule."""
    text = json.dumps({"contract": 1, "account": {"id": "444455556666"}, "quotas": {"L-0000000A": 3}})
    muster.facts(json.loads(text), STACK)
    ran, _ = preflight(muster, monkeypatch, "--save", "--json")
    copy = file_of(muster).with_name(f"{STACK}.json.old")
    assert json.loads(copy.read_text()) == json.loads(text)
    assert ran.json["copy"] == f"stacks/facts/{STACK}.json.old"
    assert ran.json["kept"] == {}
    assert "L-0000000A" not in read(muster)["quotas"]


BROKEN = '{"contract": 1, "quotas": {'


def test_saving_over_broken_facts_keeps_them(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time under a name that is free."""
    for number in ("", "2"):
        muster.facts({}, STACK)
        file_of(muster).write_bytes(BROKEN.encode() + b"\xff")
        ran, _ = preflight(muster, monkeypatch, "--save", "--json")
        assert [each["where"]["file"] for each in ran.json["factsNotRead"]] == [f"stacks/facts/{STACK}.json"]
        copy = file_of(muster).with_name(f"{STACK}.json.old{number}")
        assert ran.json["copy"] == f"stacks/facts/{copy.name}"
        assert copy.read_bytes() == BROKEN.encode() + b"\xff"
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
    ran, _ = preflight(muster, monkeypatch, "--save", "--json")
    assert ran.json["copy"] == f"stacks/facts/{STACK}.json.old"
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
        words = f"stacks/facts/{STACK}.json cannot be written: Is a directory"
    elif how == "no folder of facts":
        file.parent.write_text("")
        words = f"stacks/facts/{STACK}.json cannot be written: stacks/facts is not a folder"
    else:
        file.parent.mkdir()

        def refuse(*_: Any, **__: Any) -> None:
            raise PermissionError(13, os.strerror(13))

        monkeypatch.setattr("muster.written_files.tempfile.mkstemp", refuse)
        words = f"stacks/facts/{STACK}.json cannot be written: Permission denied"
    ran, aws = preflight(muster, monkeypatch, "--save")
    assert (ran.code, ran.out, aws.asked) == (2, "", [])
    assert ran.err == f"error: {words}; Muster did not query AWS\n"
