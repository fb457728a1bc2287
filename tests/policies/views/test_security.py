"""Views of roles, grants, buckets and outputs: however a program writes them, and however little is known."""

import json
from typing import Any

import pytest

from muster.fleet.registration import Registration
from muster.fleet.resources import (
    AccessGrant,
    AddedRule,
    Bucket,
    ControlPlane,
    LaunchTemplate,
    LifecycleBundle,
    NodeRole,
    Output,
    Place,
    Ref,
    SecurityGroup,
    SecurityGroupRule,
    Statement,
)
from muster.fleet.resources.ref import (
    BUCKET,
    CLUSTER,
    DEFAULT_GROUP,
    HYPERPOD,
    LAUNCH_TEMPLATE,
    NODE_GROUP,
    SECURITY_GROUP,
)
from muster.policies.rules.security.credentials import credentials_in
from muster.policies.views.iam import ROLE, allows_everyone
from muster.policies.views.security_groups import RULES
from muster.unknown import UNKNOWN
from tests.policies.views.registrations import PREFIX, registered, seen

NODES = Ref(ROLE, "nodes")
ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
OWN, POLICY = "aws:iam/rolePolicy:RolePolicy", "aws:iam/policy:Policy"
ADMIN = "arn:aws:iam::aws:policy/AdministratorAccess"


def document(*actions: str, effect: str = "Allow", **more: Any) -> str:
    return json.dumps({"Statement": [{"Effect": effect, "Action": list(actions), "Resource": "*", **more}]})


def trust(service: str) -> str:
    return json.dumps({"Statement": {"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"}})


def role(service: str = "ec2.amazonaws.com", **inputs: Any) -> Registration:
    return registered(ROLE, "nodes", id="nodes-1", assumeRolePolicy=trust(service), **inputs)


def of_nodes(*resources: Registration) -> NodeRole:
    (found,) = seen(*resources).of(NodeRole)
    return found


@pytest.mark.parametrize(
    "others",
    [
        (role(managedPolicyArns=[ADMIN]),),
        (role(), registered(ATTACHMENT, "all", role="nodes-1", policyArn=ADMIN)),
        (role(), registered(ATTACHMENT, "all", role=UNKNOWN, policyArn=ADMIN, needs={"role": [NODES]})),
        (role(), registered("aws:iam/policyAttachment:PolicyAttachment", "all", roles=["nodes-1"], policyArn=ADMIN)),
        (role(name="gpu-nodes"), registered(ATTACHMENT, "all", role="gpu-nodes", policyArn=ADMIN)),
        (
            role(name="gpu-nodes"),
            registered("aws:iam/policyAttachment:PolicyAttachment", "all", roles=["gpu-nodes"], policyArn=ADMIN),
        ),
    ],
    ids=[
        *("in the role", "attached", "attached, ids unknown", "attached to several"),
        *("attached by name", "attached to several by name"),
    ],
)
def test_managed_policies_are_read_in_every_form(others: tuple[Registration, ...]) -> None:
    assert of_nodes(*others).policies == {ADMIN}


@pytest.mark.parametrize(
    "others",
    [
        (role(inlinePolicies=[{"name": "all", "policy": document("*")}]),),
        (role(), registered(OWN, "all", role="nodes-1", policy=document("*"))),
        (role(name="gpu-nodes"), registered(OWN, "all", role="gpu-nodes", policy=document("*"))),
        (
            role(),
            registered(POLICY, "all", policy=document("*"), id="arn:aws:iam::000000000000:policy/all"),
            registered(ATTACHMENT, "all", role="nodes-1", policyArn="arn:aws:iam::000000000000:policy/all"),
        ),
        (
            role(),
            registered(POLICY, "all", policy=document("*")),
            registered(ATTACHMENT, "all", role="nodes-1", policyArn=UNKNOWN, needs={"policyArn": [Ref(POLICY, "all")]}),
        ),
    ],
    ids=[
        "in the role",
        "beside it",
        "beside it by name",
        "a policy of the program",
        "a policy not yet known by its ARN",
    ],
)
def test_policies_that_the_program_writes_are_read_in_every_form(others: tuple[Registration, ...]) -> None:
    found = of_nodes(*others)
    assert found.policies == frozenset()
    assert [each.actions for each in found.statements if each is not UNKNOWN] == [{"*"}]


def test_what_is_denied_is_not_allowed_and_what_is_not_named_is_everything() -> None:
    denied, rest = document("*", effect="Deny"), json.dumps({"Statement": [{"Effect": "Allow", "NotAction": "iam:*"}]})
    found = of_nodes(role(inlinePolicies=[{"policy": denied}, {"policy": rest}, {"policy": "no json"}]))
    assert [each.actions for each in found.statements if each is not UNKNOWN] == [{"*"}]


