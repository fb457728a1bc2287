"""The encryption of Kubernetes' secrets."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import ControlPlane, Fleet
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Severity, Verdict, rule


@rule(
    "secrets-under-own-key",
    title="A key of the account encrypts Kubernetes' secrets",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=ControlPlane,
    backends=("eks", "hyperpod"),
    why="EKS encrypts what the API keeps under a key of AWS's. Under one of the account's own its use is logged, and "
    "disabling it shuts the secrets: tokens of registries, of trackers, of storage. It is for good, so decide at the "
    "start.",
    source="AWS Config rules, eks-secrets-encrypted; AWS Control Tower controls, CT.EKS.PR.2",
    remedy="Give the cluster an encryptionConfig of secrets with a KMS key.",
    facts=("aws-controls#eks-secrets-encrypted",),
)
def secrets_under_own_key(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.existing:
        return
    if cluster.secrets_encrypted is UNKNOWN:
        yield rule.unjudged(cluster.place, "encryptionConfig, not known before creation")
    elif not cluster.secrets_encrypted:
        got = "no key of the account encrypts Kubernetes' secrets"
        remedy = "add encryptionConfig with resources [secrets] and a KMS key; it cannot be taken away again"
        yield rule.finding(cluster.place, got, remedy)
