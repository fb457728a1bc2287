"""Instance types that are not catalogued: what their names tell.

EC2 guide, "Amazon EC2 instance type naming conventions"
(https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-type-names.html).
"""

import re

_SIZE = r"(nano|micro|small|medium|(\d+x|x)?large|metal(-\d+xl)?)"
_PLAIN = re.compile(rf"[tmcr]\d+(?P<attributes>[a-z]*)(-flex)?\.{_SIZE}")
_FORM = re.compile(rf"[a-z][a-z0-9]*(-[a-z0-9]+)*\.{_SIZE}")
_PARTS = re.compile(rf"(?P<series>[a-z]+)\d+(?P<attributes>[a-z]*)(-flex)?\.{_SIZE}")
_NO_LETTER_FOR_THE_PROCESSOR = frozenset({"a", "mac"})
"""Series whose names do not say that the processor is Arm."""


def attributes_of(instance: str) -> str | None:
    """The letters behind the generation (``g`` Graviton, ``d`` disks), None where the type has accelerators, local
    disks that no letter names, or is no type."""
    match = _PLAIN.fullmatch(instance)
    return match["attributes"] if match else None


def has_form(instance: str) -> bool:
    """Whether a text has the form of an EC2 instance type: ``c6i.8xlarge``, ``u-6tb1.metal``. Which there are, AWS
    knows."""
    return bool(_FORM.fullmatch(instance))


def architecture_of(instance: str) -> str | None:
    """``arm64`` or ``x86_64`` as the name tells, None where it does not."""
    match = _PARTS.fullmatch(instance)
    if match is None or match["series"] in _NO_LETTER_FOR_THE_PROCESSOR:
        return None
    return "arm64" if "g" in match["attributes"] else "x86_64"
