"""Who gets in, and what they find: the metadata service, disks, ports, roles, buckets, outputs, pods."""

import json
from base64 import b64encode
from dataclasses import replace
from typing import Any

from muster.fleet.resources import (
    AccessGrant,
    AddedRule,
    Allowance,
    Bucket,
    Fleet,
    Mount,
    NodeRole,
    Output,
    Place,
    PodOwner,
    PodTemplate,
    Ref,
    Script,
    Statement,
    Volume,
)
from muster.fleet.resources.bucket import ANY_BUCKET
from muster.fleet.resources.identity import ACCESS_GRANT
from muster.fleet.resources.output import STACK_OUTPUT
from muster.fleet.resources.security_group import EGRESS, EVERY_PROTOCOL, INGRESS, everything, tcp
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_control_plane, a_fleet, a_security_group, a_template, an_interface, facts
from tests.hyperpods import a_hyperpod_fleet
from tests.policies.case import case
from tests.slurms import APPS, FSX, a_head, a_pcluster, a_queue, a_slurm_fleet

WORKERS, EFA = "groups.workers", "security-groups.efa"
WORLD, WORLD_6, OFFICE = "0.0.0.0/0", "::/0", "203.0.113.0/24"
AWS_POLICY = "arn:aws:iam::aws:policy"


# imds-v2-required, imds-out-of-pods

V2, HOPS = "imds-v2-required", "imds-out-of-pods"


@case(f"{V2} @ {WORKERS}")
def a_template_that_says_nothing_of_the_metadata_service() -> Fleet:
    return a_fleet(a_template(http_tokens=None, hop_limit=None))


@case(f"{V2} @ {WORKERS}")
def a_template_that_takes_imds_v1() -> Fleet:
    return a_fleet(a_template(http_tokens="optional", hop_limit=2))


@case(unjudged=(f"{V2} @ {WORKERS}",))
def tokens_not_yet_known() -> Fleet:
    return a_fleet(a_template(http_tokens=UNKNOWN))


@case(f"{HOPS} @ {WORKERS}")
def a_hop_limit_of_two() -> Fleet:
    return a_fleet(a_template(hop_limit=2))


@case(f"{HOPS} @ {WORKERS}")
def no_hop_limit_at_all() -> Fleet:
    return a_fleet(a_template(hop_limit=None))


@case(unjudged=(f"{HOPS} @ {WORKERS}",))
def a_hop_limit_not_yet_known() -> Fleet:
    return a_fleet(a_template(hop_limit=UNKNOWN))


# volumes-encrypted

DISKS = "volumes-encrypted"


def account(by_default: bool | None = None) -> dict[str, Any]:
    return {"facts": facts(ebsEncryptionByDefault=by_default)}


@case(f"{DISKS} @ {WORKERS}")
def a_volume_in_the_clear() -> Fleet:
    return a_fleet(a_template(root_encrypted=False))


@case()
def a_volume_in_the_clear_where_the_account_encrypts_all() -> Fleet:
    return a_fleet(a_template(root_encrypted=False), **account(by_default=True))


@case(f"{DISKS} @ {WORKERS}")
def a_volume_in_the_clear_where_the_account_does_not() -> Fleet:
    return a_fleet(a_template(root_encrypted=False), **account(by_default=False))


@case(unjudged=(f"{DISKS} @ {WORKERS}",))
def no_volumes_described() -> Fleet:
    return a_fleet(a_template(root_encrypted=None))


@case(unjudged=(f"{DISKS} @ {WORKERS}",))
def no_volumes_described_and_nobody_knows_of_the_account() -> Fleet:
    return a_fleet(a_template(root_encrypted=None), **account())


@case()
def no_volumes_described_where_the_account_encrypts_all() -> Fleet:
    return a_fleet(a_template(root_encrypted=None), **account(by_default=True))


@case(f"{DISKS} @ {WORKERS}")
def no_volumes_described_where_the_account_does_not() -> Fleet:
    return a_fleet(a_template(root_encrypted=None), **account(by_default=False))


