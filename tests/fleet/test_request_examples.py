"""The examples of texts that messages print."""

import re

from muster.config.request_limits import EXAMPLES, limits


def test_every_form_has_an_example_that_it_takes() -> None:
    """A regular expression tells nobody what to write."""
    for member, limit in limits().items():
        if limit.pattern and not re.fullmatch(r"\^?\(?(\[[^]]+\])[*+]\)?\$?", limit.pattern):
            assert re.fullmatch(limit.pattern, EXAMPLES[member.rpartition(".")[2]]), member
