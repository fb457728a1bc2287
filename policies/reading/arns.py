"""What an ARN says of the thing it names."""

_PARTS = 6


def region_in(reference: object) -> str:
    """The Region in an ARN, "" where it is none."""
    parts = str(reference).split(":")
    return parts[3] if parts[0] == "arn" and len(parts) >= _PARTS else ""
