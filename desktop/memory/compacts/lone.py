"""What a message says and no other word stands beside: a number as an answer, a caller's name."""

import re
from collections.abc import Container, Iterator

from desktop.language.normalization import fold, folded_key, words
from desktop.language.professions import PROFESSIONS
from desktop.language.turkish_possessive import is_mine
from desktop.memory.numbers.number_words import figure_of
from desktop.memory.numbers.told_in_words import Told, spoken_in
from desktop.memory.sentences.kin import GROUPS
from desktop.memory.sentences.named import is_name

_LONGEST = 60
"""Letters of an answer that is a number and little else."""
_AROUND = re.compile(
    r"yaklasik|asagi|yukari|sanirim|galiba|tam|tane|adet|evet|toplam|toplamda|sadece|hmm|civari"
    r"|about|around|roughly|maybe|exactly|just|only|yes|total|i|think|guess"
)
_FIRST = re.compile(
    r"(?:^|(?<=[.!?\n]))[ \t]*(?P<word>[^\W\d_]{2,})(?!\w|')(?P<rest>[^.!?;\n]{0,90})"
)
_ANYBODY = re.compile(
    r"(?:no|any|every|some)(?:body|one)|who\w*|none|others?|people|it|that|this"
    r"|kimse|biri|birisi|herkes|hepsi|baskasi|digeri|kendisi|dun|bugun|yarin|sonra|once|gecen"
    r"|bazen|yine|belki|hemen|ertesi|aksam|sabah|gece"
    r"|then|yesterday|today|later|also|just|finally|recently|once"
)
_SPEAKS = re.compile(
    r" (?:called|said|told|wrote|emailed|texted|asked|replied|phoned|messaged|visited)\b"
    r"|(?:.* )?(?:ara|de|yaz|soyle|anlat|bildir|oner|iste)(?:[dt]i|m[iu]s)$"
    r"|(?:.* )?sor(?:du|mus)$"
)
_ACTS_EN = re.compile(
    r" (?:(?:wants|wanted|approved|signed|rejected|declined|agreed|refused|lives|joined|resigned"
    r"|quit|married|divorced|retired|prefers|thinks|believes|hopes|promised|offered|leads|manages"
    r"|owns|paid|visited|invited|hired|bought|sold|studies|teaches|loves|hates|plays|suggested|recommended|confirmed|insisted|apologi[sz]ed|cooked|forgot)\b"
    r"|(?:is|was) (?:coming|joining|leaving|pregnant|married|ill|sick|allergic|vegan)\b)"
)
_ACTS = re.compile(
    r"(?:.* )?(?:(?:onayla|imzala|evlen|bosan|tasin|reddet|katil|hazirla|planla|hastalan|iyiles"
    r"|istifa et|ozur dile|emekli ol|mezun ol|ise basla|ziyaret et|kabul et|soz ver|ayril"
    r"|bitir|gonder|onar|duzelt|tamamla|teslim et|iade et|gozden gecir|kontrol et|getir|gotur|tasi"
    r"|oku|kur|ayarla|degistir|ertele|yukle|boya|temizle|pisir|ogren|ogret|davet et|kirala)"
    r"(?:[iuy]?[ae])?(?:m[ae])?(?:[dt][iu]|m[iu]s|iyor|uyor|yor|yecek|yacak|ecek|acak)"
    r"|(?:.* )?(?:bize|bana|bizi|beni) .*(?:ver|goster|sun|davet et|birak|tanistir|sat|al)"
    r"(?:[dt][iu]|m[iu]s|iyor|uyor|ecek|acak)"
    r"|(?:isti|sevi|okuy?u|oturu|yasi|dusunu|planli|hazirli)yor)$"
)
"""What only people do."""
_DOES_TO = re.compile(
    r" (?:(?:arrang|assembl|book|borrow|cancell?|carri|chang|check|clean|coach|complet|cook"
    r"|deliver|deploy|design|diagnos|draft|edit|email|finish|fix|install|interview|introduc|launch"
    r"|mail|merg|miss|mov|order|pack|paint|park|pick|plann|postpon|prepar|prescrib|refund|renovat|rent"
    r"|repair|reserv|return|review|schedul|shipp|submitt|text|thank|train|transferr|translat|updat|upload"
    r"|wash)ed"
    r"|sent|told|gave|drove|brought|bought|wrote|read|built|lost|taught|met|paid|sold|chose|drew"
    r"|flew|knew|said|saw|spoke|spent|stole|swam|threw|wore)"
    r"(?: (?:up|down|out|off|back|away))?"
    r" (?:us|me|him|her|them|it|you|my|our|his|their|your|the|a|an|this|that|these|those|with|to"
    r"|from)\b"
)
"""What hardly anything else does to something; English has an article before most of that."""
_ORDINARY = re.compile(
    r"\w+(?:ment|tion|sion|ness|ity|ance|ence|ship|ing|s|l[iu]k|l[ae]r|c[iu]|[iu]m)"
    r"|management|legal|finance|engineering|support|staff|leadership|parliament|congress|court|hr"
    r"|council|team|someone|client|customer|counsel|police|government|university|company|bank"
    r"|banka|belediye|sirket|firma|mahkeme|kurul|ekip|takim|meclis|hastane|okul|universite|sigorta"
    r"|devlet|hukumet|polis|savci|dergi|editor|komisyon|komite|isveren|avukat|sinif|halk|aile|ustam"
    r"|calisma|o|bu|su|herkes|kimi|cogu|biri|misafir|konuk|kiraci|satici|alici|usta|jeneral|adam"
    r"|kadin|adam|man|woman|guy|landlord|tenant|owner|buyer|seller|she|he|they|we|you|i|one|both|ev|is"
)
_ADDRESSED = re.compile(r" (?:bey|hanim|hoca)(?:'|\b)")
_MARK = re.compile(r"[,:]")
_OBJECT = re.compile(r"\w{4,}(?:l[ae]ri?|[dt][ae]n?|n[iu]n|[iu])")
"""With an ending behind which nobody does anything."""


