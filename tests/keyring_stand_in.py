"""A keyring that lasts as long as the process, for PYTHON_KEYRING_BACKEND."""

from keyring.backend import KeyringBackend


class Keyring(KeyringBackend):
    priority = 1
    entries: dict[tuple[str, str], str] = {}  # noqa: RUF012  # each command makes one anew

    def get_password(self, service: str, username: str) -> str | None:
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self.entries.pop((service, username), None)
