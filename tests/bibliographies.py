"""Made bibliographies, Turkish and English, with every type and field that BibTeX knows."""

from random import Random

_FAMILIES = (
    "Yılmaz",
    "İnalcık",
    "Işık",
    "Özgür",
    "Çelik",
    "Şahin",
    "Güneş",
    "Ağaoğlu",
    "Smith",
    "Müller",
)
_GIVEN = ("Ayşe", "Ömer", "Halil", "Şule", "Çağla", "Işıl", "İbrahim", "John", "Zoë")
_WORDS = (
    "Türkiye’de İnsan ve Çevre",
    "Işığın Gölgesi",
    "{DNA} and Proteins",
    "Öğrenme Üzerine Düşünceler",
    "The Long Way \\& Back",
    "%50 Kâr",
)
_FIELDS = {
    "article": ("journal", "volume", "number", "pages", "issn", "month", "doi"),
    "book": ("publisher", "address", "edition", "isbn", "series", "translator"),
    "incollection": ("booktitle", "editor", "publisher", "address", "pages", "chapter"),
    "inproceedings": ("booktitle", "editor", "pages", "organization", "venue", "doi"),
    "phdthesis": ("school", "address", "type", "url"),
    "mastersthesis": ("school", "address"),
    "techreport": ("institution", "number", "type"),
    "misc": ("howpublished", "url", "note"),
    "unpublished": ("note",),
    "manual": ("organization", "edition"),
}
_COMMON = ("language", "keywords", "abstract", "file", "x-raf")


def fields_of(number: int) -> tuple[str, dict[str, str]]:
    """Return the type and the fields of an entry; the same for the same number."""
    random = Random(number)  # noqa: S311 - not a secret
    kind = list(_FIELDS)[number % len(_FIELDS)]
    names = [*_FIELDS[kind], *random.sample(_COMMON, 3)]
    fields = {"author": _people(random), "title": " ".join(random.sample(_WORDS, 2))}
    fields |= {"year": random.choice(("1998", "2001", "2019", "baskıda", "1998--2001"))}
    return kind, fields | {name: _value(name, random) for name in names}


def _people(random: Random) -> str:
    people = [
        f"{random.choice(_FAMILIES)}, {random.choice(_GIVEN)}" for _ in range(random.randint(1, 3))
    ]
    whole = ["{Türk Dil Kurumu ve Ortakları}", "van der Berg, Jan", "Ali Veli Kırk", "others"]
    return " and ".join([*people, *random.sample(whole, random.randint(0, 1))])


def _value(name: str, random: Random) -> str:
    number = random.randint(1, 900)
    values = {
        "pages": f"{number}--{number + 9}",
        "volume": str(number),
        "number": f"{number}",
        "month": random.choice(("mar", "Ağustos", "12")),
        "doi": f"10.1234/dergi_{number}.ş",
        "url": f"https://ornek.edu.tr/a_{number}?x=%20~b#c",
        "isbn": "978-975-08-0123-4",
        "issn": "1300-0012",
        "editor": _people(random),
        "translator": _people(random),
        "language": random.choice(("Turkish", "english", "tr")),
        "keywords": "göç, ışık, İstanbul",
        "abstract": "Uzun bir özet: %30 arttı, {a} \\& b_c, $x^2$ ve “alıntı” -- son.",
        "file": f"Tam metin:files/{number}/Yılmaz {number}.pdf:application/pdf",
        "x-raf": "Üst {raf} \\emph{sol}",
        "type": "Uzmanlık tezi",
        "edition": random.choice(("2", "İkinci")),
    }
    return values.get(name, f"{random.choice(_FAMILIES)} Yayınevi {number}")


def bibliography(entries: int) -> str:
    return "\n".join(entry(number) for number in range(entries))


def entry(number: int) -> str:
    kind, fields = fields_of(number)
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join((f"@{kind}{{kaynak{number},", *lines, "}", ""))