@case(unjudged=(f"{DISKS} @ {WORKERS}",))
def volumes_not_yet_known() -> Fleet:
    return a_fleet(a_template(root_encrypted=UNKNOWN))


# nodes-without-public-address

PUBLIC = "nodes-without-public-address"


def plain(**primary: Any) -> Fleet:
    return a_fleet(a_template(instance="m5.8xlarge", interfaces=(an_interface(**primary),)))


@case(f"{PUBLIC} @ {WORKERS}")
def a_public_address() -> Fleet:
    return plain(public_ip=True)


@case()
def no_public_address_said() -> Fleet:
    return plain(public_ip=False)


@case(unjudged=(f"{PUBLIC} @ {WORKERS}",))
def a_public_address_not_yet_known() -> Fleet:
    return plain(public_ip=UNKNOWN)


# security-group-not-open-to-all

OPEN = "security-group-not-open-to-all"


def group(*rules: Allowance) -> Fleet:
    return a_fleet(a_security_group(allows=frozenset(rules)))


@case(f"{OPEN} @ {EFA}")
def ssh_open_to_the_world() -> Fleet:
    return group(tcp(INGRESS, 22, 22, WORLD))


@case(f"{OPEN} @ {EFA}")
def ssh_open_to_the_world_by_ip_v6() -> Fleet:
    return group(tcp(INGRESS, 20, 25, WORLD_6))


@case(f"{OPEN} @ {EFA}")
def everything_open_to_the_world() -> Fleet:
    return group(everything(INGRESS, WORLD))


@case(f"{OPEN} @ {EFA}")
def every_port_open_to_half_the_world() -> Fleet:
    return group(tcp(INGRESS, 0, 65535, "128.0.0.0/1"))


@case()
def ssh_open_to_an_office_and_everything_to_a_group() -> Fleet:
    return group(tcp(INGRESS, 22, 22, OFFICE), everything(INGRESS, "sg-0fedcba9876543210"), everything(EGRESS, WORLD))


@case()
def https_and_udp_open_to_the_world() -> Fleet:
    return group(tcp(INGRESS, 443, 443, WORLD), Allowance(INGRESS, "udp", 22, 22, WORLD))


@case(unjudged=(f"{OPEN} @ {EFA}",))
def ssh_open_to_a_prefix_list() -> Fleet:
    return group(tcp(INGRESS, 22, 22, "pl-0123456789abcdef0"))


@case(unjudged=(f"{OPEN} @ {EFA}",))
def ports_not_yet_known_open_to_the_world() -> Fleet:
    return group(Allowance(INGRESS, "tcp", UNKNOWN, UNKNOWN, WORLD))


@case(unjudged=(f"{OPEN} @ {EFA}",))
def a_protocol_not_yet_known_open_to_the_world() -> Fleet:
    return group(Allowance(INGRESS, UNKNOWN, 22, 22, WORLD))


@case(f"{OPEN} @ {EFA}")
def everything_from_the_world_beside_a_network_that_is_none() -> Fleet:
    return group(Allowance(INGRESS, EVERY_PROTOCOL, None, None, WORLD), tcp(INGRESS, 22, 22, "10.0.0.0/99"))


RULE_AT = "urn:pulumi:dev::theirs::aws:ec2/securityGroupRule:SecurityGroupRule::ssh"


def added(*rules: Allowance) -> Fleet:
    ref = Ref("aws:ec2/securityGroupRule:SecurityGroupRule", "ssh")
    return a_fleet(AddedRule(ref, Place(RULE_AT), frozenset(rules)))


@case(f"{OPEN} @ {RULE_AT}")
def ssh_opened_to_the_world_in_a_group_that_exists() -> Fleet:
    return added(tcp(INGRESS, 22, 22, WORLD))


@case()
def ssh_opened_to_an_office_in_a_group_that_exists() -> Fleet:
    return added(tcp(INGRESS, 22, 22, OFFICE), everything(EGRESS, WORLD))


