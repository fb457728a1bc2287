"""The offline monitor; and the law that what is registered equals the blueprint."""
