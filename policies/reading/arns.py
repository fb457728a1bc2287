"""What an ARN says of the thing it names."""

_PARTS = 6


def region_in(reference: object) -> str:
    """The Region in an ARN, "" where it is none."""
    return _part(3, reference)


def account_in(reference: object) -> str:
    """The account in an ARN, "" where it is none, or has none (a bucket's)."""
    return _part(4, reference)


def _part(number: int, reference: object) -> str:
    parts = str(reference).split(":")
    return parts[number] if parts[0] == "arn" and len(parts) >= _PARTS else ""
