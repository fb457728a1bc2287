"""Versions, instance metadata, settings for developers, tags."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.policies.case import case
from tests.policies.parallelclusters import said_of
from tests.slurms import a_head, a_slurm_fleet


@case("parallelcluster-version-known @ version")
def another_version() -> Fleet:
    return said_of(version="3.15.0")


@case(unjudged=("parallelcluster-version-known @ ",))
def a_version_not_yet_known() -> Fleet:
    return said_of(version=UNKNOWN)


@case("parallelcluster-imds-v2 @ head")
def a_cluster_that_answers_imdsv1() -> Fleet:
    return said_of(imds="v1.0")


@case()
def a_cluster_that_says_nothing_of_imds() -> Fleet:
    return said_of(imds=None)


@case(unjudged=("parallelcluster-imds-v2 @ ",))
def imds_not_yet_known() -> Fleet:
    return said_of(imds=UNKNOWN)


@case("parallelcluster-imds-v2 @ head")
def a_head_node_whose_role_all_use() -> Fleet:
    return a_slurm_fleet(a_head(imds_secured=False))


@case(unjudged=("parallelcluster-imds-v2 @ head",))
def a_head_node_of_which_nobody_knows_that() -> Fleet:
    return a_slurm_fleet(a_head(imds_secured=UNKNOWN))


@case("parallelcluster-dev-settings-absent @ version")
def developers_settings() -> Fleet:
    return said_of(dev_settings=frozenset({"Timeouts", "Cookbook"}))


@case()
def timeouts_alone() -> Fleet:
    return said_of(dev_settings=frozenset({"Timeouts"}))


@case(unjudged=("parallelcluster-dev-settings-absent @ ",))
def developers_settings_not_yet_known() -> Fleet:
    return said_of(dev_settings=UNKNOWN)


@case("parallelcluster-tags-legal @ tags")
def too_many_tags() -> Fleet:
    return said_of(tags=frozenset(f"tag-{index}" for index in range(40)))


@case()
def as_many_tags_as_there_may_be() -> Fleet:
    return said_of(tags=frozenset(f"tag-{index}" for index in range(39)))


@case("parallelcluster-tags-legal @ tags")
def parallelclusters_own_tags() -> Fleet:
    return said_of(tags=frozenset({"parallelcluster:version", "parallelcluster:custom_resource"}))


@case("parallelcluster-tags-legal @ tags")
def a_tag_of_129_characters() -> Fleet:
    return said_of(tags=frozenset({"a" * 129}))


@case(unjudged=("parallelcluster-tags-legal @ ",))
def tags_not_yet_known() -> Fleet:
    return said_of(tags=UNKNOWN)
