"""Options of the security rules: what is meant is said, and nothing else is let through."""

from collections.abc import Callable

import pytest

from muster.finding import Level
from muster.fleet.resources import Fleet
from muster.fleet.resources.ec2 import INGRESS, tcp
from policies.engine.catalogue import rules_about
from policies.engine.judgement import judge
from policies.engine.options import NoOptions
from tests.factories import a_fleet, a_template
from tests.policies.case import got_by
from tests.policies.cases.security import buckets, credentials, identities, open_ports
from tests.policies.security import ROOT, group, mount, pods
from tests.policies.test_options import Boundary, found

BOUNDARIES = [
    Boundary("imds-out-of-pods", lambda: a_fleet(a_template(hop_limit=3)), "hops", 3, 2, "a hop limit of 3"),
    Boundary(
        "security-group-not-open-to-all",
        lambda: group(tcp(INGRESS, 8000, 8443, "0.0.0.0/0")),
        "ports",
        [22, 8444],
        [22, 8443],
        "efa lets TCP 8443 in from everywhere",
    ),
    Boundary(
        "node-role-narrow",
        identities.nodes_with_all_of_s3,
        "allowed",
        ["AmazonS3FullAccess"],
        ["AmazonS3"],
        "nodes have AmazonS3FullAccess",
    ),
    Boundary(
        "node-role-narrow",
        identities.nodes_allowed_all_of_s3_by_a_policy_of_their_own,
        "allowed",
        ["S3:*"],
        ["s3:Get*"],
        "allows nodes s3:* on every resource",
    ),
    Boundary(
        "credentials-not-exported",
        credentials.a_password_by_its_name,
        "outputs",
        ["db-*"],
        ["db"],
        "exports a credential, by its name, in plain text",
    ),
    Boundary("buckets-private", buckets.a_bucket_with_a_public_list, "public", ["da*"], ["dat"], "public-read"),
    Boundary(
        "pods-not-privileged",
        lambda: a_fleet(pods("DaemonSet", "our-agent", container=ROOT)),
        "daemons",
        ["our-*"],
        ["our"],
        "is privileged",
    ),
    Boundary(
        "pods-off-host-files",
        lambda: a_fleet(pods("DaemonSet", "our-agent", volumes=mount("/etc"))),
        "daemons",
        ["our-agent"],
        ["agent"],
        "mounts /etc of its node",
    ),
    Boundary(
        "pods-off-host-files",
        lambda: a_fleet(pods(volumes=mount("/etc/ssl/certs"))),
        "paths",
        ["/etc/ssl"],
        ["/etc/ssl/private"],
        "mounts /etc/ssl/certs of its node",
    ),
    Boundary(
        "pods-off-host-namespaces",
        lambda: a_fleet(pods("DaemonSet", "our-agent", hostPID=True)),
        "daemons",
        ["*agent"],
        ["agents"],
        "asks for its node's own: hostPID",
    ),
]


@pytest.mark.parametrize("one", BOUNDARIES, ids=lambda one: f"{one.rule}-{one.option}")
def test_an_option_lets_through_what_it_names(one: Boundary) -> None:
    """And nothing that only looks like it."""
    assert found(one, one.within) == []
    ((got, _, _),) = found(one, one.beyond)
    assert one.got in got


def test_every_port_at_once_is_open_to_nobody_whatever_is_said() -> None:
    """An empty list of ports lets SSH in, and everything at once never."""
    everything, ssh = open_ports.everything_open_to_the_world, open_ports.ssh_open_to_the_world
    assert found(Boundary("security-group-not-open-to-all", ssh, "ports", [], [], ""), []) == []
    assert found(Boundary("security-group-not-open-to-all", everything, "ports", [], [], ""), []) != []


@pytest.mark.parametrize(
    ("fleet", "level"),
    [
        (credentials.a_kubeconfig_in_plain_text, Level.ADVISORY),
        (credentials.a_kubeconfig_not_yet_known, Level.ADVISORY),
        (credentials.a_kubeconfig_with_a_token, Level.MANDATORY),
        (credentials.a_kubeconfig_as_yaml, Level.MANDATORY),
    ],
)
def test_a_kubeconfig_stops_where_it_lets_people_in(fleet: Callable[[], Fleet], level: Level) -> None:
    """One that asks its user for credentials of AWS is worth a word, and no refusal."""
    (finding,) = [each for each in judge(fleet()).findings if each.rule == "credentials-not-exported"]
    assert finding.level is level


def test_every_option_of_the_security_rules_is_tried() -> None:
    """As `test_options` holds it of the others."""
    every = {
        (rule.id, name)
        for rule in rules_about("security")
        if rule.options is not NoOptions
        for name in rule.options.model_fields
    }
    assert {(one.rule, one.option) for one in BOUNDARIES} == every


@pytest.mark.parametrize("more", range(4))
def test_user_data_that_is_no_base64_is_read_as_it_stands(more: int) -> None:
    """However long it is: base64 comes in fours, and a lenient decoder takes every fourth text for some."""
    fleet = a_fleet(a_template(user_data=f"#!/bin/bash\n{credentials.KEYS}\n# {'a' * more}\n"))
    assert len(got_by(credentials.CLEAR, fleet)) == 1
