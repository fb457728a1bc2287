"""The topics that a preflight queries an account about. `muster.account.preflight` lists them."""
