"""The rules, one a file, by topic. `catalogue.py` finds them."""
