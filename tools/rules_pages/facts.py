"""Links to documented facts: `docs/facts/DOCUMENT.md` has an anchor for each."""

DOCUMENTS = ("rules.md", "hardware.md", "pains.md", "addons.md")


def fact_link(fact: str, folder: str) -> str:
    """A fact as a link; the name alone where it is a control of AWS's or of another project's, which the rule's source
    links to.

    Args:
        fact: as rules cite it, ``rules.md#24``.
        folder: `docs/facts` as seen from the page.
    """
    return f"[{fact}]({folder}/{fact})" if fact.partition("#")[0] in DOCUMENTS else fact
