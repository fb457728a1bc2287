"""The rules, by topic. `policies/engine/catalogue.py` finds them."""
