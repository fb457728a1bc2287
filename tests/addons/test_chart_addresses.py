"""Charts and manifests from a mirror on this machine, and from addresses where nothing answers."""

import hashlib
import http.server
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from muster.addons.addon import Addon, Chart
from muster.addons.charts import ChartFault, Charts, NoChart, sources
from tests.addons.tiny import MANIFEST, PLAIN, TINY, VERSION, engines, needs_helm, pack

DEAD = "http://127.0.0.1:9"


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files of a folder; `/broken/` has a server's fault."""

    def log_message(self, *_: object) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        if self.path.startswith("/broken/"):
            self.send_error(503)
        else:
            super().do_GET()


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[str]:
    """An index with the tiny chart, a manifest beside it."""
    folder = tmp_path / "mirror"
    folder.mkdir()
    digest = hashlib.sha256(pack(folder, "tiny-1.2.3.tgz").read_bytes()).hexdigest()
    entry = f"{{name: tiny, version: {VERSION}, apiVersion: v2, urls: [tiny-1.2.3.tgz], digest: {digest}}}"
    gone = "{name: gone, version: 1.2.3, apiVersion: v2, urls: [gone-1.2.3.tgz]}"
    (folder / "index.yaml").write_text(f"apiVersion: v1\nentries: {{tiny: [{entry}], gone: [{gone}]}}\n")
    (folder / "plain-v2.0.0.yaml").write_text(MANIFEST)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@needs_helm
def test_a_chart_from_a_mirror(mirror: str) -> None:
    """By the index, as Helm reads it; with or without a stroke at the address's end."""
    rendered = Charts.at(f"{mirror}/").rendered(TINY, VERSION, {}, "1.35")
    assert rendered.source == f"chart tiny 1.2.3 from {mirror}"
    assert len(rendered.objects) == 7


@needs_helm
def test_an_index_without_the_chart_or_the_version_is_no_fault(mirror: str) -> None:
    """A mirror need not have all add-ons."""
    with pytest.raises(NoChart, match=rf"^{mirror} has no tiny 9\.9\.9$"):
        Charts.at(mirror).rendered(TINY, "9.9.9", {}, "1.35")
    with pytest.raises(NoChart, match=rf"^{mirror} has no tinier 1\.2\.3$"):
        Charts.at(mirror).rendered(replace(TINY, source=Chart("", "tinier", lambda _: {})), VERSION, {}, "1.35")


@needs_helm
@pytest.mark.parametrize(
    ("chart", "address"),
    [("tiny", DEAD), ("tiny", "{mirror}/nothing"), ("gone", "{mirror}"), ("tiny", "oci://127.0.0.1:9/charts")],
    ids=["nobody", "no index", "no archive", "no registry"],
)
def test_an_address_that_does_not_give_it_is_a_fault(mirror: str, chart: str, address: str) -> None:
    """It is not taken for an empty mirror: somebody meant it to have charts."""
    address = address.format(mirror=mirror)
    with pytest.raises(ChartFault) as told:
        addon = replace(TINY, source=Chart("", chart, lambda _: {}))
        Charts.at(address).rendered(addon, VERSION, {}, "1.35")
    message = str(told.value)
    assert message.startswith(f"tiny-addon: {chart} 1.2.3 is not available from {address}: ")
    assert message.endswith("; check the address and the network, or give --charts a folder that contains it")
    assert "\n" not in message


def test_a_manifest_from_a_mirror(mirror: str) -> None:
    """It lies beside the index, under the add-on's name; the version with a v or without."""
    for asked in ("v2.0.0", "2.0.0"):
        rendered = Charts.at(mirror).rendered(PLAIN, asked, {}, "1.35")
        assert rendered.source == f"manifest plain {asked} from {mirror}/plain-v2.0.0.yaml"
        assert len(rendered.objects) == 3
    with pytest.raises(NoChart, match=rf"^{mirror} has no plain-v3\.0\.0\.yaml and no plain\.yaml$"):
        Charts.at(mirror).rendered(PLAIN, "v3.0.0", {}, "1.35")


@pytest.mark.parametrize(
    ("address", "words"), [(DEAD, "refused"), ("{mirror}/broken", "the server answers 503"), ("http://[", "Invalid")]
)
def test_a_manifest_that_cannot_be_had_is_a_fault(mirror: str, address: str, words: str) -> None:
    """With the address that was tried."""
    address = address.format(mirror=mirror)
    with pytest.raises(ChartFault) as told:
        Charts.at(address).rendered(PLAIN, "v2.0.0", {}, "1.35")
    assert str(told.value).startswith(f"plain: the manifest is not available from {address}/plain-v2.0.0.yaml: ")
    assert words in str(told.value)


LOGINS = ["zed:HUSH@", "HUSH@", "zed:HU@SH@", "zed:HUSH%20x@", ":HUSH@"]


@pytest.mark.parametrize("login", LOGINS)
@pytest.mark.parametrize("addon", [TINY, PLAIN], ids=["a chart", "a manifest"])
@pytest.mark.parametrize("scheme", ["http", "https", "oci"])
def test_who_logs_in_to_a_mirror_is_not_told(login: str, addon: Addon, scheme: str) -> None:
    """Errors get into logs, and notes into reports that are handed round: by no way, in no part."""
    if isinstance(addon.source, Chart) and not engines():
        pytest.skip("no Helm")
    with pytest.raises((ChartFault, NoChart)) as told:
        Charts.at(f"{scheme}://{login}127.0.0.1:9").rendered(addon, "v2.0.0", {}, "1.35")
    said = str(told.value)
    assert f"{scheme}://127.0.0.1:9" in said
    assert not re.search("HU|SH|zed", said)


@pytest.mark.parametrize(("limit", "words"), [("_MOST_BYTES", "larger than"), ("_SECONDS", "more than")])
def test_a_download_has_an_end(mirror: str, monkeypatch: pytest.MonkeyPatch, limit: str, words: str) -> None:
    """In size and in time, however the server feeds it."""
    monkeypatch.setattr(sources, limit, -1)
    with pytest.raises(sources.NotFetched, match=words):
        sources.fetched(f"{mirror}/plain-v2.0.0.yaml")
