"""How users reach a running cluster: commands, user names, and its logs. Pure."""

from muster.config.description.slurm_settings import Os

_USERS = {Os.UBUNTU2204: "ubuntu", Os.UBUNTU2404: "ubuntu", Os.ROCKY8: "rocky", Os.ROCKY9: "rocky"}
_USER = "ec2-user"


def login_user(os: Os) -> str:
    """The user that every image of an operating system has (`OS_MAPPING` of ParallelCluster 3.16.1)."""
    return _USERS.get(os, _USER)


def session(instance: str, region: str) -> str:
    """The command for a shell on the head node, without an open port."""
    return f"aws ssm start-session --region {region} --target {instance}"


def ssh(user: str, address: str) -> str:
    """The command for a shell on the head node. It needs the private key."""
    return f"ssh {user}@{address}"


def nodes_log_group_prefix(cluster: str) -> str:
    """The prefix of the name of the nodes' log group. ParallelCluster adds the minute of creation, which is no output
    (`CW_LOG_GROUP_NAME_PREFIX` and `cluster_stack.py` of 3.16.1)."""
    return f"/aws/parallelcluster/{cluster}-"
