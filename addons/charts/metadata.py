"""A chart's `Chart.yaml`, in an archive or in a folder."""

import tarfile
import zlib
from pathlib import Path

import yaml

_FILE = "Chart.yaml"
_MOST_BYTES = 1 << 20


def chart_version(chart: Path) -> str:
    """The chart's own version.

    Raises:
        ValueError: it is no chart; the message says why.
    """
    try:
        said = yaml.safe_load((chart / _FILE).read_bytes() if chart.is_dir() else _of_archive(chart))
    except (tarfile.TarError, EOFError, zlib.error) as fault:
        raise ValueError(f"no archive that can be read ({fault})") from fault
    except OSError as fault:
        raise ValueError(str(fault)) from fault
    except yaml.YAMLError as fault:
        raise ValueError(f"its {_FILE} is no YAML") from fault
    if not isinstance(said, dict) or not said.get("version"):
        raise ValueError(f"its {_FILE} names no version")
    return str(said["version"])


def _of_archive(archive: Path) -> bytes:
    with tarfile.open(archive, "r:gz") as opened:
        for member in opened:
            # NAME/Chart.yaml; deeper ones are sub-charts'.
            if member.isfile() and member.name.removeprefix("./").split("/")[1:] == [_FILE]:
                file = opened.extractfile(member)
                return file.read(_MOST_BYTES) if file else b""
    raise ValueError(f"there is no {_FILE} in it")
