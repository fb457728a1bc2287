"""The registry of training images: what `destroy` does with it."""

from typing import Any

import pytest

from tests.infra.registered import registered

REPOSITORY = "aws:ecr/repository:Repository"


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
