"""A file from an address, within a time and a size."""

import time
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

_SECONDS = 60
_SILENT_SECONDS = 15
"""Without a byte."""
_MOST_BYTES = 32 << 20
_CHUNK = 1 << 16
_NOT_THERE = {404, 410}


class NotFetched(Exception):
    """It could not be fetched; the message is why, in a few words."""


def fetched(address: str) -> bytes | None:
    """What is at an ``https://`` or ``http://`` address; None where there is nothing.

    Raises:
        NotFetched: the address does not answer, or not with that.
    """
    until, content = time.monotonic() + _SECONDS, bytearray()
    try:
        request = Request(address, headers={"User-Agent": "muster"})  # noqa: S310  # callers give http addresses only
        with urlopen(request, timeout=_SILENT_SECONDS) as answer:  # noqa: S310
            while chunk := answer.read1(_CHUNK):
                content += chunk
                if time.monotonic() > until:
                    raise NotFetched(f"it took more than {_SECONDS} seconds")
                if len(content) > _MOST_BYTES:
                    raise NotFetched(f"it is larger than {_MOST_BYTES >> 20} MiB")
    except HTTPError as fault:
        if fault.code in _NOT_THERE:
            return None
        raise NotFetched(f"the server says {fault.code} {fault.reason}") from fault
    except URLError as fault:
        raise NotFetched(str(fault.reason)) from fault
    except (OSError, HTTPException, ValueError) as fault:
        raise NotFetched(str(fault) or type(fault).__name__) from fault
    return bytes(content)
