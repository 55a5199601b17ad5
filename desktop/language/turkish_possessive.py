"""Whether a Turkish word says that something is mine: "diyabetim", "kızımın", "arabamız"."""

import re

from desktop.language.normalization import word_texts

_MINE = re.compile(r"(?P<bare>\w{2,}[aeiu]m)(?:[iu]z)?(?:[iu]n)?")
_NOT_MINE = frozenset(
    word_texts(
        "eğitim bilim resim isim yönetim tüketim üretim iletişim değişim gelişim bakım yatırım"
        " çözüm ölüm bölüm seçim film sistem problem ekim kasım takım program tamam akşam teslim"
        " işlem dönem deprem verem kalem elem yapım"
        " kavram yaşam anlam toplam rakam adam zam kurum durum yorum oturum yazılım"
        " donanım tasarım ulaşım katılım dağıtım eylem yöntem gündem işlemin dönemin durumun"
        " maximum minimum meryem kerem ibrahim selim cem ekrem team from them him system item"
    )
)


def is_mine(word: str) -> bool:
    """`word`: folded. Some words only end so, and those that are common are known."""
    found = _MINE.fullmatch(word)
    return found is not None and _NOT_MINE.isdisjoint((word, found["bare"]))
