"""Every rule's source leads to a public document, and the table of documents has nothing that no rule needs."""

from urllib.parse import urlsplit

import botocore.session

from muster.policies.engine.catalogue import all_rules
from muster.policies.sources import DOCUMENTS, citations
from muster.policies.sources.projects import OWN


def test_every_rule_has_a_public_address() -> None:
    """An https address of a host with a name; a rule without one names a document that is not in the table."""
    assert {rule.id: rule.source for rule in all_rules() if not rule.url} == {}
    for rule in all_rules():
        assert rule.url is not None
        parts = urlsplit(rule.url)
        assert parts.scheme == "https", rule.id
        assert "." in parts.netloc, rule.id
        assert not set(" {}") & set(rule.url), rule.id


def test_every_document_of_a_source_is_known() -> None:
    """What has no address is Muster's own, and says so."""
    for rule in all_rules():
        for each in citations(rule.source):
            assert each.url or each.words.startswith(OWN), each.words


def test_a_document_with_pages_is_cited_by_page() -> None:
    """A source that leads to the beginning of a long guide leads nowhere. The exceptions mean the whole."""
    whole = {"ParallelCluster validators"}
    home = {
        each.words
        for rule in all_rules()
        for each in citations(rule.source)
        if each.document and each.document.page and each.document.pages and each.url == each.document.home
    }
    assert home == whole


def test_no_document_is_there_for_nothing() -> None:
    """A document, a page or words of its own that no rule cites are gone from the table."""
    cited = [each for rule in all_rules() for each in citations(rule.source)]
    used = {(id(each.document), each.document.words_of(each.page)) for each in cited if each.document}
    assert [document.names[0] for document in DOCUMENTS if id(document) not in {of for of, _ in used}] == []
    assert [words for document in DOCUMENTS for words in document.pages if (id(document), words) not in used] == []
    assert [words for words in OWN if not any(each.words.startswith(words) for each in cited)] == []


def test_a_document_goes_by_each_name_once() -> None:
    """Two documents of one name would make the address a matter of order."""
    names = [name for document in DOCUMENTS for name in document.names]
    assert len(names) == len(set(names))


_SERVICES = {
    "docs.aws.amazon.com/AWSEC2/latest": "ec2",
    "docs.aws.amazon.com/IAM/latest": "iam",
    "docs.aws.amazon.com/STS/latest": "sts",
    "docs.aws.amazon.com/autoscaling/ec2": "autoscaling",
    "docs.aws.amazon.com/eks/latest": "eks",
    "docs.aws.amazon.com/fsx/latest": "fsx",
    "docs.aws.amazon.com/pcs/latest": "pcs",
    "docs.aws.amazon.com/sagemaker/latest": "sagemaker",
}


def test_pages_of_api_references_are_of_actions_and_types() -> None:
    """AWS's references have a page for each action and each structure, by its name: botocore's models tell which."""
    session = botocore.session.get_session()
    for url in {each.url for rule in all_rules() for each in citations(rule.source)}:
        at, found, name = url.removeprefix("https://").partition("/APIReference/API_")
        if not found:
            continue
        model = session.get_service_model(_SERVICES[at])
        structures = {shape for shape in model.shape_names if model.shape_for(shape).type_name == "structure"}
        assert name.removesuffix(".html") in structures | set(model.operation_names), url


def test_repositories_are_cited_at_a_version_or_by_issue() -> None:
    """An address into a moving branch shows other lines tomorrow: where no version was noted is named here."""
    moving = {each.url for rule in all_rules() for each in citations(rule.source) if "/blob/main/" in each.url}
    assert {urlsplit(url).path.split("/blob/")[0] for url in moving} == {
        "/aws/karpenter-provider-aws",
        "/hashicorp/terraform-provider-aws",
    }
