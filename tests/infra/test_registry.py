"""The registry of training images: what `destroy` does with it."""

import json
from typing import Any

import pytest

from tests.infra.registered import registered

REPOSITORY, POLICY = "aws:ecr/repository:Repository", "aws:ecr/lifecyclePolicy:LifecyclePolicy"


@pytest.mark.parametrize(
    ("said", "name", "kept"),
    [
        ({}, "test", True),
        ({"on-destroy": "keep"}, "test", True),
        ({"on-destroy": "delete"}, "test", False),
        ({"repository": "ml/training"}, "ml/training", True),
    ],
)
def test_images_are_kept_unless_said_otherwise(said: dict[str, Any], name: str, *, kept: bool) -> None:
    """Kept: protected, and not deleted with images in it. Else it goes with its images."""
    repository = registered({"registry": said}).one(REPOSITORY, "registry")
    assert repository.inputs["name"] == name
    assert repository.options.get("protect", False) is kept
    assert repository.inputs["forceDelete"] is not kept
    assert repository.inputs["imageScanningConfiguration"] == {"scanOnPush": True}


def test_images_that_no_tag_names_expire() -> None:
    program = registered({"registry": {}})
    policy = program.one(POLICY, "registry").inputs
    assert policy["repository"] == program.one(REPOSITORY, "registry").outputs["name"]
    (rule,) = json.loads(policy["policy"])["rules"]
    assert rule["action"] == {"type": "expire"}
    assert rule["selection"] == {
        "tagStatus": "untagged",
        "countType": "sinceImagePushed",
        "countUnit": "days",
        "countNumber": 14,
    }


def test_its_address_is_an_output() -> None:
    assert registered({"registry": {}}).outputs["registry"] == "000000000000.dkr.ecr.us-west-2.amazonaws.com/test"
    assert registered().outputs.get("registry") is None
    assert REPOSITORY not in registered().types
