"""Who asks: the question, and what an ARN of STS says of it. Pure."""

from dataclasses import dataclass

from muster.account.question import Question

WHO = Question("sts", "GetCallerIdentity", "identity")
"""Asked by all who need to know: it is asked once. Every identity may ask it: IAM knows no right for it."""

_PARTS = 6


@dataclass(frozen=True, slots=True)
class Identity:
    """A caller."""

    arn: str

    @property
    def partition(self) -> str:
        """``aws``."""
        return self._parts[1]

    @property
    def account(self) -> str:
        """Twelve digits."""
        return self._parts[4]

    @property
    def role(self) -> str | None:
        """The role that it has assumed, by name; None of others."""
        kind, _, rest = self._parts[5].partition("/")
        return rest.partition("/")[0] if kind == "assumed-role" else None

    @property
    def user(self) -> bool:
        """Whether it is a user of IAM's."""
        return self._parts[5].startswith("user/")

    @property
    def words(self) -> str:
        """What it is called where it is neither: IAM simulates no such."""
        kind = self._parts[5].partition("/")[0]
        return {"root": "the root user", "federated-user": "a federated user"}.get(kind, f"'{self.arn}'")

    @property
    def _parts(self) -> list[str]:
        return self.arn.split(":", _PARTS - 1)
