"""Ports and certificates of servers on loopback, for one rehearsal."""

import ipaddress
import socket
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LOOPBACK = "127.0.0.1"
_LIFE = timedelta(days=365)
"""Longer than any rehearsal. An operator that renews its certificates does so 90 days before they end."""
_SKEW = timedelta(hours=1)

_Key = EllipticCurvePrivateKey | rsa.RSAPrivateKey


@dataclass(frozen=True, slots=True)
class Serving:
    """The files of one server."""

    certificate: Path
    key: Path


class Authority:
    """A certificate authority whose private key exists only in memory."""

    def __init__(self, folder: Path, dns_name: str = "") -> None:
        """Makes its certificate.

        Args:
            folder: where certificates and keys are written.
            dns_name: its own DNS name, if an operator could renew it. The operator reads only RSA keys
                (`cert-controller`).
        """
        self._folder = folder
        self._key: _Key = rsa.generate_private_key(65537, 2048) if dns_name else generate_private_key(SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "muster rehearsal")])
        usage = x509.KeyUsage(
            digital_signature=True,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            key_cert_sign=True,
            crl_sign=True,
            encipher_only=False,
            decipher_only=False,
        )
        builder = (
            _builder(self._name, self._name, self._key)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(usage, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self._key.public_key()), critical=False)
        )
        if dns_name:
            builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(dns_name)]), critical=False)
        self._certificate = builder.sign(self._key, SHA256())
        self.file = folder / "ca.crt"
        self.file.write_bytes(self.pem)

    @property
    def pem(self) -> bytes:
        """Its certificate."""
        return self._certificate.public_bytes(Encoding.PEM)

    @property
    def key_pem(self) -> bytes:
        """Its private key."""
        return _pem(self._key)

    def serving(self, name: str, folder: Path | None = None, *more: str) -> Serving:
        """A certificate for a server on loopback: `NAME.crt` and `NAME.key`, or `tls.crt` and `tls.key` if it has its
        own folder. `more` are further DNS names of the server."""
        key = generate_private_key(SECP256R1())
        hosts = map(x509.DNSName, ("localhost", *more))
        names = [*hosts, x509.IPAddress(ipaddress.ip_address(LOOPBACK))]
        authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        certificate = (
            _builder(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]), self._name, key)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .add_extension(authority, critical=False)
            .sign(self._key, SHA256())
        )
        files = (
            Serving(folder / "tls.crt", folder / "tls.key")
            if folder
            else Serving(self._folder / f"{name}.crt", self._folder / f"{name}.key")
        )
        files.certificate.write_bytes(certificate.public_bytes(Encoding.PEM))
        _write_key(files.key, key)
        return files

    def signing_key(self, name: str) -> Path:
        """A private key without a certificate, for signing service account tokens."""
        file = self._folder / f"{name}.key"
        _write_key(file, generate_private_key(SECP256R1()))
        return file


def _builder(subject: x509.Name, issuer: x509.Name, key: _Key) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SKEW)
        .not_valid_after(now + _LIFE)
    )


def _pem(key: _Key) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())


def _write_key(file: Path, key: _Key) -> None:
    file.touch(mode=0o600)
    file.write_bytes(_pem(key))


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

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()
