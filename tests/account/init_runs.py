"""`muster init` against an AWS that a test plays."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from muster.config.document import parse
from tests.account.aws import Answers, Aws, playing
from tests.account.new_stacks import Account
from tests.cli.conftest import Muster, Ran

VPC = "vpc-0000000000000aaaa"
OTHER = "vpc-0000000000000bbbb"
IN_REGION = ("--region", "us-west-2", "--as-of", "2026-11-22")
API = ("--api-from", "8.8.8.0/24")
Run = Callable[..., Ran]


def running(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`muster init p5-mine` with options, against an account; `answers` lay over what it says. Without a file system,
    of which a played account knows nothing."""

    def run(account: Account, *options: str, name: str = "p5-mine", answers: dict[str, Answers] | None = None) -> Ran:
        with playing(Aws({**account.answers(), **(answers or {})})) as address:
            monkeypatch.setenv("AWS_ENDPOINT_URL", address)
            storage = () if "--from" in options else ("--no-storage",)
            return muster("init", name, *options, *storage, *IN_REGION)

    return run


def config(muster: Muster, name: str = "p5-mine") -> dict:
    """What the new file says below `muster:cluster`."""
    document = parse(muster.file(name).read_text(), muster.file(name))
    assert not document.faults
    return document.data["config"]["muster:cluster"]


def left(muster: Muster) -> list[str]:
    """The files there are beside the one that the project began with."""
    every = (
        str(Path(folder, name).relative_to(muster.folder))
        for folder, _, names in os.walk(muster.folder)
        for name in names
    )
    return sorted(set(every) - {"Pulumi.yaml", "stacks/Pulumi.p5-odcr.yaml"})
