"""The addresses of scripts that ParallelCluster's nodes download and run."""

import re

_SCHEMES = ("s3://", "https://")
_GITHUB_PAGE = re.compile(r"https://(?:www\.)?github\.com/(?P<repository>[^/]+/[^/]+)/blob/(?P<path>[^?#]+)")
_GITLAB_PAGE = re.compile(r"(?P<project>https://[^/]+/[^?#]+/-)/blob/(?P<path>[^?#]+)")
_RAW = frozenset({"raw=true", "raw=1"})
"""GitHub returns the file itself for an address with such a parameter."""


def address_fault(at: str) -> tuple[str, str] | None:
    """Why there is no script at an address, and what to write; None if there may be one.

    `blob` of GitHub and of GitLab is an HTML page about a file. A node would run that page.
    """
    if not at.startswith(_SCHEMES):
        return "not an address of S3 or HTTPS", "write s3://BUCKET/KEY or https://HOST/PATH"
    if at.startswith("s3://") and at.endswith("/"):
        return "a folder, not an object", f"write the key of the script, as in {at}setup.sh"
    page = _GITHUB_PAGE.match(at)
    if page and _RAW.isdisjoint(at.partition("#")[0].partition("?")[2].split("&")):
        raw = f"https://raw.githubusercontent.com/{page['repository']}/{page['path']}"
        return "an HTML page about the file", f"write the file's own address, {raw}"
    if page := _GITLAB_PAGE.match(at):
        return "an HTML page about the file", f"write the file's own address, {page['project']}/raw/{page['path']}"
    return None
