"""The lifecycle scripts that Muster puts onto HyperPod's instances. Pure."""

ON_CREATE = "on_create.sh"
"""The entry point."""


def files(group: str) -> tuple[str, ...]:
    """The keys in the bucket of a group's scripts: each group has a folder of its own, with its own settings."""
    return (f"{group}/{ON_CREATE}",)
