"""Links of file systems to S3."""


# lustre-associations-allowed


# lustre-association-paths-apart


# lustre-import-path-complete
