"""Versions, instance metadata, settings for developers, tags."""

from muster.unknown import UNKNOWN
from tests.policies.case import cases
from tests.policies.parallelclusters import said_of
from tests.slurms import a_head, a_slurm_fleet

cases(
    another_version=lambda: said_of(version="3.15.0"),
    a_version_not_yet_known=lambda: said_of(version=UNKNOWN),
    a_cluster_that_answers_imdsv1=lambda: said_of(imds="v1.0"),
    a_cluster_that_says_nothing_of_imds=lambda: said_of(imds=None),
    imds_not_yet_known=lambda: said_of(imds=UNKNOWN),
    a_head_node_whose_role_all_use=lambda: a_slurm_fleet(a_head(imds_secured=False)),
    a_head_node_of_which_nobody_knows_that=lambda: a_slurm_fleet(a_head(imds_secured=UNKNOWN)),
    developers_settings=lambda: said_of(dev_settings=frozenset({"Timeouts", "Cookbook"})),
    timeouts_alone=lambda: said_of(dev_settings=frozenset({"Timeouts"})),
    developers_settings_not_yet_known=lambda: said_of(dev_settings=UNKNOWN),
    too_many_tags=lambda: said_of(tags=frozenset(f"tag-{index}" for index in range(40))),
    as_many_tags_as_there_may_be=lambda: said_of(tags=frozenset(f"tag-{index}" for index in range(39))),
    parallelclusters_own_tags=lambda: said_of(
        tags=frozenset({"parallelcluster:version", "parallelcluster:custom_resource"})
    ),
    a_tag_of_129_characters=lambda: said_of(tags=frozenset({"a" * 129})),
    tags_not_yet_known=lambda: said_of(tags=UNKNOWN),
)
