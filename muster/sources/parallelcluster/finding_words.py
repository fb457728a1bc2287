"""Texts of findings in the words of a configuration file. Some rules also judge the file systems of other programs, and
name their properties as FSx's API does: ``importPath``."""

import re

from muster.edits import Terms
from muster.sources.keys import table_of

_PROPERTY = re.compile(r"(?<![\w./-])[a-z]+(?:[A-Z][a-z0-9]*)+(?![\w/-])")


_KEYS = {name[0].lower() + name[1:]: name for name in table_of("parallelcluster").names}


def in_words(text: str) -> str:
    """A text of a finding with the keys as the configuration has them: ``importPath`` becomes ``ImportPath``."""
    return _PROPERTY.sub(lambda found: _KEYS.get(found[0], found[0]), text)


TERMS = Terms(
    key=lambda name: ".".join(_KEYS.get(each, each) for each in name.split(".")),
    document="file",
    deploy="the deployment",
    later="not in the file",
)
