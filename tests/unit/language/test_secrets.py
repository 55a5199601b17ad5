"""Texts that look like a key, a password or the number of a card."""

import pytest

from desktop.language.secrets import has_secret, secrets_in
from tests.costs import PASTES, grows_with_length

SECRETS = {
    "Parolam: gizli123": "gizli123",
    "parolam gizli123, unutma": "gizli123",
    "Kullanıcının e-posta şifresi Kedi2024.": "Kedi2024",
    "Wi-Fi şifremiz kedi.2024": "kedi.2024",
    "Şifremi hunter2 olarak değiştirdim": "hunter2",
    "şifrem “mavikedi”": "mavikedi",
    "PIN kodum 4321": "4321",
    "pin'im 4321": "4321",
    "CVV 123": "123",
    "Gizli anahtarım: 9f8e7d6c5b4a": "9f8e7d6c5b4a",
    "My password is hunter2.": "hunter2",
    "The user's Wi-Fi password is swordfish": "swordfish",
    "password hunter2": "hunter2",
    "My PIN is 4321": "4321",
    "api key: 9f8e7d6c5b4a": "9f8e7d6c5b4a",
    "sk-ant-api03-abcdefghijklmnopqrstuvwx": "sk-ant-api03-abcdefghijklmnopqrstuvwx",
    "Kartım 4111 1111 1111 1111": "4111 1111 1111 1111",
    "Card 4111-1111-1111-1111, please": "4111-1111-1111-1111",
    "-----BEGIN RSA PRIVATE KEY-----": "-----BEGIN RSA PRIVATE KEY-----",
}
ORDINARY = [
    "Şifremi unuttum.",
    "Şifrem yok.",
    "Şifrem: yok",
    "Şifremi 2024'te değiştirdim.",
    "Şifreli dosyalarım var, 128 bit.",
    "Pin kodum güçlü.",
    "Parolamı her ay değiştiriyorum.",
    "My password is too weak.",
    "I changed my password in 2024.",
    "I lost my password.",
    "I work on password managers.",
    "My phone number is 0532 123 45 67",
    "IBAN TR33 0006 1005 1978 6457 8413 26",
    "Spin kodu yazıyorum: 17",
    "Şifreleme algoritması AES-256 kullanıyor.",
    "Kızımın adı Elif, doğum günü 05.05.2019",
]


@pytest.mark.parametrize(("text", "value"), SECRETS.items())
def test_a_secret_is_recognised_with_its_secret_part(text: str, value: str) -> None:
    assert has_secret(text)
    assert value in secrets_in(text)


@pytest.mark.parametrize("text", ORDINARY)
def test_a_text_about_passwords_contains_no_password(text: str) -> None:
    assert not has_secret(text)


@pytest.mark.parametrize("piece", [*PASTES, "parola ", "sifrem a", "4111 ", "eyJa", "pin'"])
def test_checking_a_long_paste_takes_linear_time(piece: str) -> None:
    assert grows_with_length(has_secret, piece)