@case(unjudged=(f"{OPEN} @ {RULE_AT}",))
def ssh_opened_to_nobody_knows_whom_in_a_group_that_exists() -> Fleet:
    return added(tcp(INGRESS, 22, 22, UNKNOWN))


# api-networks-stated, secrets-under-own-key

STATED, KEY = "api-networks-stated", "secrets-under-own-key"


@case(f"{STATED} @ api")
def an_api_of_which_nobody_says_whom_it_is_for() -> Fleet:
    return a_fleet(a_control_plane(public_networks=()))


@case()
def a_private_api() -> Fleet:
    return a_fleet(a_control_plane(public_networks=(), endpoint_public=False))


@case(unjudged=(f"{STATED} @ ",))
def an_api_not_yet_known_to_be_public() -> Fleet:
    return a_fleet(a_control_plane(public_networks=(), endpoint_public=UNKNOWN))


@case(f"{KEY} @ ")
def secrets_under_a_key_of_aws() -> Fleet:
    return a_fleet(a_control_plane(secrets_encrypted=False))


@case(unjudged=(f"{KEY} @ ",))
def a_key_not_yet_known() -> Fleet:
    return a_fleet(a_control_plane(secrets_encrypted=UNKNOWN))


# node-role-narrow

ROLE, ROLE_AT = "node-role-narrow", "urn:pulumi:dev::theirs::aws:iam/role:Role::nodes"
NARROW = Statement(frozenset({"s3:GetObject"}), frozenset({"*"}))


def role(*policies: str, **more: Any) -> NodeRole:
    return NodeRole(Ref("aws:iam/role:Role", "nodes"), Place(ROLE_AT), frozenset(policies), **more)


@case(f"{ROLE} @ {ROLE_AT}")
def nodes_that_administer_the_account() -> Fleet:
    return a_fleet(role(f"{AWS_POLICY}/AdministratorAccess"))


@case(f"{ROLE} @ {ROLE_AT}")
def nodes_with_all_of_s3() -> Fleet:
    return a_fleet(role(f"{AWS_POLICY}/AmazonS3FullAccess", f"{AWS_POLICY}/AmazonEKSWorkerNodePolicy"))


@case()
def nodes_with_a_policy_of_the_accounts_own() -> Fleet:
    return a_fleet(role("arn:aws:iam::111122223333:policy/OurFullAccess"))


@case(f"{ROLE} @ {ROLE_AT}")
def nodes_allowed_everything_by_a_policy_of_their_own() -> Fleet:
    return a_fleet(role(statements=(NARROW, Statement(frozenset({"*"}), frozenset({"*"})))))


@case()
def nodes_allowed_everything_on_one_thing() -> Fleet:
    return a_fleet(role(statements=(NARROW, Statement(frozenset({"*"}), frozenset({"arn:aws:s3:::data"})))))


@case(unjudged=(f"{ROLE} @ {ROLE_AT}",))
def a_role_of_which_nothing_is_known_yet() -> Fleet:
    unknown = NodeRole(Ref("aws:iam/role:Role", "nodes"), Place(ROLE_AT), UNKNOWN, UNKNOWN)
    return a_fleet(unknown)


@case(f"{ROLE} @ {ROLE_AT}", unjudged=(f"{ROLE} @ {ROLE_AT}",))
def nodes_that_administer_the_account_and_have_a_policy_not_yet_known() -> Fleet:
    return a_fleet(role(f"{AWS_POLICY}/AdministratorAccess", more_policies=True))


@case(f"{ROLE} @ {ROLE_AT}", unjudged=(f"{ROLE} @ {ROLE_AT}",))
def nodes_allowed_all_of_iam_in_capitals_beside_what_is_not_yet_known() -> Fleet:
    wide = Statement(frozenset({"IAM:*"}), frozenset({"*"}))
    return a_fleet(role(statements=(wide,), more_statements=True))


