"""An address as people may read it: who logs in, and with what, is left out. Pure."""

import re
from urllib.parse import unquote

_LOGIN = re.compile(r"(?<=://)[^/\s]*@")


def shown(words: str, *addresses: str) -> str:
    """Words without the logins of the addresses in them.

    Args:
        words: an address, or what somebody said of one.
        addresses: whose logins are not to be told, in whatever part: a program may repeat the half that it could not
            read.
    """
    for login in (each[0].removesuffix("@") for address in addresses if (each := _LOGIN.search(address))):
        user, _, password = login.partition(":")
        parts = (login, password or user)
        for part in (*parts, *map(unquote, parts)):
            words = words.replace(f"{part}@", "").replace(part, "...") if part else words
    return _LOGIN.sub("", words)