def test_what_is_not_known_of_a_role_is_not_known() -> None:
    assert of_nodes(role(managedPolicyArns=UNKNOWN)).more_policies
    assert of_nodes(role(), registered(OWN, "all", role="nodes-1", policy=UNKNOWN)).more_statements
    assert of_nodes(role(), registered(ATTACHMENT, "all", role="nodes-1", policyArn=UNKNOWN)).more_policies


def test_what_is_known_of_a_role_stands_beside_what_is_not() -> None:
    """Or a policy for everything is lost for a harmless one whose ARN only creation brings."""
    later = registered(ATTACHMENT, "later", role="nodes-1", policyArn=UNKNOWN)
    found = of_nodes(role(managedPolicyArns=[ADMIN, UNKNOWN]), later)
    assert (found.policies, found.more_policies) == ({ADMIN}, True)
    statement = {"Effect": "Allow", "Action": ["s3:*", UNKNOWN], "Resource": "*"}
    inline = [{"policy": {"Statement": [statement, UNKNOWN]}}, UNKNOWN]
    found = of_nodes(role(inlinePolicies=inline))
    assert (found.statements, found.more_statements) == ((Statement(frozenset({"s3:*"}), frozenset({"*"})),), True)


def test_a_name_is_a_roles_where_a_role_is_asked_for() -> None:
    """A launch template, or another role's policy, may have the same one."""
    template = registered(LAUNCH_TEMPLATE, "gpu", name="gpu-nodes")
    found = seen(role(name="nodes"), template, registered(ATTACHMENT, "all", role="gpu-nodes", policyArn=ADMIN))
    assert found.of(NodeRole)[0].policies == frozenset()


@pytest.mark.parametrize(("said", "encrypted"), [({}, False), ({"encryptionConfig": UNKNOWN}, UNKNOWN)])
def test_encryption_not_known_yet_is_not_encryption(said: dict[str, Any], encrypted: Any) -> None:
    (found,) = seen(registered(CLUSTER, "ml", **said)).of(ControlPlane)
    assert found.secrets_encrypted == encrypted


@pytest.mark.parametrize(
    "user",
    [
        registered(NODE_GROUP, "workers", nodeRoleArn=UNKNOWN, needs={"nodeRoleArn": [NODES]}),
        registered(HYPERPOD, "ml", instanceGroups=[{"executionRole": "nodes-1"}]),
        registered("aws:iam/instanceProfile:InstanceProfile", "nodes", role="nodes-1"),
        registered("aws:iam/instanceProfile:InstanceProfile", "named", role="gpu-nodes"),
    ],
    ids=lambda each: f"{each.type.rpartition(':')[2]} {each.name}",
)
def test_a_role_is_machines_own_where_machines_act_as_it(user: Registration) -> None:
    """Whatever its trust policy says; a role of pods or of a service is nobody's here."""
    other = role("sagemaker.amazonaws.com", name="gpu-nodes")
    assert of_nodes(other, user).ref == NODES
    assert seen(other).of(NodeRole) == ()


# disks


def disk(name: Any = "/dev/xvda", *, encrypted: Any = True) -> dict[str, Any]:
    return {"deviceName": name, "ebs": {"volumeSize": 500, "encrypted": encrypted}}


@pytest.mark.parametrize(
    ("disks", "encrypted"),
    [
        ([disk()], True),
        ([disk("/dev/sda1"), disk("/dev/sdb")], True),
        ([disk("/dev/sdb")], None),
        ([], None),
        ([disk(), disk("/dev/sdb", encrypted=None)], False),
        ([disk(encrypted=False), disk("/dev/sdb", encrypted=UNKNOWN)], False),
        ([disk(encrypted=UNKNOWN)], UNKNOWN),
        ([disk(UNKNOWN)], UNKNOWN),
        ([disk(), disk(UNKNOWN)], True),
    ],
)
def test_an_encrypted_disk_says_nothing_of_the_root_volume(disks: list[Any], encrypted: Any) -> None:
    (found,) = seen(registered(LAUNCH_TEMPLATE, "gpu", blockDeviceMappings=disks)).of(LaunchTemplate)
    assert found.root_encrypted is encrypted


# rules of groups

EVERYWHERE = SecurityGroupRule("ingress", "tcp", 22, 22, "0.0.0.0/0")
CLASSIC, INGRESS_RULE = (next(each for each in RULES if each.endswith(end)) for end in ("upRule", "IngressRule"))


def rule(kind: str = CLASSIC, **inputs: Any) -> Registration:
    said = {"cidrBlocks": ["0.0.0.0/0"], "type": "ingress", "protocol": "tcp", "fromPort": 22, "toPort": 22}
    form = {"cidrIpv4": "0.0.0.0/0", "ipProtocol": "tcp", "fromPort": 22, "toPort": 22}
    return registered(kind, "ssh", **{**(said if kind == CLASSIC else form), **inputs})


