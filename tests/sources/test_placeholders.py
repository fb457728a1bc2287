"""Which values of a tutorial's file count as unknown."""

import pytest

from muster.sources.placeholders import without_placeholders
from muster.unknown import UNKNOWN


@pytest.mark.parametrize(
    "text",
    [
        *(
            "$AWS_REGION",
            "${VPC_ID}",
            "<your-subnet>",
            "{{ subnet }}",
            "s3://{{ bucket }}/a",
            "1.XX",
            "subnet-xxxxxxxxxxxxxxxxx",
        ),
        *("YOUR_SUBNET_ID", "arn:aws:iam::$ACCOUNT:role/a", "s3://${BUCKET}/scripts", "arn:aws:iam::<account>:role/a"),
    ],
)
def test_a_placeholder_is_unknown(text: str) -> None:
    assert without_placeholders({"a": [text, 1]}) == {"a": [UNKNOWN, 1]}


@pytest.mark.parametrize("value", ["us-west-2", "1.35", "subnet-0123456789abcdef0", 3, None, True, "fxx", "$", "a<b"])
def test_another_value_is_kept(value: object) -> None:
    assert without_placeholders(value) == value


def test_a_script_keeps_its_variables() -> None:
    script = "#!/bin/bash\nmkfs.xfs $DEVICE\n"
    assert without_placeholders([script]) == [script]
