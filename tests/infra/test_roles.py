"""The settings of the block `iam`, on every role that any stack registers."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from muster.fleet.registration import EXISTING
from tests.corpus import SOUND, Entry
from tests.corpus.judged import registrations

BOUNDARY, PATH = "arn:aws:iam::210987654321:policy/boundary", "/parallelcluster/teams/"
STACKS = {
    "hyperpod-teams": {},
    "hyperpod-training-plan": {"hyperpod.mlflow": {}},
    "p5-karpenter": {"addons.fsx-csi-driver": {}, "addons.cloudwatch-observability": {}},
    "g5-auto-mode": {},
    "p5-capacity-block-self-managed": {},
    "hyperpod-slurm-p5": {},
    "pcs-p5": {},
    "pcluster-gpu": {"on-failure": "keep"},
}


def roles(stack: str, change: Mapping[str, Any]) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    """The inputs of its roles, and of its instance profiles; in a template, too."""
    change = {"iam.permissions-boundary": BOUNDARY, "iam.path": PATH, **change}
    said = {"says": "Roles of any stack.", "name": "roles", "kind": SOUND}
    entry = Entry.model_validate({**said, "stack": stack, "change": change})
    made = [each for each in registrations(entry, entry.opened()) if not each.options.get(EXISTING)]
    found = [each.inputs for each in made if each.type == "aws:iam/role:Role"]
    for each in made:
        body = json.loads(each.inputs.get("templateBody") or "{}").get("Resources", {}).values()
        found += [
            {"permissionsBoundary": one["Properties"].get("PermissionsBoundary"), "path": one["Properties"].get("Path")}
            for one in body
            if one["Type"] == "AWS::IAM::Role"
        ]
    return found, [each.inputs for each in made if each.type == "aws:iam/instanceProfile:InstanceProfile"]


@pytest.mark.parametrize("stack", STACKS)
def test_every_role_has_the_boundary_and_the_path(stack: str) -> None:
    """One without the boundary is refused by the accounts that demand one, in the middle of a deployment."""
    found, profiles = roles(stack, STACKS[stack])
    assert found
    assert {each.get("permissionsBoundary") for each in found} == {BOUNDARY}
    assert {each.get("path") for each in (*found, *profiles)} == {PATH}
