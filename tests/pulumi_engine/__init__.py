"""Tests on the real Pulumi engine, with a stand-in where the cloud would be.

They are skipped, loudly, where `pulumi` or `uv` is missing. `harness.py` runs the engine,
`provider.py` answers it in place of the plugins of aws and kubernetes.
"""
