"""Damaged files of every format are read, judged and described, or refused in words."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.policies.engine.judgement import judge
from muster.policies.views import fleet_of
from muster.sources.recognition import open_file, recognize
from muster.sources.source import CannotBeRead, InputFile
from tests.damage import ODD_TEXTS, at, damaged, places
from tests.sources.brought_over import opened
from tests.sources.judged import EXAMPLES, FOLDER, SOUND
from tests.sources.terraform.clusters import CALLS, cluster
from tests.sources.terraform.plans import plan, state

FUNCTIONS = [
    {name: argument}
    for name in ("Ref", "Fn::GetAtt", "Fn::Sub", "Fn::If", "Fn::Select", "Fn::FindInMap", "Fn::Cidr", "Fn::Join")
    for argument in ("AWS::NoValue", "Vpc", ["Vpc", "Arn"], [0, ["a"]], ["a", {"x": "${a}"}], {}, None, 3)
]
FILES = [
    *(FOLDER / "whole").iterdir(),
    *(each for name, each in SOUND.items() if ".template." in name or name == "hyperpod-cli.yaml"),
    *(EXAMPLES / name for name in ("karpenter-p5.yaml", "terraform-plan.json")),
]
WHOLE: dict[str, Any] = {
    **{file.name: list(open_file(file).documents) for file in sorted(FILES)},
    "plan of a module": [plan(*cluster(cards=2), calls=CALLS)],
    "state of a module": [state(*cluster(cards=2), calls=CALLS)],
}
"""Name -> the documents of the file."""


def assert_taken_or_refused_in_words(documents: Any) -> None:
    """A file is read, with every view and rule, and described; or it is refused with a message."""
    text = json.dumps(documents, default=str)
    values = json.loads(text)
    file = InputFile(Path("damaged.json"), text, tuple(values) if isinstance(values, list) else (values,), is_json=True)
    try:
        format_ = recognize(file)
        source = format_.read(file)
        fleet = fleet_of(source.registrations, region=source.region)
        assert fleet.unreadable == {}
        for each in judge(fleet).findings:
            source.place(each)
            assert (each.got + each.remedy).strip()
        assert all(each.missing.strip() for each in source.gaps)
        opened(format_.describe(file))
    except CannotBeRead as fault:
        assert str(fault).strip()


@pytest.mark.parametrize("name", WHOLE)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_damage_ends_in_words(name: str, seed: int) -> None:
    drawn = random.Random(seed)
    assert_taken_or_refused_in_words([damaged(each, drawn, [*FUNCTIONS, *ODD_TEXTS]) for each in WHOLE[name]])


@pytest.mark.parametrize("name", ["eksctl.yaml", "hyperpod.json", "parallelcluster.yaml"])
def test_any_value_may_be_a_placeholder(name: str) -> None:
    for path in places(WHOLE[name]):
        value = json.loads(json.dumps(WHOLE[name]))
        if len(path) > 1 and path[1] not in ("apiVersion", "kind"):
            at(value, path[:-1])[path[-1]] = "$PLACEHOLDER"
            assert_taken_or_refused_in_words(value)