@pytest.mark.parametrize("kind", [CLASSIC, INGRESS_RULE])
@pytest.mark.parametrize("owner", ["sg-0123456789abcdef0", UNKNOWN])
def test_a_rule_of_a_group_that_the_program_does_not_make_is_a_thing_of_its_own(kind: str, owner: Any) -> None:
    (found,) = seen(rule(kind, securityGroupId=owner)).of(AddedRule)
    assert found == AddedRule(Ref(kind, "ssh"), Place(""), frozenset({EVERYWHERE}))


def test_so_is_a_rule_of_the_group_that_eks_makes() -> None:
    cluster = registered(CLUSTER, "ml", outputs={"vpcConfig": {"clusterSecurityGroupId": "sg-1"}})
    later = rule(securityGroupId=UNKNOWN, needs={"securityGroupId": [Ref(CLUSTER, "ml")]})
    for one in (later, rule(securityGroupId="sg-1")):
        (found,) = seen(registered(CLUSTER, "ml") if one is later else cluster, one).of(AddedRule)
        assert found.allows == {EVERYWHERE}


@pytest.mark.parametrize("kind", [SECURITY_GROUP, DEFAULT_GROUP])
def test_a_rule_of_a_group_of_the_program_is_read_with_it(kind: str) -> None:
    """A VPC's default group, which a program takes over, is one."""
    group = registered(kind, "ours", id="sg-1")
    for one in (rule(securityGroupId="sg-1"), rule(securityGroupId=UNKNOWN, needs={"securityGroupId": [group.ref]})):
        fleet = seen(group, one)
        assert fleet.of(AddedRule) == ()
        assert fleet.of(SecurityGroup)[0].allows == {EVERYWHERE}


def test_the_default_group_has_rules_of_its_own() -> None:
    ssh = {"protocol": "tcp", "fromPort": 22, "toPort": 22, "cidrBlocks": ["0.0.0.0/0"]}
    (found,) = seen(registered(DEFAULT_GROUP, "default", ingress=[ssh])).of(SecurityGroup)
    assert found.allows == {EVERYWHERE}


# grants

ASSOCIATION = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
CLUSTER_ADMIN = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"


def grants(**inputs: Any) -> list[tuple[Any, Any]]:
    said = {"policyArn": CLUSTER_ADMIN, "principalArn": "arn:aws:iam::1:root", **inputs}
    return [(each.who, each.rights) for each in seen(registered(ASSOCIATION, "admin", **said)).of(AccessGrant)]


def test_an_access_policy_of_the_whole_cluster_is_a_grant() -> None:
    assert grants(accessScope={"type": "cluster"}) == [(("arn:aws:iam::1:root",), "AmazonEKSClusterAdminPolicy")]
    assert grants(accessScope={"type": "namespace", "namespaces": ["ml"]}) == []
    assert grants(principalArn=UNKNOWN, policyArn=UNKNOWN) == [(UNKNOWN, UNKNOWN)]


def test_a_binding_of_a_cluster_role_is_a_grant() -> None:
    kind = "kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding"
    said = {"roleRef": {"name": "cluster-admin"}, "subjects": [{"kind": "Group", "name": "ml"}, {"name": UNKNOWN}]}
    (found,) = seen(registered(kind, "all", **said)).of(AccessGrant)
    assert (found.who, found.rights) == (UNKNOWN, "cluster-admin")


def test_a_service_account_goes_by_its_name_as_a_user() -> None:
    kind = "kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding"
    subjects = [{"kind": "ServiceAccount", "name": "default", "namespace": "ml"}, {"kind": "User", "name": "ada"}]
    (found,) = seen(registered(kind, "all", roleRef={"name": "cluster-admin"}, subjects=subjects)).of(AccessGrant)
    assert found.who == ("system:serviceaccount:ml:default", "ada")


# buckets


def bucket(*others: Registration, **inputs: Any) -> Bucket:
    (found,) = seen(registered(BUCKET, "data", id="our-data", **inputs), *others).of(Bucket)
    return found


def about(kind: str, **inputs: Any) -> Registration:
    return registered(f"aws:s3/{kind[0].lower()}{kind[1:]}:{kind}", "data", **{"bucket": "our-data", **inputs})


