"""The variables that another team's program gets of ours: by an allow-list, for secrets go by any name."""

import os
import site
from pathlib import Path

REGIONS = ("AWS_REGION", "AWS_DEFAULT_REGION")
"""No secret, and programs read them."""
_KEPT = frozenset(
    {
        "LANG",
        "LANGUAGE",
        "LD_LIBRARY_PATH",
        "LOGNAME",
        "PATH",
        "PYENV_ROOT",
        "PYENV_VERSION",
        "PYTHONPATH",
        "SYSTEMROOT",
        "TMPDIR",
        "TZ",
        "USER",
    }
)
_KEPT_FOR_POETRY = frozenset({"HOME", "POETRY_CACHE_DIR", "POETRY_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"})
_KEPT_FOR_PIP = frozenset(
    {
        "ALL_PROXY",
        "APPDATA",
        "CURL_CA_BUNDLE",
        "HOME",
        "HTTPS_PROXY",
        "HTTP_PROXY",
        "LOCALAPPDATA",
        "NETRC",
        "NO_PROXY",
        "REQUESTS_CA_BUNDLE",
        "SSL_CERT_DIR",
        "SSL_CERT_FILE",
        "USERPROFILE",
        "XDG_CACHE_HOME",
        "XDG_CONFIG_DIRS",
        "XDG_CONFIG_HOME",
    }
)


def without_secrets() -> dict[str, str]:
    """What every process needs, and nothing that opens a door."""
    return {key: value for key, value in os.environ.items() if key in _KEPT or key.startswith("LC_")}


def of_program(home: Path) -> dict[str, str]:
    """A program's: its home is an empty folder, so that no library finds a profile, a login or a kubeconfig there.

    Args:
        home: the folder, which goes after the run.
    """
    return {
        **without_secrets(),
        **{key: os.environ[key] for key in REGIONS if key in os.environ},
        "HOME": str(home),
        "USERPROFILE": str(home),
        "PULUMI_HOME": str(home / ".pulumi"),
        "AWS_SHARED_CREDENTIALS_FILE": str(home / ".aws" / "credentials"),
        "AWS_CONFIG_FILE": str(home / ".aws" / "config"),
        # Else boto3 asks the machine's role, and waits for it where there is none.
        "AWS_EC2_METADATA_DISABLED": "true",
        # Packages that were installed for the user alone stay within reach.
        "PYTHONUSERBASE": os.environ.get("PYTHONUSERBASE") or site.getuserbase(),
        "PYTHONUNBUFFERED": "1",
    }


def of_poetry() -> dict[str, str]:
    """Poetry's own, which says where it keeps an environment: by its home; the program is not run by it."""
    kept = {key: os.environ[key] for key in _KEPT_FOR_POETRY if key in os.environ}
    places = {key: value for key, value in os.environ.items() if key.startswith("POETRY_VIRTUALENVS_")}
    return {**without_secrets(), **kept, **places, "POETRY_VIRTUALENVS_CREATE": "false"}


def of_pip() -> dict[str, str]:
    """Pip's own, so that it finds its configuration, its cache and the way to its index. No variable of a cloud's."""
    kept = {key: value for key, value in os.environ.items() if key.upper() in _KEPT_FOR_PIP or key.startswith("PIP_")}
    plain = {key: value for key, value in without_secrets().items() if key != "PYTHONPATH"}
    return {**plain, **kept, "PYTHONUNBUFFERED": "1"}