@case(f"{ROLE} @ {ROLE_AT}")
def nodes_allowed_all_of_s3_by_a_policy_of_their_own() -> Fleet:
    return a_fleet(role(statements=(Statement(frozenset({"s3:*", "ec2:Describe*"}), frozenset({"*"})),)))


@case(f"{ROLE} @ queues.train")
def a_queue_with_all_of_s3() -> Fleet:
    return a_slurm_fleet(a_queue(policies=frozenset({f"{AWS_POLICY}/AmazonS3FullAccess"})))


@case(unjudged=(f"{ROLE} @ head",))
def a_head_node_with_policies_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_head(policies=UNKNOWN))


@case(f"{ROLE} @ queues.train", unjudged=(f"{ROLE} @ queues.train",))
def a_queue_that_administers_the_account_and_has_a_policy_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_queue(policies=frozenset({f"{AWS_POLICY}/AdministratorAccess"}), more_policies=True))


# cluster-admin-named

ADMIN, GRANT_AT = "cluster-admin-named", "urn:pulumi:dev::theirs::kubernetes:rbac:ClusterRoleBinding::all"
TEAM = "arn:aws:iam::111122223333:role/ml-admins"


def grant(who: Any, rights: Any = "cluster-admin") -> AccessGrant:
    return AccessGrant(Ref(ACCESS_GRANT, "all"), who, rights, Place(GRANT_AT))


@case(f"{ADMIN} @ {GRANT_AT}")
def everybody_who_is_logged_in_is_administrator() -> Fleet:
    return a_fleet(grant(("system:authenticated", "ml-admins")))


@case(f"{ADMIN} @ {GRANT_AT}")
def an_accounts_root_is_administrator() -> Fleet:
    return a_fleet(grant(("arn:aws:iam::111122223333:root",), "AmazonEKSClusterAdminPolicy"))


@case(f"{ADMIN} @ {GRANT_AT}")
def all_pods_of_a_namespace_are_administrators() -> Fleet:
    return a_fleet(grant(("system:serviceaccounts:ml", "system:serviceaccount:ml:default")))


@case()
def a_service_account_of_its_own_is_administrator() -> Fleet:
    return a_fleet(grant(("system:serviceaccount:argocd:argocd-server",)))


@case()
def everybody_may_look() -> Fleet:
    return a_fleet(grant(("system:authenticated",), "view"))


@case(unjudged=(f"{ADMIN} @ {GRANT_AT}",))
def administrators_not_yet_known() -> Fleet:
    return a_fleet(grant(UNKNOWN))


@case(unjudged=(f"{ADMIN} @ {GRANT_AT}",))
def rights_of_everybody_not_yet_known() -> Fleet:
    return a_fleet(grant(("system:unauthenticated",), UNKNOWN))


# buckets-private

PRIVATE, BUCKET_AT = "buckets-private", "urn:pulumi:dev::theirs::aws:s3/bucket:Bucket::data"


def bucket(**more: Any) -> Bucket:
    return Bucket(Ref(ANY_BUCKET, "data"), Place(BUCKET_AT), **more)


@case(f"{PRIVATE} @ {BUCKET_AT}")
def a_bucket_without_its_block() -> Fleet:
    return a_fleet(bucket(blocked=False))


@case(f"{PRIVATE} @ {BUCKET_AT}")
def a_bucket_with_a_public_list() -> Fleet:
    return a_fleet(bucket(acl="public-read"))


@case(f"{PRIVATE} @ {BUCKET_AT}")
def a_bucket_with_a_policy_for_all() -> Fleet:
    return a_fleet(bucket(policy_for_all=True))


@case(unjudged=(f"{PRIVATE} @ {BUCKET_AT}",))
def a_bucket_of_which_nothing_is_known_yet() -> Fleet:
    return a_fleet(bucket(blocked=UNKNOWN, acl=UNKNOWN, policy_for_all=UNKNOWN))


# credentials-not-exported

EXPORTED, STACK = "credentials-not-exported", "urn:pulumi:dev::theirs::pulumi:pulumi:Stack::theirs-dev"
CONFIG = {"apiVersion": "v1", "clusters": [], "users": [{"name": "ml", "user": {"exec": {}}}]}


