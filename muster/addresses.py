"""Where Muster is on the web. Nothing else in the code names these addresses; `project.urls` of pyproject.toml and the
documentation repeat them, and a test compares."""

from muster import __version__

REPOSITORY = "https://github.com/muster-clusters/muster"
SITE = "https://muster-clusters.github.io/muster"


SCHEMA_VERSION = ".".join(__version__.split(".")[:2])
"""The major and minor version: a patch changes no schema."""


WHEEL = f"{REPOSITORY}/releases/download/v{__version__}/muster_clusters-{__version__}-py3-none-any.whl"
"""The wheel of this version. It is a file of the release: on PyPI, `muster` is another project."""


LACKING = f"{SITE}/how-to/lacking.html"
"""What to do if the description has no key for something."""


def schema_address(form: str) -> str:
    """The address of a published JSON Schema, which is also its `$id`."""
    return f"{SITE}/schema/{SCHEMA_VERSION}/{form}.json"
