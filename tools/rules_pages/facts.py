"""Links to documented facts: `docs/facts/DOCUMENT.md` has an anchor for each."""

DOCUMENTS = ("rules.md", "hardware.md", "pains.md", "addons.md", "pcs.md")


def fact_link(fact: str, folder: str) -> str:
    """A fact as a link. A control of AWS or of another project has no link, because the source of the rule links to it.

    Args:
        fact: the fact as rules cite it, ``rules.md#24``.
        folder: the path of `docs/facts`, relative to the page.
    """
    return f"[{fact}]({folder}/{fact})" if fact.partition("#")[0] in DOCUMENTS else fact
