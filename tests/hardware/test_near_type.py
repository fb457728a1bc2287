"""A near miss is a misspelling of a type, never another machine."""

import botocore.session
import pytest

from muster.hardware.catalogue import UnknownInstance, hardware, instance_types
from muster.hardware.type_names import architecture_of, is_type_name, nearest_type

EC2 = botocore.session.get_session().get_service_model("ec2").shape_for("InstanceType").enum


def test_no_type_of_ec2_is_a_misspelling_of_another() -> None:
    for each in set(EC2) - set(instance_types()):
        with pytest.raises(UnknownInstance) as unknown:
            hardware(each)
        assert "did you mean" not in str(unknown.value)


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("p5.48xlarg", "p5.48xlarge"),
        ("p5.84xlarge", "p5.48xlarge"),
        ("P5.48xlarge", "p5.48xlarge"),
        ("p4.24xlarge", "p4d.24xlarge"),
        ("gd4n.8xlarge", "g4dn.8xlarge"),
        ("p5.8xlarge", None),
        ("p9.48xlarge", None),
    ],
)
def test_a_misspelling_keeps_the_numbers(word: str, near: str | None) -> None:
    assert nearest_type(word, instance_types()) == near


def test_every_type_of_ec2_has_the_form_of_one() -> None:
    assert [each for each in EC2 if not is_type_name(each)] == []


def test_a_name_tells_the_processor_only_where_it_says_so() -> None:
    told = {each: architecture_of(each) for each in ("c6i.8xlarge", "c7g.4xlarge", "im4gn.large", "a1.large")}
    assert list(told.values()) == ["x86_64", "arm64", "arm64", None]
