"""The words of the rules about the control plane: what was found, what to do about this very thing."""

from muster.versions import EKS_ADDONS
from policies.words import some
from tests.policies.words.said import all_said, said

WORDS = [
    (
        "control_plane.one_subnet",
        "control-plane-two-zones",
        "the control plane has 1 subnet, in us-west-2a only",
        "add a subnet of a zone other than us-west-2a",
    ),
    (
        "control_plane.one_subnet_nobody_knows",
        "control-plane-two-zones",
        "the control plane has 1 subnet",
        "add a subnet of a second zone",
    ),
    (
        "control_plane.two_subnets_of_one_zone",
        "control-plane-two-zones",
        "the control plane has 2 subnets, in us-west-2a only",
        "add a subnet of a zone other than us-west-2a",
    ),
    (
        "control_plane.a_refused_zone",
        "control-plane-zone-accepted",
        "subnet-0bbbbbbbbbbbbbbbb is in use1-az3, where EKS takes no control plane",
        "name a subnet of another zone for the control plane instead of subnet-0bbbbbbbbbbbbbbbb",
    ),
    (
        "control_plane.an_api_open_to_all",
        "api-not-open-to-all",
        "the Kubernetes API is open to every address (0.0.0.0/0)",
        "list the networks you deploy from instead, as in 203.0.113.0/24, or make the API private",
    ),
    (
        "control_plane.an_api_open_to_all_of_both_kinds",
        "api-not-open-to-all",
        "the Kubernetes API is open to every address (0.0.0.0/0 and ::/0)",
        "list the networks you deploy from instead, as in 203.0.113.0/24, or make the API private",
    ),
    (
        "control_plane.a_foreign_cluster_in_extended_support",
        "kubernetes-standard-support",
        "standard support of Kubernetes 1.33 ended on 2026-07-29",
        "upgrade: the control plane costs six times as much until 2027-07-29, when EKS upgrades it by itself",
    ),
]
"""(case, rule, what was found, what to do)."""


test_words = all_said(WORDS)


def test_words_about_versions() -> None:
    pinned = some(EKS_ADDONS)
    assert said("control_plane.a_version_in_extended_support_without_pinned_add_ons", "eks-addons-pinned") == {
        (
            "no EKS add-ons are pinned for Kubernetes 1.33",
            f"take one of {pinned}, or add the add-ons of 1.33 to muster/versions.py",
        )
    }
    assert said("control_plane.a_version_past_all_support", "kubernetes-version-supported") == {
        (
            "extended support of Kubernetes 1.29 ended on 2026-03-23",
            "take a version in standard support (1.34, 1.35 and 1.36), one minor version at a time on a live cluster",
        )
    }
    assert said("control_plane.a_version_that_does_not_exist", "kubernetes-version-supported") == {
        ("Kubernetes 1.99 is not in EKS's calendar", "take a version in standard support (1.34, 1.35 and 1.36)")
    }
    ((_, remedy),) = said("control_plane.the_day_after_all_support", "kubernetes-version-supported")
    assert remedy.startswith("take a version in standard support (newer than any that Muster knows)")