def lone_number(text: str) -> Told | None:
    """The number in words that a whole message consists of: "Yedi.", "About twelve"."""
    if len(text) > _LONGEST:
        return None
    told = list(spoken_in(text)) or list(_single(text))
    if len(told) != 1 or told[0].values <= {"1"}:
        return None
    one = told[0]
    rest = [word for word in words(text) if word.end <= one.start or word.start >= one.end]
    return one if all(_AROUND.fullmatch(word.text) for word in rest) else None


def _single(text: str) -> Iterator[Told]:
    """Of one word nobody can tell the language: "Four."."""
    said = words(text)
    value = figure_of(said[0].text) if len(said) == 1 else None
    if value is not None:
        yield Told(frozenset({str(value)}), None, said[0].start, said[0].end)


def called_by_name(
    text: str, common: Container[str] = (), dates: Container[int] = ()
) -> Iterator[str]:
    """Names with which sentences begin: those that people bear, and who called or wrote.

    `dates`: where one begins; what stands right before it is somebody, or what happens then.
    """
    for found in _FIRST.finditer(text):
        word, folded = found["word"], folded_key(found["word"])
        if not word[0].isupper() or word.isupper() or folded in common:
            continue
        if _ANYBODY.fullmatch(folded):
            continue
        clause = _MARK.split(fold(found["rest"]))[0].rstrip()
        is_addressed = _ADDRESSED.match(clause) is not None and not _is_somebodys(folded)
        is_dated = found.end("word") + 1 in dates
        speaks = (is_dated or _SPEAKS.match(clause) is not None) and not _is_noun(folded)
        acts = not (_ORDINARY.fullmatch(folded) or _is_somebodys(folded)) and (
            _ACTS_EN.match(clause) is not None
            or _DOES_TO.match(clause) is not None
            or (_ACTS.match(clause) is not None and not _is_noun(folded))
        )
        if is_addressed or speaks or acts or is_name(folded, is_capital=True, begins=True):
            yield word


def _is_somebodys(word: str) -> bool:
    return word in PROFESSIONS or any(group.has(word) for group in GROUPS)


def _is_noun(word: str) -> bool:
    """Of those that call and say something, and have no article in Turkish."""
    return _is_somebodys(word) or is_mine(word) or _OBJECT.fullmatch(word) is not None
