"""How a blueprint becomes AWS resources: Pulumi components, one noun a file. Nothing is decided here."""
