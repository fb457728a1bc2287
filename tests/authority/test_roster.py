"""Every validator of the package is run, or left out for a written reason."""

import re
from functools import cache

from muster.authority.skipped_validators import SKIPPED, SUPPRESSED
from muster.authority.validation import validate_cluster
from muster.authority.worker_process import Worker
from muster.policies.coverage.parallelcluster_validators import VALIDATORS
from tests.authority.judged import AMI, STACKS, a_queue, a_slurm_cluster, stack

_SECRET = "arn:aws:secretsmanager:us-west-2:111122223333:secret:slurm-Ab12Cd"

CORPUS = (
    {"accounting": {"server": "db.example.com:3306", "user": "slurm", "password-secret": _SECRET}},
    {"slurm": {"memory-scheduling": True, "settings": {"MaxJobCount": 1000}}},
    {"login_nodes": {"login": {"instance": "m5.large"}}},
    {"image": AMI, "post-install": {"scripts": [{"at": "s3://a-bucket/script.sh"}]}},
)
"""What the five stacks do not have."""


@cache
def _met() -> tuple[frozenset[str], frozenset[str]]:
    """What was run, and what would have been run but for its reason."""
    clusters = (*map(stack, STACKS), *(a_slurm_cluster(queues=a_queue(), **each) for each in CORPUS))
    judgements = [validate_cluster(each) for each in clusters]
    ran = frozenset(name for each in judgements for name in each.ran)
    return ran, frozenset(name for each in judgements for name in each.suppressed)


def test_every_validator_is_run_or_has_its_reason(aws: Worker) -> None:
    """Run, suppressed, or never asked of what Muster renders: each class of the package is one of them exactly."""
    ran, _ = _met()
    timed = {"AsyncTimedUrlValidator"}  # made by the package when it is loaded: UrlValidator with a time limit
    assert ran | set(SUPPRESSED) | set(SKIPPED) == set(aws.ask("roster")) | timed
    assert not ran & (set(SUPPRESSED) | set(SKIPPED))
    assert not set(SUPPRESSED) & set(SKIPPED)


def test_what_is_suppressed_would_be_asked(aws: Worker) -> None:
    """No reason stands for a validator that nobody meets."""
    _, suppressed = _met()
    assert suppressed == set(SUPPRESSED)


def test_the_table_of_answers_has_every_validator_of_a_cluster(aws: Worker) -> None:
    """`muster.policies.coverage.parallelcluster_validators` says of each where Muster judges the same: all but those of
    build-image."""
    clusters = {name for name, module in aws.ask("roster").items() if module != "imagebuilder_validators"}
    assert set(VALIDATORS) == clusters


def test_reasons_are_reasons() -> None:
    """A clause each, not a word."""
    for reason in (*SUPPRESSED.values(), *SKIPPED.values()):
        assert len(re.findall(r"\w+", reason)) >= 4
