"""Ports and the certificate of servers on loopback, for one rehearsal."""

import ipaddress
import socket
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LOOPBACK = "127.0.0.1"
_LIFE = timedelta(days=365)
"""Longer than any rehearsal. An operator that renews its certificates does so 90 days before they end."""
_SKEW = timedelta(hours=1)


class Certificate:
    """A self-signed certificate for all servers of a rehearsal, in the folder where controller-runtime's webhook server
    looks for it by default: below the temporary folder."""

    def __init__(self, temporary: Path, *names: str) -> None:
        """Makes it.

        Args:
            temporary: the temporary folder of the servers.
            names: DNS names that a server looks for in its certificate, besides localhost.
        """
        self.folder = temporary / "k8s-webhook-server" / "serving-certs"
        self.folder.mkdir(parents=True, mode=0o700)
        self.file, self.key = self.folder / "tls.crt", self.folder / "tls.key"
        key = rsa.generate_private_key(65537, 2048)  # Kueue reads only RSA keys (`cert-controller`)
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "muster rehearsal")])
        usage = dict.fromkeys(
            ("content_commitment", "data_encipherment", "key_agreement", "crl_sign", "encipher_only", "decipher_only"),
            False,
        )
        hosts = [x509.DNSName(each) for each in ("localhost", *names)]
        now = datetime.now(UTC)
        certificate = (
            x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
            .not_valid_before(now - _SKEW)
            .not_valid_after(now + _LIFE)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(
                x509.KeyUsage(digital_signature=True, key_encipherment=True, key_cert_sign=True, **usage), critical=True
            )
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(
                x509.SubjectAlternativeName([*hosts, x509.IPAddress(ipaddress.ip_address(LOOPBACK))]), critical=False
            )
            .sign(key, SHA256())
        )
        self.file.write_bytes(certificate.public_bytes(Encoding.PEM))
        self.key.touch(mode=0o600)
        self.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()))


_SHARED = sys.platform == "linux"


class ReservedPort:
    """A port that no other process gets while this is open."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind((LOOPBACK, 0))
        self.number: int = self._socket.getsockname()[1]

    def release(self) -> int:
        """Releases the port, because its server starts now. Returns the port's number."""
        if not _SHARED:
            self._socket.close()
        return self.number

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
