"""How a cluster begins to accept access entries."""

CONFIG_MAP = "CONFIG_MAP"
"""The authentication mode of a cluster that rejects them."""


def switch_command(cluster: object, region: str | None) -> str:
    """The command that makes a cluster of this name accept them."""
    there = f" --region {region}" if region else ""
    mode = "--access-config authenticationMode=API_AND_CONFIG_MAP"
    return f"`aws eks update-cluster-config --name {cluster}{there} {mode}`"
