"""`muster init --offline`."""

import pytest

from tests.account.init_runs import IN_REGION, left
from tests.cli.conftest import Muster


def test_offline_leaves_placeholders_and_asks_nobody(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends with check, which lists them; there are no facts."""
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    options = ("--offline", "--reservation", "cr-fill-me-in", "--instance", "p5.48xlarge")
    ran = muster("init", "p5-mine", *options, *IN_REGION, "--json")
    assert (ran.code, ran.json["findings"]) == (0, [])
    assert sorted(each["where"]["path"] for each in ran.json["placeholders"]) == [
        "api.public[0]",
        "groups.workers.capacity.reservation.id",
        "network.existing.private.us-west-2a",
        "network.existing.private.us-west-2b",
        "network.existing.vpc",
    ]
    assert left(muster) == ["stacks/Pulumi.p5-mine.yaml"]


def test_strict_wants_every_rule_judged(muster: Muster) -> None:
    """Nobody was asked, so rules about the account were not."""
    options = ("--offline", "--reservation", "cr-fill-me-in", "--instance", "p5.48xlarge", "--strict")
    assert muster("init", "p5-mine", *options, *IN_REGION).code == 4
