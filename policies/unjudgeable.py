"""Documented rules that no rule of the pack judges, or only in part, and why. `docs/rules.md` prints them.

Numbers as in a rule's `facts`. A number that is not judged stands here and in no rule's facts, one that is judged in
part in both: tests see to it.
"""

UNJUDGEABLE = {
    "rules.md#6": "names one of several full-bandwidth layouts of p5 (efa on every fourth card, efa-only elsewhere): "
    "AWS's page has another today, and both reach the same bandwidth, so neither is wrong",
    "rules.md#36": "is about Karpenter: its node classes and pools are Kubernetes objects that it reads while it runs",
}
"""Fact -> why: a clause whose subject is the documented rule."""

IN_PART = {
    "rules.md#59": "has continuous provisioning as EKS's alone: AWS announced it for Slurm in May 2026, so no rule "
    "refuses that",
    "rules.md#62": "wants a VPC's DNS support and host names on: of a VPC that exists no plan shows them, and Muster "
    "makes its own with both",
    "rules.md#60": "wants the bucket encrypted, too: S3 encrypts every object since January 2023, whatever a program "
    "says",
    "rules.md#50": "is judged of AWS's NCCL test images, whose tags say what is in them: of any other image nothing "
    "that a plan shows does, so it passes",
}
"""Fact that a rule judges -> what of it no rule can: a clause as above."""