def output(name: str, value: Any, *, secret: bool = False) -> Output:
    return Output(Ref(STACK_OUTPUT, name), value, secret, Place(STACK, f"output {name}"))


@case(f"{EXPORTED} @ {STACK}")
def a_kubeconfig_in_plain_text() -> Fleet:
    return a_fleet(output("kubeconfig", json.dumps(CONFIG)))


@case(f"{EXPORTED} @ {STACK}")
def a_kubeconfig_by_another_name() -> Fleet:
    return a_fleet(output("access", CONFIG))


@case(f"{EXPORTED} @ {STACK}")
def a_kubeconfig_as_yaml() -> Fleet:
    return a_fleet(output("access", "apiVersion: v1\nclusters:\n- name: ml\nusers:\n- name: ml\n"))


@case(f"{EXPORTED} @ {STACK}")
def a_kubeconfig_with_a_token() -> Fleet:
    return a_fleet(output("kubeconfig", {**CONFIG, "users": [{"name": "ml", "user": {"token": "k8s"}}]}))


@case(f"{EXPORTED} @ {STACK}")
def a_password_by_its_name() -> Fleet:
    return a_fleet(output("db-password", "correct horse"))


@case(f"{EXPORTED} @ {STACK}", unjudged=(f"{EXPORTED} @ {STACK}",))
def a_kubeconfig_not_yet_known() -> Fleet:
    return a_fleet(output("kubeConfig", UNKNOWN))


@case(unjudged=(f"{EXPORTED} @ {STACK}",))
def a_token_not_yet_known() -> Fleet:
    return a_fleet(output("registryToken", UNKNOWN))


@case(f"{EXPORTED} @ {STACK}")
def a_key_of_aws_in_an_output() -> Fleet:
    return a_fleet(output("uploader", {"key": "AKIA" + "ABCDEFGHIJKLMNOP", "bucket": "data"}))


@case()
def outputs_that_are_secret_or_let_nobody_in() -> Fleet:
    plain_ones = {
        "vpcId": "vpc-0123",
        "kubeconfigPath": None,
        "passwordSecretArn": "arn:aws:secretsmanager:...",
        "tokens": 3,
        "wandb-token": "arn:aws:secretsmanager:us-west-2:111122223333:secret:wandb",
        "db-password": "/training/db/password",
    }
    shown = [output(name, value) for name, value in plain_ones.items()]
    return a_fleet(output("kubeconfig", CONFIG, secret=True), *shown)


@case(unjudged=(f"{EXPORTED} @ {STACK}",))
def an_output_not_yet_known() -> Fleet:
    return a_fleet(output("endpoint", UNKNOWN))


# credentials-not-in-the-clear

CLEAR = "credentials-not-in-the-clear"
KEYS = "export AWS_SECRET_ACCESS_KEY=" + "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"


@case(f"{CLEAR} @ {WORKERS}")
def keys_in_user_data() -> Fleet:
    return a_fleet(a_template(user_data=b64encode(f"#!/bin/bash\n{KEYS}\n".encode()).decode()))


@case(f"{CLEAR} @ {WORKERS}")
def keys_in_user_data_that_is_no_base64() -> Fleet:
    return a_fleet(a_template(user_data=f"#!/bin/bash\n{KEYS}\n"))


@case("parallelcluster-scripts-readable @ head.post-install", f"{CLEAR} @ head.post-install")
def a_token_as_a_scripts_argument() -> Fleet:
    return a_slurm_fleet(a_head(scripts=(Script("s3://scripts/setup.sh", ("--token", "ghp_" + "a" * 36)),)))


POD_AT = "urn:pulumi:dev::theirs::kubernetes:apps/v1:Deployment::train"


