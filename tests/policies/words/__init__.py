"""The words of every rule, in each of their forms, by topic as the cases are."""

import pytest

pytest.register_assert_rewrite("tests.policies.words.said")  # it holds the tests' assertions
