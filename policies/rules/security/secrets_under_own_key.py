"""The encryption of Kubernetes' secrets."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import ControlPlane, Fleet
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.unknown import UNKNOWN


@rule(
    "secrets-under-own-key",
    title="The account's own KMS key encrypts Kubernetes secrets",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=ControlPlane,
    backends=ON_KUBERNETES,
    why="By default, EKS encrypts the data of the Kubernetes API with a key that AWS owns. With the account's own key, "
    "CloudTrail logs its use, and disabling the key locks the secrets: tokens for registries, trackers and storage. "
    "You cannot undo it later, so decide at the start.",
    source="AWS Config rules, eks-secrets-encrypted; AWS Control Tower controls, CT.EKS.PR.2",
    remedy="Set encryptionConfig for secrets, with a KMS key.",
    facts=("aws-controls#eks-secrets-encrypted",),
)
def secrets_under_own_key(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.existing:
        return
    if cluster.secrets_encrypted is UNKNOWN:
        yield rule.unjudged(cluster.place, "encryptionConfig (known only after `pulumi up`)")
    elif not cluster.secrets_encrypted:
        got = "no KMS key of the account encrypts Kubernetes secrets"
        remedy = "set encryptionConfig with resources [secrets] and a KMS key, which you cannot remove later"
        yield rule.finding(cluster.place, got, remedy)