def pods(kind: str = "Deployment", name: Any = None, *, container: Any = (), **spec: Any) -> PodOwner:
    one = {"name": "train", "image": "train:1", **dict(container)}
    template = PodTemplate("spec.template.spec", {"containers": [one], **spec})
    return PodOwner(Ref(f"kubernetes:apps/v1:{kind}", "train"), kind, (template,), Place(POD_AT), name)


@case(f"{CLEAR} @ {POD_AT}")
def a_token_in_a_pods_environment() -> Fleet:
    return a_fleet(pods(container={"env": [{"name": "HF_TOKEN", "value": "hf_" + "b" * 34}]}))


@case(f"{CLEAR} @ {POD_AT}")
def a_trackers_key_told_by_its_name() -> Fleet:
    return a_fleet(pods(container={"env": [{"name": "WANDB_API_KEY", "value": "c" * 40}]}))


@case()
def a_token_from_a_secret() -> Fleet:
    source = {"secretKeyRef": {"name": "hub", "key": "token"}}
    return a_fleet(pods(container={"env": [{"name": "HF_TOKEN", "valueFrom": source}]}))


# pods-not-privileged, pods-off-host-files, pods-off-host-namespaces

PRIVILEGED, FILES, SPACES = "pods-not-privileged", "pods-off-host-files", "pods-off-host-namespaces"
ROOT = {"securityContext": {"privileged": True}}


def mount(path: Any) -> list[dict[str, Any]]:
    return [{"name": "host", "hostPath": {"path": path}}]


@case(f"{PRIVILEGED} @ {POD_AT}")
def a_privileged_container() -> Fleet:
    return a_fleet(pods(container=ROOT))


@case(f"{PRIVILEGED} @ {POD_AT}")
def a_privileged_init_container() -> Fleet:
    return a_fleet(pods(initContainers=[{"name": "tune", **ROOT}]))


@case(f"{PRIVILEGED} @ {POD_AT}")
def a_container_with_every_capability() -> Fleet:
    return a_fleet(pods(container={"securityContext": {"capabilities": {"add": ["IPC_LOCK", "SYS_ADMIN"]}}}))


@case()
def a_container_that_locks_memory() -> Fleet:
    return a_fleet(pods(container={"securityContext": {"privileged": False, "capabilities": {"add": ["IPC_LOCK"]}}}))


@case()
def a_device_plugin() -> Fleet:
    return a_fleet(pods("DaemonSet", "ours", container=ROOT, volumes=mount("/var/lib/kubelet/device-plugins")))


@case(f"{PRIVILEGED} @ {POD_AT}", f"{FILES} @ {POD_AT}", f"{SPACES} @ {POD_AT}")
def a_job_that_mounts_the_folder_of_device_plugins() -> Fleet:
    """And so would be its node, were it taken for one."""
    volumes = mount("/var/lib/kubelet/device-plugins")
    return a_fleet(pods("Job", container=ROOT, volumes=volumes, hostPID=True))


@case(f"{FILES} @ {POD_AT}")
def a_device_plugin_that_mounts_its_nodes_root() -> Fleet:
    volumes = [*mount("/var/lib/kubelet/device-plugins"), {"name": "root", "hostPath": {"path": "/"}}]
    return a_fleet(pods("DaemonSet", "ours", volumes=volumes))


@case(f"{PRIVILEGED} @ {POD_AT}")
def a_daemon_that_bears_a_makers_name_alone() -> Fleet:
    return a_fleet(pods("DaemonSet", "nvidia-miner", container=ROOT))


@case()
def a_daemon_that_watches_its_node() -> Fleet:
    return a_fleet(pods("DaemonSet", "datadog-agent", volumes=mount("/proc"), hostPID=True))


@case()
def a_daemon_that_is_known() -> Fleet:
    return a_fleet(pods("DaemonSet", "dcgm-exporter", container=ROOT, volumes=mount("/"), hostNetwork=True))


@case(f"{PRIVILEGED} @ {POD_AT}")
def a_deployment_with_the_name_of_a_daemon() -> Fleet:
    return a_fleet(pods(name="dcgm-exporter", container=ROOT))


