"""The public addresses of the documents that rules name as their source."""


def url_of(source: str) -> str | None:
    """The address of a source, None where the document is not in the table."""
    del source
    return None
