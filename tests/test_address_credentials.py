"""No text with an address keeps what gives access to it."""

import re

import pytest

from muster import secret_texts
from muster.secret_texts import without_credentials


@pytest.mark.parametrize(
    "text",
    [
        "https://user:{}@h/x",
        "https://{}@h/x",
        "https://user:pa/{}@h",
        "https://user:pa?{}@h",
        "https://user:pa#{}@h/x",
        "https://user:{}/a?b@h",
        "https://user:a@{}/b#c@h/x",
        "https://user:p@{}@h/x",
        "https://h:80/x?a=b@c&d={}",
        "https://h/x?token={}",
        "https://h/x#access_token={}",
        r"https:\/\/u:{}@h\/x",
        r"https:\\/\\/u:{}@h\\/x",
        r"https://h/x?a=b\u0026c={}",
        "https://a/https://u:{}@h",
    ],
)
def test_it_is_hidden(text: str) -> None:
    assert "s3cr3t" not in without_credentials(f'an "{text.format("s3cr3t")}" b')


@pytest.mark.parametrize("text", ["https://h/x", "git+https://h/a/b@v1", "https://h:80/a", "a: b@c", "https://h/x a@b"])
def test_other_text_stays(text: str) -> None:
    assert without_credentials(text) == text


@pytest.mark.parametrize("part", ["://", ":\\\\", ":\\/", "://a@", "://?", "://#", "\\u", ":"])
def test_each_character_is_in_one_address(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the time is linear."""
    found: list[re.Match[str]] = []
    real = secret_texts._public
    monkeypatch.setattr(secret_texts, "_public", lambda each: found.append(each) or real(each))
    without_credentials(part * 10_000)
    assert sum(len(each[0]) for each in found) <= len(part) * 10_000
