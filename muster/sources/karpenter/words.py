"""The words of findings, in the keys of an EC2NodeClass."""

KEY_OF_RULES = (
    ("imds-", "metadataOptions"),
    ("volumes-", "blockDeviceMappings"),
    ("efa-", "networkInterfaces"),
    ("interface-", "networkInterfaces"),
    ("node-pool-", "template"),
)
"""The beginning of rules -> the key of the class that their findings are about."""

_WORDS = {
    "the launch template has a volume": "blockDeviceMappings has a volume",
    "set encrypted: true under ebs for each volume": "set ebs.encrypted: true in each of blockDeviceMappings",
}


def words(text: str) -> str:
    """A text with Karpenter's keys in place of the engine's properties. Most have the same names in both."""
    for ours, theirs in _WORDS.items():
        text = text.replace(ours, theirs)
    return text
