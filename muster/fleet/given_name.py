"""What a managed node group is called in AWS."""

import re

_GIVEN = re.compile(r"(?P<group>.+)-\d{18}[0-9a-f]{8}")
"""What we ask for (`nodeGroupNamePrefix`), and what the provider puts behind it: the time to a tenth of a millisecond,
and a counter (terraform-plugin-sdk, `helper/id`, `PrefixedUniqueId`)."""


def group_called(name: str) -> str | None:
    """The group that a name was given for: ``workers`` for ``workers-2026112110304512340000000a``. None of another
    form."""
    given = _GIVEN.fullmatch(name)
    return given["group"] if given else None
