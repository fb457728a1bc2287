"""What AWS, Kubernetes and Pulumi publish about keeping a cluster to oneself."""

from policies.sources.document import Document

_AWS = "https://docs.aws.amazon.com"

SECURITY = (
    Document(
        ("AWS Config rules",),
        f"{_AWS}/config/latest/developerguide/managed-rules-by-aws-config.html",
        f"{_AWS}/config/latest/developerguide/{{}}.html",
        by_name=r"[a-z0-9]+(-[a-z0-9]+)+(?=$|[ ,;])",
    ),
    Document(
        ("AWS Control Tower controls",),
        f"{_AWS}/controltower/latest/controlreference/introduction.html",
        f"{_AWS}/controltower/latest/controlreference/{{}}.html",
        {"CT.EC2": "ec2-rules", "CT.EKS": "eks-rules"},
    ),
    Document(("EBS user guide, Encryption by default",), f"{_AWS}/ebs/latest/userguide/encryption-by-default.html"),
    Document(
        ("Kubernetes, Pod Security Standards",), "https://kubernetes.io/docs/concepts/security/pod-security-standards/"
    ),
    Document(("Kubernetes, RBAC Good Practices",), "https://kubernetes.io/docs/concepts/security/rbac-good-practices/"),
    Document(
        ("Kubernetes, Secrets Good Practices",),
        "https://kubernetes.io/docs/concepts/security/secrets-good-practices/",
    ),
    Document(("Pulumi, Secrets",), "https://www.pulumi.com/docs/iac/concepts/secrets/"),
)
