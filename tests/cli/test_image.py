"""`muster image`: a Dockerfile on stdout, how to build and push it on stderr."""

import pytest

from muster.jobs.images import IMAGES
from tests.cli.conftest import Muster


@pytest.mark.parametrize("name", IMAGES)
def test_stdout_is_the_dockerfile(muster: Muster, name: str) -> None:
    """And nothing else; without a stack nothing is said."""
    ran = muster("image", name)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == IMAGES[name].dockerfile


def test_stderr_says_how_it_comes_into_the_stacks_registry(muster: Muster) -> None:
    """Commands to copy, in order; the Region is the stack's."""
    muster.edit("    addons:\n", "    registry: {}\n    addons:\n")
    ran = muster("image", "trn1-bert", "--stack", "p5-odcr")
    assert (ran.code, ran.out) == (0, IMAGES["trn1-bert"].dockerfile)
    login = "aws ecr get-login-password --region us-west-2"
    assert ran.err.splitlines() == [
        "registry=$(pulumi stack output registry --stack p5-odcr)",
        f'{login} | docker login --username AWS --password-stdin "${{registry%%/*}}"',
        'muster image trn1-bert | docker build --platform linux/amd64 --tag "$registry:trn1-bert" -',
        'docker push "$registry:trn1-bert"',
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "error: give an image; the images are:"),
        (("trn1-brt",), "error: no image 'trn1-brt'; did you mean 'trn1-bert'? (images: pytorch-fsdp, trn1-bert)"),
        (
            ("pytorch-fsdp", "--stack", "p5-odcr"),
            "error: stack 'p5-odcr' has no registry; add `registry: {}` to its description",
        ),
        (("pytorch-fsdp", "--stack", "p5-odc"), "did you mean 'p5-odcr'"),
    ],
)
def test_wrong_input_is_answered_in_words(muster: Muster, arguments: tuple[str, ...], said: str) -> None:
    """And nothing goes to docker."""
    ran = muster("image", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_a_description_with_faults_is_checked_first(muster: Muster) -> None:
    """Where `muster check` says what they are."""
    muster.edit("instance: p5.48xlarge", "instance: p5.48xlarg")
    ran = muster("image", "pytorch-fsdp", "--stack", "p5-odcr")
    assert (ran.code, ran.out) == (2, "")
    assert "the description of stack 'p5-odcr' has errors; run `muster check p5-odcr` to list them" in ran.err
