"""Configurations of ParallelCluster 2, which were INI files."""

import re

_SECTION = re.compile(
    r"^\[(global|aws|aliases|(?:cluster|vpc|queue|compute_resource|scaling|ebs|efs|fsx|raid) \S+)\]\s*$", re.MULTILINE
)
_SETTING = re.compile(r"^[ \t]*[a-z_0-9]+[ \t]*=", re.MULTILINE)
FAULT = (
    "is a configuration of ParallelCluster 2, which is an INI file; convert it with `pcluster3-config-converter "
    "--config-file FILE --output-file cluster-config.yaml`, and check the new file"
)
"""What is wrong, and what to do (ParallelCluster guide, "pcluster3-config-converter")."""

_READ = 20_000


def is_old_configuration(text: str) -> bool:
    """Whether a text is such a file: it has a section of ParallelCluster 2, and settings with ``=``."""
    beginning = text[:_READ]
    return bool(_SECTION.search(beginning) and _SETTING.search(beginning))
