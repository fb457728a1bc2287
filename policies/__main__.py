"""The pack's entry: what the engine runs. Everything else is importable from `policies.analyzer`."""

from policies.analyzer import serve

if __name__ == "__main__":
    serve()
