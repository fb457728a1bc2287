"""Tests on the real Pulumi engine, with a stand-in where the cloud would be.

They need `pulumi` and `uv` on PATH and are skipped, loudly, where either is missing. `harness.py` runs the engine,
`provider.py` answers it in place of the aws, eks and kubernetes plugins.
"""
