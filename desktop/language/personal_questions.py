"""Hears a question about the user's own life: where they live, what they do, whom they have.

Whoever asks "Mesleğim ne?" and whoever said "mimar olarak çalışıyorum" have no word in common: a
part of a life has words by which it is asked about, and words in which it is told.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop.language.normalization import fold
from desktop.language.phrase_matcher import lay_out
from desktop.language.professions import PROFESSIONS
from desktop.language.turkish_possessive import is_mine

_MOST_WORDS = 16
"""Whoever says more tells of something, or brings it along."""
_ME_EN = re.compile(r"(?<![^ ])(?:i|i'm|i've|i'd|my|mine|myself)(?![^ ])")
_ME_TR = re.compile(
    r"\w+[iu]yor(?:d?um|mus?um|muyum)|\w{2,}[dt](?:[iu]g|[iu]kl[ae]r)[iu]m\w*"
    r"|m[iu](?:yd)?[iu]y?[iu]m"
    r"|\w{2,}[^aeiu][iu]y[iu]m|\w*[aeiu]r[iu]m|\w{2,}m[ae]m|dogdum|evlendim|tasindim"
    r"|\w{2,}[dt][ae]y[iu]m|ben|beni|benim|bende|adim\w*|ismim\w*"
)
_CASE = re.compile(r"(?<=m)(?:[iu]n[iu]|[iu]|[ae]|[dt][ae]n?|l[ae])$")
_MINE_MANY = re.compile(r"\w{2,}l[ae]r[iu]m(?:[iu]n?|[ae]|d[ae]n?)?")
_ASKS = re.compile(
    r"\b(?:ne|neydi|nedir|neler|nelerdi|nelerdir|nerede|nerde|neresi|neresiydi|nereli"
    r"|nereliyim|kim"
    r"|kimdi|kimler|kac|kacti|hangi|hangisi|hangisiydi|m[iu]y?\w{0,5}|var mi|yok mu|bil\w+"
    r"|hatirl\w+|soyle\w*|what|what's|where|where's|who|who's|which|when|whose"
    r"|how (?:old|many|much|long|tall|often)|do|did|am|is|are|was|were|have|has"
    r"|tell me|remind me)\b"
)
_KNOWS = re.compile(
    r"\b(?:ne(?:ler)?(?: \w+)? (?:bil|hatirl)\w+|hatirliyor mu\w*|biliyor mu\w*|bildiklerin\w*"
    r"|hatirladiklarin\w*|you (?:know|remember)|you (?:have|got) (?:saved|stored|noted))\b"
)
_WANTS_WORK = re.compile(
    r"\b(?:nasil|neden|niye|nicin|\w+m[ae]l[iu]y[iu]m|\w+[ae]bil\w+|\w{2,}y[ae]y[iu]m"
    r"|gerek\w*|lazim"
    r"|oner\w*|uygun\w*|ideal|mantikli|dogru mu\w*|yanlis\w*|hata\w*|yaz"
    r"|cevir\w*|hesapla\w*|duzelt\w*|acikla\w*"
    r"|ozetle\w*|icin (?:ne|hangi)"
    r"|should|can|could|would|might|must|need|wrong|correct|why|recommend\w*|suggest\w*|advise\w*"
    r"|write|translate|calculate|explain|help|summari\w+|if|how (?:do|to|can|should|does))\b"
)
"""It asks for something to be done with a part of that life."""

_ONCE = re.compile(
    r"\b(?:eskiden|onceden|(?:daha|bundan) once|once(?:ki|leri)|eski|gecmiste|used to|previous\w*"
    r"|before|former\w*|earlier)\b"
)


@dataclass(frozen=True, slots=True)
class _Part:
    asked: re.Pattern[str]
    told: re.Pattern[str]
    begun: Sequence[str]
    """The beginnings of the words in which it is told, for an index."""
    is_broad: bool
    """Much is told in these words: what shares another with the question is meant."""
    is_of_others: bool
    """Of a family, or of animals."""


def _part(
    asked: str,
    told: str,
    also: frozenset[str] = frozenset(),
    *,
    is_broad: bool = False,
    is_of_others: bool = False,
) -> _Part:
    begun = (*told.split(), *sorted(also))
    pieces = "|".join(begun)
    asked_by, told_by = re.compile(rf"\b(?:{asked})"), re.compile(rf"\b(?:{pieces})")
    return _Part(asked_by, told_by, begun, is_broad, is_of_others)


_PARTS = (
    _part(
        r"yasiyor|yasadig|oturuyor|oturdug|ikamet|evim|adresim|sehrim|semtim|mahallem|tasind[iu]"
        r"|hangi (?:sehir|ulke|semt|mahalle|ilce)|(?:which|what) (?:city|country|town)"
        r"|i (?:currently |now )?live\b|i living|my (?:home|house|address|city|town|hometown)"
        r"|i based|i moved?\b",
        "yasiyor yasar oturuyor oturur ikamet tasind yerles adres live living lives resid based"
        " moved relocat address settled",
    ),
    _part(
        r"mesleg|calis(?:iyor|tig)|is(?:im|imi|yerim\w*) (?:ne|hakk|hangi|nere)|ne isl?e?"
        r"|ugras|hangi iste"
        r"|isim ne|isim hakk|isyerim|unvanim|patronum|my (?:job|work|occupation|profession|career"
        r"|employer|company|workplace)|for a living|for work|i work\b|i working"
        r"|i employed|i teach",
        "calis meslek mesleg isyeri issiz emekli serbest girisim work job occupation profession"
        " career employ unemploy retired freelanc teach firma sirket isletiyor"
        " runs",
        PROFESSIONS,
    ),
    _part(
        r"adim\b|ismim|my (?:first |full |last )?name\b|i(?:'m)? called",
        "adi ismi adim ismim name called",
    ),
    _part(
        r"kac yas|yasim\b|how old|my age\b",
        "yasinda yasini yasim yasina years aged turned dogum dogdu born",
    ),
    _part(
        r"dogum|ne zaman dog|nerede dog|dogdu[mg]|my birth|i (?:was )?born",
        "dogum dogdu dogmus birth born",
    ),
    _part(
        r"evli mi|bekar mi|medeni|evlen|i (?:married|single|engaged)|my marital",
        "evli evlen bekar nisanl bosan dul married single engaged divorc widow",
    ),
    _part(
        r"ailem|my family|my relatives|akraba",
        "aile anne baba kardes abla abi esi esim kizi kizim oglu oglum cocuk cocug"
        " family mother father brother"
        " sister wife husband son daughter child kid",
        is_of_others=True,
    ),
    _part(
        r"evcil|hayvan(?:im|lar)|my pets?\b|i (?:have|own) (?:any |a )?pets?\b|pets? do i",
        "evcil kedi kopek kopeg kus balig tavsan hamster papagan tekir cat dog puppy beagle"
        " labrador poodle terrier husky bulldog retriever bird parrot rabbit pet",
        is_of_others=True,
    ),
    _part(
        r"diyetim|beslen|(?:ne|et|tavuk|balik) yi?yor|yeme(?:dig|m)|yemiyor|vegan|vejet"
        r"|vegetarian|my diet"
        r"|i (?:\w+ )?eat|icmiyor|icme(?:dig|m)",
        "vegan vejet vegetarian pesc helal halal kosher glut lakto lacto yiyor yer yemiyor yemez"
        " eat diyet diet beslen icmiyor icmez drink alerji allerg intoleran",
    ),
    _part(r"alerji|allerg", "alerji allerg intoleran"),
    _part(
        r"ilac(?!\w* alerj)|my (?:meds?\b|medication|medicine|pills|dose)|medic\w+ (?:do|am) i",
        "ilac doz mg hap tablet insulin kullaniyor medic prescri takes taking dose",
    ),
    _part(
        r"hastali[gk]|rahatsizli[gk]|saglig|kronik|teshis|tanim\b|health|conditions?\b|suffer"
        r"|my (?:diagnos|illness|disease|medical)|illness",
        "hasta saglik diyabet diabet astim asthma tansiyon migren migrain kronik chronic alerji"
        " allerg teshis tanisi diagnos ilac medic hipertan hypert kolester cholest depres anksi"
        " anxiety epilep health insulin metformin",
    ),
    _part(
        r"oku(?:dug|yor|mus|d[iu]m)|okulum|universitem|bolumum|mezun|ogrenci|my (?:school"
        r"|university"
        r"|college|major|degree|studies)|i (?:study|studying|graduate)",
        "ogrenci okuyor okud okumus universite bolum mezun lisans doktora okul lise"
        " student study studi"
        " major degree graduat university college phd school",
    ),
    _part(
        r"sev(?:dig|er|iyor|mi|mem|med)|hobi|hoslan|favori|ilgi alan|tercih|my (?:favou?rite|hobb"
        r"|interest|preference|taste)|i (?:\w+ )?(?:like|love|enjoy|prefer|hate|dislike)\b",
        "sever sevi sevmez sevmi sevdi hobi hoslan favori tercih tutkun merakl like love enjoy"
        " prefer favou favor hobb interest hate dislike nefret stand"
        " dayanam katlanam",
        is_broad=True,
    ),
    _part(
        r"(?:hangi|kac) dil|dil(?:ler)?i? (?:konus|bil)|languages?",
        "dil turkce ingilizce almanca fransizca ispanyolca italyanca rusca arapca kurtce speak"
        " language english german french spanish turkish arabic fluent konus",
    ),
    _part(
        r"araba(?:m|lar|y)|arac[iu]m|my (?:car|vehicle)|i driv"
        r"|(?:which|what) (?:\w+ )?(?:car|vehicle)",
        "araba otomobil arac car drive vehicle toyota honda volvo ford fiat renault opel bmw audi"
        " mercedes volkswagen skoda hyundai nissan peugeot citroen togg tesla kia dacia mazda",
    ),
    _part(r"kira(?:m|y)|my rent|i pay", "kira rent"),
    _part(r"maas|my (?:salary|income|wage)|i earn|kazan", "maas salary earn kazan income gelir"),
    _part(
        r"boyum|kilom|agirlig|bedenim|numaram|my (?:height|weight|size|shoe)|how tall|i weigh",
        "boy kilo agirlig height weigh tall foot feet cm kg santim",
    ),
    _part(
        r"enstruman|calg[iu]|muzik alet|instrument",
        "piyano gitar keman davul baglama saz flut viyolonsel klarnet piano guitar violin cello"
        " drum flute clarinet saxophone trumpet viola play caliyor calar calma",
    ),
    _part(
        r"spor|egzersiz|sport|exercise|work out",
        "spor kosu kosar kosm yuzuyor yuzme bisiklet fitness yoga pilates futbol basket voleybol"
        " tenis maraton antrenman run swim cycl gym football soccer tennis climb boulder hik"
        " marathon jog",
    ),
    _part(
        r"nereli|memleket|buyud[iu]|where (?:am i|i'm) from|i (?:grow|grew) up|i come from",
        "nereli memleket buyud dogma grew hail from native",
    ),
    _part(r"kan grub|my blood|blood (?:type|group)", "grubu blood"),
    _part(
        r"hedef|plan(?:im|lar)|projem|projeler|my (?:goal|plan|project)|i (?:working on"
        r"|plan|training)",
        "hedef plan proje goal project aim intend istiyor want",
        is_broad=True,
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class OwnLife:
    """What a question about it asks for."""

    phrase: str
    """The word by which it was recognised, as it was written."""
    parts: Sequence[_Part]
    """Empty where it is of none that is known by its words."""
    asks_what_is_known: bool
    wants_work: bool

    @property
    def is_only_asked(self) -> bool:
        """Whether it wants to hear what is so, and nothing done with it."""
        return not self.wants_work and bool(self.parts or self.asks_what_is_known)

    @property
    def begun(self) -> list[str]:
        """Beginnings of words in which it may be told."""
        return [word for part in self.parts for word in part.begun]

    @property
    def is_broad(self) -> bool:
        return any(part.is_broad for part in self.parts)

    @property
    def is_of_others(self) -> bool:
        return any(part.is_of_others for part in self.parts)

    def is_told_in(self, text: str) -> bool:
        line = fold(text)
        return any(part.told.search(line) for part in self.parts)

    def is_asked_by(self, word: str) -> bool:
        """Whether a folded word only names the part of the life."""
        return any(part.asked.match(word) or part.told.match(word) for part in self.parts)


def asks_what_was(text: str) -> bool:
    """Whether it asks for what was so and may not be any more."""
    return _ONCE.search(fold(text)) is not None


def is_of_mine(word: str) -> bool:
    """Whether a folded Turkish word says that something is the user's, in whatever case."""
    return is_mine(_CASE.sub("", word)) or _MINE_MANY.fullmatch(word) is not None


def asks_of_own_life(text: str) -> OwnLife | None:
    """What a message asks of the user's own life, or None: also where it tells as well."""
    line = lay_out(text)
    if not 1 < len(line.words) <= _MOST_WORDS:
        return None
    folded = " ".join(fold(text).replace("?", " ").replace(",", " ").split())
    if "?" not in text and not _ASKS.search(folded):
        return None
    mine = _first_person(text, folded)
    if not mine:
        return None
    return OwnLife(
        mine,
        tuple(part for part in _PARTS if part.asked.search(folded)),
        _KNOWS.search(folded) is not None,
        _WANTS_WORK.search(folded) is not None,
    )


def _first_person(text: str, folded: str) -> str:
    """The word that says it is of the user; empty without one."""
    for word in lay_out(text).words:
        if is_of_mine(word.text) or _ME_TR.fullmatch(word.text):
            return text[word.start : word.end]
    found = _ME_EN.search(folded)
    return found[0] if found else ""
