"""What it means for a new stack that AWS did not answer: what is not known, and what is done without it."""

from collections.abc import Iterable, Iterator

from muster.account.answer import Answer, said_nothing

_MEANS = {
    "GetCallerIdentity": "whose account this is is not known: a copy keeps no ARN of any account",
    "DescribeVpcs": "which VPCs there are is not known: none is taken, and a new one may overlap one",
    "DescribeSubnets": "which VPC fits is not known: none is taken, and one of the stack's own is planned",
    "DescribeRouteTables": "which subnets have a way out is not known: no VPC is taken",
    "DescribeVpcAttribute": "whether nodes find their cluster by name there is not known: such a VPC is not taken",
    "DescribeAvailabilityZones": "which zones there are is not known: those of a new VPC are taken by their letters",
    "DescribeInstanceTypeOfferings": "which zones offer the types is not known: the zones are chosen without",
    "DescribeCapacityReservations": "which reservations and Capacity Blocks there are is not known",
    "ListTrainingPlans": "which training plans there are is not known",
}
"""Operation -> what it means. Each of the questions by which a stack is chosen has one."""


def consequences(unanswered: Iterable[Answer]) -> Iterator[str]:
    """One line for each operation: what was asked and not answered, in AWS's words, and what that means."""
    by_operation: dict[str, list[Answer]] = {}
    for each in unanswered:
        by_operation.setdefault(each.question.operation, []).append(each)
    for operation, answers in by_operation.items():
        more = f" (and {len(answers) - 1} more)" if len(answers) > 1 else ""
        yield f"{said_nothing(answers[0])}{more}; {_MEANS[operation]}"
