"""Who gets in, and what they find, with defaults: a case shows only what matters."""

from typing import Any

from muster.fleet.resources import (
    AccessGrant,
    Bucket,
    Fleet,
    NodeRole,
    Output,
    Place,
    PodOwner,
    PodTemplate,
    Ref,
    SecurityGroupRule,
)
from muster.fleet.resources.fleet import STACK_OUTPUT
from muster.fleet.resources.iam import ACCESS_GRANT
from muster.fleet.resources.storage import ANY_BUCKET
from tests.factories import a_fleet, a_security_group

WORLD, WORLD_6, OFFICE = "0.0.0.0/0", "::/0", "203.0.113.0/24"
AWS_POLICY = "arn:aws:iam::aws:policy"


def group(*rules: SecurityGroupRule) -> Fleet:
    """The group of EFA with rules."""
    return a_fleet(a_security_group(allows=frozenset(rules)))


ROLE_AT = "urn:pulumi:dev::theirs::aws:iam/role:Role::nodes"


def role(*policies: str, **more: Any) -> NodeRole:
    """The role of nodes with managed policies, by ARN."""
    return NodeRole(Ref("aws:iam/role:Role", "nodes"), Place(ROLE_AT), frozenset(policies), **more)


GRANT_AT = "urn:pulumi:dev::theirs::kubernetes:rbac:ClusterRoleBinding::all"
TEAM = "arn:aws:iam::111122223333:role/ml-admins"


def grant(who: Any, rights: Any = "cluster-admin") -> AccessGrant:
    """Rights on the cluster, an administrator's."""
    return AccessGrant(Ref(ACCESS_GRANT, "all"), who, rights, Place(GRANT_AT))


PRIVATE, BUCKET_AT = "buckets-private", "urn:pulumi:dev::theirs::aws:s3/bucket:Bucket::data"


def bucket(**more: Any) -> Bucket:
    """A bucket for data."""
    return Bucket(Ref(ANY_BUCKET, "data"), Place(BUCKET_AT), **more)


EXPORTED, STACK = "credentials-not-exported", "urn:pulumi:dev::theirs::pulumi:pulumi:Stack::theirs-dev"


def output(name: str, value: Any, *, secret: bool = False) -> Output:
    """An output of another program's stack."""
    return Output(Ref(STACK_OUTPUT, name), value, secret, Place(STACK, f"output {name}"))


POD_AT = "urn:pulumi:dev::theirs::kubernetes:apps/v1:Deployment::train"


def pods(kind: str = "Deployment", name: Any = None, *, container: Any = (), **spec: Any) -> PodOwner:
    """An object of pods with one container."""
    one = {"name": "train", "image": "train:1", **dict(container)}
    template = PodTemplate("spec.template.spec", {"containers": [one], **spec})
    return PodOwner(Ref(f"kubernetes:apps/v1:{kind}", "train"), kind, (template,), Place(POD_AT), name)


ROOT = {"securityContext": {"privileged": True}}


def mount(path: Any) -> list[dict[str, Any]]:
    """Volumes: a path of the node."""
    return [{"name": "host", "hostPath": {"path": path}}]
