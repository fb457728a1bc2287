"""How the name of a bucket begins that Muster makes. Pure."""

FOR_SAGEMAKER = "sagemaker-"
"""HyperPod's managed policy lets instances read buckets of such names only
(AmazonSageMakerClusterInstanceRolePolicy)."""

LONGEST_PREFIX = 37
"""Characters that the provider takes: its own suffix has 26, and a bucket's name 63."""


def bucket_prefix(begins: str) -> str:
    """What the provider is given of a name: lower case, cut to what it takes, with one dash at the end.

    Of what it has made it makes the same.

    Args:
        begins: the beginning of the name, of letters, digits and dashes.
    """
    return f"{begins.lower()[: LONGEST_PREFIX - 1].rstrip('-')}-"