@case(unjudged=(f"{PRIVILEGED} @ {POD_AT}",))
def a_container_not_yet_known_to_be_privileged() -> Fleet:
    return a_fleet(pods(container={"securityContext": {"privileged": UNKNOWN}}))


@case(f"{FILES} @ {POD_AT}")
def a_pod_that_mounts_its_nodes_root() -> Fleet:
    return a_fleet(pods(volumes=mount("/")))


@case(f"{FILES} @ {POD_AT}")
def a_pod_that_mounts_the_container_runtime() -> Fleet:
    return a_fleet(pods(volumes=mount("/run/containerd/containerd.sock")))


@case(f"{FILES} @ {POD_AT}")
def a_pod_that_mounts_its_nodes_etc_by_a_detour() -> Fleet:
    return a_fleet(pods(volumes=mount("//mnt/../etc")))


@case()
def a_pod_that_mounts_its_nodes_time_zone() -> Fleet:
    return a_fleet(pods(volumes=mount("/etc/localtime")))


@case(unjudged=(f"{FILES} @ {POD_AT}",))
def a_pod_that_mounts_what_is_not_yet_known() -> Fleet:
    return a_fleet(pods(volumes=mount(UNKNOWN)))


@case(unjudged=(f"{FILES} @ {POD_AT}",))
def a_pod_with_a_volume_not_yet_known() -> Fleet:
    return a_fleet(pods(volumes=[*mount("/dev/shm"), UNKNOWN]))


@case()
def a_pod_that_mounts_a_local_disk() -> Fleet:
    return a_fleet(pods(volumes=[*mount("/opt/dlami/nvme"), *mount("/dev/shm")]))


@case(f"{SPACES} @ {POD_AT}")
def a_pod_on_its_nodes_network() -> Fleet:
    return a_fleet(pods(hostNetwork=True, hostPID=True, hostIPC=False))


@case(unjudged=(f"{SPACES} @ {POD_AT}",))
def a_pod_not_yet_known_to_be_on_its_nodes_network() -> Fleet:
    return a_fleet(pods(hostNetwork=UNKNOWN))


# parallelcluster-storage-encrypted

STORED = "parallelcluster-storage-encrypted"


def shared(**more: Any) -> Fleet:
    return a_slurm_fleet(a_pcluster(mounts=(APPS, FSX, Mount("shared", "/shared", "Efs", deletion="Retain", **more))))


@case(f"{STORED} @ storage")
def a_file_system_of_efs_of_which_nothing_is_said() -> Fleet:
    return shared()


@case(f"{STORED} @ storage")
def a_file_system_of_efs_in_the_clear() -> Fleet:
    return shared(encrypted=False)


@case()
def an_encrypted_file_system_of_efs() -> Fleet:
    return shared(encrypted=True)


@case()
def a_file_system_of_efs_that_exists() -> Fleet:
    return shared(file_system="fs-0fedcba9876543210")


@case(unjudged=(f"{STORED} @ ",))
def a_file_system_of_efs_not_yet_known_to_be_encrypted() -> Fleet:
    return shared(encrypted=UNKNOWN)


@case(f"{STORED} @ head")
def a_root_volume_in_the_clear() -> Fleet:
    return a_slurm_fleet(a_head(root=Volume(gib=200, encrypted=False)))


@case(f"{STORED} @ storage")
def a_shared_volume_in_the_clear() -> Fleet:
    return a_slurm_fleet(a_pcluster(mounts=(replace(APPS, volume=Volume("gp3", 200, encrypted=False)), FSX)))


# On the other backends.

SOUND = (bucket(), output("vpcId", "vpc-0123"), role(f"{AWS_POLICY}/AmazonSSMManagedInstanceCore"))


@case()
def all_of_it_on_hyperpod() -> Fleet:
    return a_hyperpod_fleet(*SOUND, grant((TEAM,)), pods())


@case()
def all_of_it_on_slurm() -> Fleet:
    return a_slurm_fleet(*SOUND)
