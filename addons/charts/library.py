"""Calls Helm's library in a separate process: reads one request as JSON from stdin, writes the answer to stdout.

It runs as a script, and imports nothing of Muster.
"""

import json
import sys
from typing import Any

import helm_python


def template(chart: str, name: str, namespace: str, values: dict[str, Any]) -> str:
    """The chart's objects as YAML, CRDs first."""
    with helm_python.Chart.load(chart) as loaded:
        rendered = loaded.render(values, name=name, namespace=namespace)
        # Only now: rendering takes away the sub-charts that are switched off, and their CRDs.
        crds = [each["data"] for each in loaded.crds]
    texts = [*crds, *(text for path, text in sorted(rendered.items()) if path.endswith((".yaml", ".yml", ".json")))]
    return "".join(f"---\n{text}\n" for text in texts if text.strip())


def main() -> int:
    """Answers one request."""
    try:
        sys.stdout.write(template(**json.load(sys.stdin)))
    except helm_python.HelmError as fault:
        sys.stderr.write(f"Error: {fault}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
