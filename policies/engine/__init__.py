"""How rules are found, configured and evaluated."""
