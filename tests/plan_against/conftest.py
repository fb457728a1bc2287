"""The project in a repository of its own."""

import pytest

from tests.cli.conftest import Muster
from tests.cli.conftest import muster as muster  # noqa: PLC0414  (the fixture)
from tests.plan_against.repositories import commit, git


@pytest.fixture
def repository(muster: Muster) -> Muster:
    """The project in a repository of its own, with one commit."""
    git(muster.folder, "init", "--quiet")
    commit(muster.folder)
    return muster
