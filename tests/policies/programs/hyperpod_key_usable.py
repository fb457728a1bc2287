"""A key of one's own where groups come whole."""

import pulumi_aws as aws

from tests.policies.programs.hyperpod import Ground, a_group, cluster, ground

AT = {"hyperpod"}


def _keyed(on: Ground) -> dict[str, object]:
    volume = {"volume_size_in_gb": 500, "volume_kms_key_id": aws.kms.Key("volumes").arn}
    return a_group(on, instance_storage_configs=[{"ebs_volume_config": volume}])


def passing() -> None:
    on = ground()
    cluster(on, [_keyed(on)], node_provisioning_mode="Continuous")


def failing() -> None:
    on = ground()
    cluster(on, [_keyed(on)])
