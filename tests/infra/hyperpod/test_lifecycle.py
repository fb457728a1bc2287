"""The bucket of lifecycle scripts: what is in it, who reads it, and that it goes with the stack."""

import pytest

from muster.blueprint.hyperpod.lifecycle_bundle import SCRIPTS, SETTINGS
from muster.infra.hyperpod.lifecycle import contents
from tests.infra.hyperpod.described import BUCKET, SCRIPT, a_blueprint, group_of, registered

THEIRS = {"own": {"at": "s3://sagemaker-theirs/lcs", "on-create": "set-up.sh"}}
NONE_OURS = {f"groups.{name}.hyperpod.lifecycle": THEIRS for name in ("system", "workers")}


def test_the_registered_files_are_the_derived_ones() -> None:
    """A key that rules judge is a file that is there, and no other."""
    blueprint = a_blueprint()
    assert blueprint.hyperpod is not None
    assert blueprint.hyperpod.bundle is not None
    scripts = registered().named(SCRIPT)
    assert {each.inputs["key"] for each in scripts.values()} == blueprint.hyperpod.bundle.files
    assert set(scripts) == {f"{group}/{file}" for group in ("system", "workers") for file in (*SCRIPTS, SETTINGS)}
    assert {name: each.inputs["content"] for name, each in scripts.items()} == contents(blueprint)


def test_it_goes_with_the_stack() -> None:
    """Nothing in it is anybody's data, so `destroy` empties it, and nothing protects it."""
    bucket = registered().one(BUCKET, "lifecycle")
    assert bucket.inputs["forceDestroy"] is True
    assert "protect" not in bucket.options
    assert bucket.inputs["bucketPrefix"].startswith("sagemaker-"), "else AWS's own policy lets no instance read it"


def test_a_bucket_of_ones_own_is_used_as_it_is() -> None:
    """Then none is made, and the groups name theirs; a group may have its own where others have Muster's."""
    program = registered(NONE_OURS)
    assert not {BUCKET, SCRIPT} & program.types
    assert group_of(program)["lifeCycleConfig"] == {"sourceS3Uri": "s3://sagemaker-theirs/lcs", "onCreate": "set-up.sh"}
    assert program.outputs["hyperpod"]["lifecycle"] is None
    mixed = registered({"groups.workers.hyperpod.lifecycle": THEIRS})
    assert {name.partition("/")[0] for name in mixed.named(SCRIPT)} == {"system"}


@pytest.mark.parametrize(
    ("name", "prefix"),
    [
        (f"{'a' * 25}-bcd", f"sagemaker-{'a' * 25}-"),
        (f"{'a' * 24}--bcd", f"sagemaker-{'a' * 24}-"),
        ("Pod-1", "sagemaker-pod-1-"),
    ],
)
def test_its_name_begins_as_was_derived(name: str, prefix: str) -> None:
    """Wherever a long name is cut: what rules judged is what is made."""
    edits = {"hyperpod.name": name}
    bundle = a_blueprint(edits).hyperpod.bundle  # type: ignore[union-attr]
    assert bundle is not None
    assert bundle.name == registered(edits).one(BUCKET, "lifecycle").inputs["bucketPrefix"] == prefix