FOR_ALL = json.dumps({"Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "s3:GetObject"}]})


def for_all_on(operator: str, key: str, value: Any = "x") -> str:
    condition = {operator: {key: value}}
    return json.dumps({"Statement": [{"Effect": "Allow", "Principal": "*", "Condition": condition}]})


def test_a_condition_narrows_where_it_says_who_or_from_where() -> None:
    """Whoever reads over HTTPS is everybody all the same."""
    narrow = {"StringEquals": "aws:PrincipalOrgID", "IpAddress": "aws:SourceIp", "ArnLike": "AWS:SourceArn"}
    wide = {"Bool": "aws:SecureTransport", "StringNotEquals": "aws:SourceVpce", "StringEqualsIfExists": "aws:SourceVpc"}
    wide |= {"StringLike": "s3:prefix", "Null": "aws:PrincipalOrgID"}
    assert {each: allows_everyone(for_all_on(each, key)) for each, key in narrow.items()} == dict.fromkeys(
        narrow, False
    )
    assert {each: allows_everyone(for_all_on(each, key)) for each, key in wide.items()} == dict.fromkeys(wide, True)
    statement = {"Effect": "Allow", "Principal": "*", "Condition": UNKNOWN}
    assert allows_everyone({"Statement": [statement]}) is UNKNOWN


ON_A_CONDITION = for_all_on("StringEquals", "aws:SourceVpce")


@pytest.mark.parametrize(
    ("others", "blocked", "acl", "for_all"),
    [
        ((), True, None, False),
        ((about("BucketPublicAccessBlock", blockPublicAcls=True),), False, None, False),
        ((about("BucketAcl", acl="public-read"),), True, "public-read", False),
        ((about("BucketAcl", acl=UNKNOWN),), True, UNKNOWN, False),
        ((about("BucketPolicy", policy=FOR_ALL),), True, None, True),
        ((about("BucketPolicy", policy=ON_A_CONDITION),), True, None, False),
        ((about("BucketPolicy", policy=UNKNOWN),), True, None, UNKNOWN),
        ((about("BucketPolicy", bucket=UNKNOWN, policy=FOR_ALL),), True, None, UNKNOWN),
        ((about("BucketPolicy", bucket="another", policy=FOR_ALL),), True, None, False),
    ],
)
def test_who_reads_a_bucket(others: tuple[Registration, ...], blocked: Any, acl: Any, for_all: Any) -> None:
    found = bucket(*others)
    assert (found.blocked, found.acl, found.policy_for_all) == (blocked, acl, for_all)


def test_a_bucket_may_say_it_all_itself() -> None:
    found = bucket(acl="public-read-write", policy=FOR_ALL)
    assert (found.acl, found.policy_for_all) == ("public-read-write", True)


def test_a_bucket_with_scripts_is_found_as_what_it_is_too() -> None:
    """Both go by names of their own, so that neither hides the other."""
    cluster = registered(HYPERPOD, "ml", instanceGroups=[{"lifeCycleConfig": {"sourceS3Uri": "s3://our-data/x"}}])
    fleet = seen(registered(BUCKET, "data", id="our-data"), cluster)
    (bundle,), (own,) = fleet.of(LifecycleBundle), fleet.of(Bucket)
    assert fleet.find(LifecycleBundle, bundle.ref) is bundle
    assert fleet.find(Bucket, own.ref) is own


# outputs


def test_outputs_are_as_secret_as_the_stack_has_them() -> None:
    stack = Registration(
        f"{PREFIX}pulumi:pulumi:Stack::test-dev",
        "pulumi:pulumi:Stack",
        "test-dev",
        {},
        outputs={"kubeconfig": "{}", "vpc": UNKNOWN},
        secrets=frozenset({"kubeconfig"}),
    )
    found = {each.ref.name: (each.value, each.secret) for each in seen(stack).of(Output)}
    assert found == {"kubeconfig": ("{}", True), "vpc": (UNKNOWN, False)}


# what credentials look like


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("AKIA" + "A" * 16, ("an AWS access key",)),
        ("XAKIA" + "A" * 16, ()),
        ("AKIA" + "A" * 15, ()),
        ("aws_secret_access_key = " + "a" * 40, ("an AWS secret key",)),
        ({"AWS_SECRET_ACCESS_KEY": "b" * 40}, ("an AWS secret key",)),
        ("-----BEGIN RSA PRIVATE KEY-----", ("a private key",)),
        ("-----BEGIN PRIVATE KEY-----", ("a private key",)),
        ("-----BEGIN CERTIFICATE-----", ()),
        (["ghp_" + "a" * 36, {"t": "hf_" + "b" * 34}], ("a GitHub token", "a Hugging Face token")),
        ({"WANDB_API_KEY": "0" * 40}, ("a Weights & Biases token",)),
        ("k8s-aws-v1." + "a" * 30, ("an EKS token",)),
        ({"commit": "0" * 40, "n": 3, "later": UNKNOWN}, ()),
    ],
)
def test_credentials_are_told_by_their_form(value: Any, found: tuple[str, ...]) -> None:
    assert credentials_in(value) == found
