"""Describes a session without a model: title, summary and topics taken from its own words."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from math import sqrt

from desktop.domain.language import Language
from desktop.domain.sessions import DescribedBy, Description
from desktop.language.describing.base_forms import HARD_ENDS, ranks
from desktop.language.describing.keyphrases import Topic
from desktop.language.describing.topics import find_topics
from desktop.language.dialogue_acts import needs_context
from desktop.language.intents import PhraseLists, find_announcement, find_farewell
from desktop.language.keywords_and_stems import QUESTION_WORDS, content_words, stem
from desktop.language.normalization import fold, word_texts, words
from desktop.language.relevant_sentences import SettledKind, defines, find_outcome
from desktop.language.sentences import plain_text, sentences, without_code

LONGEST_TITLE = 70
_SHORTEST_PIECE = 18
_SHORTEST_NOUN = 4
_SURELY_KNOWN = 30_000  # The rank up to which a short word is surely a Turkish one
_LEARNED_NOUNS = ("yon", "izm", "iyet")

# All patterns read folded text, so that their spans fit the original.
_BETWEEN = r"(?:[\s,:;!.…-]+|$)"
_LEAD = {
    Language.TR: re.compile(
        r"(?:merhaba(?:lar)?|selam(?:lar)?|iyi gunler|lutfen|simdi|peki|tamam|acaba|bana|bize"
        r"|bir de|ya|hocam|bugun|biraz|sorum su|merak ettim|kisaca|yeni konu"
        r"|(?:bunu|sunu|(?:su|asagidaki) (?:metni|yaziyi)) \w+ m[iu]s[iu]n(?:[iu]z)?"
        rf"|(?:su )?konuda? yardim(?:ci olur musun)?){_BETWEEN}"
    ),
    Language.EN: re.compile(
        r"(?:hi|hello|hey|please|okay|ok|so|now|well|and|but|also|then|just|briefly|thanks|today"
        r"|(?:can|could|would|will) you(?: please| kindly| briefly)?|new topic"
        r"|i(?: ?'d| would)? (?:want|like|need|have) to (?:know|learn|understand|research|ask)"
        r"(?: more)?(?: about)?|i(?: am|'m) (?:curious|wondering|interested)(?: (?:about|in))?"
        r"|i wonder|tell me(?: more)?(?: about)?|(?:what )?do you know(?: about)?"
        r"|help me(?:(?: to)? understand| with)?|teach me(?: about)?|explain(?: to me)?|describe"
        r"|(?:summari[sz]e|explain|translate|rewrite) (?:this|the following)(?: text)?"
        r"|define|summari[sz]e|outline|look (?:up|into)|(?:do )?(?:some )?research(?: on| about)?"
        r"|give me (?:an overview|a summary|an introduction) (?:of|to|on)"
        r"|(?:let's|lets|let us) (?:talk about|discuss|research|explore|look (?:at|into))"
        rf"|i(?: am|'m)? get(?:ting)?|i(?: have|'ve) got){_BETWEEN}"
    ),
}
_QUESTION_TR = """
nedir nelerdir neler nelerdi neydi ne kimdir kim kimdi demek demektir midir anlama gelir geliyor
biliyorsun bilgi bilgiler arastirma ozet bana bize kisaca kisa basitce biraz detayli detaylica
ayrintili ayrintilica adim lutfen sade sadece olarak basit bir dille sekilde daha iyi tekrar genel
temel misin musun misiniz musunuz miyiz muyuz ogrenmek bilmek arastirmak istiyorum istiyoruz merak
ediyorum
"""
_ABOUT = frozenset(("hakkinda", "konusunda", "ilgili", "uzerine", "konusu", "konusunu"))
_ASKING = frozenset(_QUESTION_TR.split()) | _ABOUT | {"ile"}
"""Turkish words behind what is asked about."""
_REQUEST = re.compile(
    r"(?:acikla|anlat|arastir|incele|ozetle|tanimla|tarif et|konus|tartis|ogret|listele|hesapla"
    r"|karsilastir|degerlendir|hazirla|ver|yap|yaz|oner|bul|goster|soyle|cikar|planla|olustur"
    r"|cevir|bak)(?:y?[ae]bilir|[aeiu]?r)?(?:y?[ae]l[iu]m|y?[iu]n|s[ae]n[ae])?|ogrenmek|bilmek"
)
_WHAT_IS = re.compile(
    r"(?:what(?:'s| is| are| was| were)(?: exactly)?|who(?:'s| is| are| was| were))\s+"
    r"(?:an? |the )?"
)
# Not "how tides work", the rest of "can you explain how tides work?".
_ENGLISH_ASKS = re.compile(
    r"(?:\w+ ){0,3}?(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had)\b"
)
_LEFT_OPEN = re.compile(
    r".*\s(?:for|in|of|to|like|from|with|about|at|on|by|made|called|used|it|that|there"
    r"|[a-z]+ing|best|better|worse)"
)
_HOW = re.compile(
    r"(?P<to>how|where|when) (?:do|can|should|could|would) (?:i|you|we|one)\s+"
    r"|(?P<do>how|why|where|when) do |(?:the|an?) "
)
_ENGLISH_MANNER = re.compile(
    r"[\s,]+(?:in (?:simple|plain|layman's) (?:words|terms|english)|briefly|please|to me|for me"
    r"|in detail|step by step|in a (?:few|couple of) (?:words|sentences)|thanks)$"
)
_ASIDE = re.compile(r"(?<=\?) |[,;.] (?:and )?(?:i|we|my)\b")
"""Behind what is asked: another sentence, or a clause about its writer."""
_CUTS = re.compile(
    r"\s+(?:when|because|while|so that|and then|after|before|if|but|çünkü|ama|fakat|ve"
    r"|and (?:how|why|what|when|which|who|whether))\s|[,;:(–—]\s*"
)
_OUTER_EDGES = " \t\n.,;:!…-–—*_"
_EDGES = _OUTER_EDGES + '?"“”'


def make_title(question: str, language: Language) -> str:
    """Return a title of at most 70 characters, cut at a word; empty if there is no subject."""
    text = plain_text(question)
    while (lead := _LEAD[language].match(fold(text))) and lead.end() < len(text.rstrip(_EDGES)):
        text = text[lead.end() :]
    bare = text.rstrip(_EDGES)
    title = _english_title(bare) if language is Language.EN else _turkish_title(bare)
    is_whole = text == plain_text(question)
    is_question = language is Language.TR or is_whole or _ENGLISH_ASKS.match(fold(bare))
    if title == bare and is_question and text.rstrip().endswith("?"):
        title += "?"
    title = _shortened(title.strip(_OUTER_EDGES))
    if not any(letter.isalnum() for letter in title):
        return ""
    if not title[:2].islower():
        return title
    is_dotted = title[0] == "i" and language is Language.TR
    return ("İ" if is_dotted else title[0].upper()) + title[1:]


def _turkish_title(text: str) -> str:
    text_words = words(text)
    end = len(text_words)
    while end and ((word := text_words[end - 1].text) in _ASKING or _REQUEST.fullmatch(word)):
        end -= 1
    dropped = {word.text for word in text_words[end:]}
    if not end or not dropped or text_words[end - 1].text in QUESTION_WORDS:
        return text
    title = text[: text_words[end].start].rstrip()
    has_object = any(map(_REQUEST.fullmatch, dropped)) and dropped.isdisjoint(_ABOUT)
    return _without_accusative(title) if has_object else title


def _without_accusative(title: str) -> str:
    """Return the object of a request in its title form: not dolanıklığını but dolanıklığı."""
    head, apostrophe, suffix = title.rpartition("'")
    if apostrophe and suffix.isalpha():
        return head
    folded = fold(title)
    if re.search(r"(?:\w\w[aeiu]y|l[ae]r[iu]n|s[iu]n)[iu]$", folded):
        return title[:-2]
    if not re.search(r"[^aeiouy][iu]$", folded):
        return title
    before, space, last = title.rpartition(" ")
    object_, nominative = last[:-1], last[:-2] + HARD_ENDS.get(last[-2], last[-2])
    if space:
        is_possessive = folded[-2:-1] == "n" and folded[-3:-2] in "iu"
        is_noun = fold(object_) in ranks() and fold(last[:-2]) not in ranks()  # yangın-ı
        cut = object_ if is_noun else last[:-2]
        return f"{before} {cut}" if is_possessive else title
    # Not "diz" of "dizi", nor "ekonom" of "ekonomi": a noun may end as an object does.
    sign, word_ranks = last[-2], ranks()
    noun = object_ if sign == "g" else nominative
    rank = word_ranks.get(fold(noun), len(word_ranks))
    whole = word_ranks.get(folded, len(word_ranks))
    is_surely_cut = sign == "ğ" or folded[:-1].endswith(_LEARNED_NOUNS)
    if len(noun) == _SHORTEST_NOUN and whole > _SURELY_KNOWN and not is_surely_cut:
        return title  # "Martı" is not of "Mart", as the list has the short words of all languages.
    is_attested = rank < (whole if sign in "bc" or folded not in word_ranks else whole / 2)
    return noun if len(noun) >= _SHORTEST_NOUN and (is_surely_cut or is_attested) else title


def _english_title(text: str) -> str:
    if aside := _ASIDE.search(fold(text), _SHORTEST_PIECE):
        text = text[: aside.start()]
    while manner := _ENGLISH_MANNER.search(fold(text)):
        text = text[: manner.start()]
    folded = fold(text)
    if (what := _WHAT_IS.match(folded)) and not _LEFT_OPEN.fullmatch(folded):
        return text[what.end() :]
    if (how := _HOW.match(folded)) is None:
        return text
    lead = text[: how.end(how.lastgroup)] if how.lastgroup else ""
    return f"{lead}{' to' if how['to'] else ''} {text[how.end() :]}".lstrip()


def _shortened(title: str) -> str:
    if len(title) <= LONGEST_TITLE:
        return title
    pieces = [cut.start() for cut in _CUTS.finditer(title) if cut.start() <= LONGEST_TITLE]
    if pieces and pieces[-1] >= _SHORTEST_PIECE:
        return title[: pieces[-1]].rstrip(_EDGES)
    words_end = title.rfind(" ", 0, LONGEST_TITLE)
    cut = title[: words_end if words_end >= _SHORTEST_PIECE else LONGEST_TITLE - 1]
    return cut.rstrip(_EDGES) + "…"


_LONGEST_SUMMARY = 400
_MOST_SENTENCES = 3
_SENTENCE_LETTERS = range(35, 281)
_SHORTEST_OWN, _LONGEST_OWN = 12, 170  # A sentence of the user
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_ANSWERS_READ = 60
_READ_OF_ANSWER = 1_500
_QUESTIONS_OF_MESSAGE = 6
_LONGEST_QUESTION = 300
_EARLIER_IS_BETTER = 0.55
_COMPANION_SHARE = 0.25
_AND = {Language.TR: "ve", Language.EN: "and"}
_DEFINES_BONUS = 1.4
_LEANS_MALUS = 0.45
_SAID = 0.2  # How much another occurrence in a second sentence adds to a topic
_REMARK = re.compile(r"^[ \t]*\*[^*\n]+\*[ \t]*$", re.MULTILINE)
"""A line in italics alone: a remark on an answer, for example that it was cut."""
# Sentences that begin with these depend on the one before.
_LEANS = re.compile(
    r"(?:bu|bun\w+|su|o|on(?:u|un|a|lar\w*)|boyle\w*|ancak|ayrica|fakat|ama|yani|cunku|ornegin|mesela|ise"
    r"|it|its|this|these|they|that|those|such|however|also|but|so|for example|for instance|e\.g"
    r"|here|there|he|she|his|her|their|in addition|as a result|yes|no|evet|hayir)\b"
)


def describe(
    messages: Sequence[tuple[str, str]],
    language: Language,
    lists: PhraseLists,
    *,
    title: str | None = None,
) -> Description:
    """Return title, summary and 3 to 7 topics of a session of (role, text) messages.

    `title`: its present title.
    """
    topics = find_topics(messages, language, lists.stop_words)
    if not title:
        questions = [text for role, text in messages if role == "user"]
        title = _title(questions, topics, language, lists)
    return Description(
        title=title,
        summary=_summary(messages, topics, language, title) or title,
        topics=tuple(topic.text for topic in topics),
        by=DescribedBy.EXTRACTION,
    )


def _title(
    messages: Sequence[str], topics: Sequence[Topic], language: Language, lists: PhraseLists
) -> str:
    total = sum(topic.score for topic in topics)
    best, best_score, factor = "", 0.0, 1.0
    for question in _questions(messages, lists):
        if 2 * factor < best_score:
            break
        covered = sum(topics[at].score for at in _covered(question, topics, language))
        score = (1 + (covered / total if total else 0.0)) * factor
        factor *= _EARLIER_IS_BETTER
        title = make_title(question, language)
        if title and score > best_score:
            best, best_score = title, score
    if best:
        return _with_companion(best, topics, language)
    named = [topic.text[:1].upper() + topic.text[1:] for topic in topics[:1]]
    return next(filter(None, [*named, *(make_title(text, language) for text in messages)]), "")


def _with_companion(title: str, topics: Sequence[Topic], language: Language) -> str:
    stems = [stem(word, language) for word in word_texts(title)]
    main = next((topic for topic in topics if _stems(topic) == stems), None)
    if main is None:
        return title
    for other in topics:
        is_like = len(other.stems) > 1 and other.score >= _COMPANION_SHARE * main.score
        both = f"{title} {_AND[language]} {other.text}"
        if is_like and not set(other.stems) & set(main.stems) and len(both) <= LONGEST_TITLE:
            return both
    return title


def _questions(messages: Sequence[str], lists: PhraseLists) -> Iterator[str]:
    is_first = True  # nothing precedes it that it could refer to
    for message in messages:
        if find_farewell(message, lists):
            continue
        announced = find_announcement(message, lists)
        text = announced.rest if announced else without_code(message)
        lines = [plain_text(sentence.text) for sentence in sentences(text)] or [plain_text(text)]
        # The words after the last question say for whom it is, or how to answer it.
        ends = [place for place, line in enumerate(lines, 1) if line.rstrip().endswith("?")]
        for question in lines[: min([*ends[-1:], _QUESTIONS_OF_MESSAGE])]:
            if not 0 < len(question) <= _LONGEST_QUESTION:
                continue
            stands = is_first and bool(content_words(question, lists.stop_words))
            if stands or not needs_context(question, lists):
                is_first = False
                yield question


def _covered(text: str, topics: Sequence[Topic], language: Language) -> frozenset[int]:
    stems = {stem(word, language) for word in word_texts(text)}
    return frozenset(at for at, topic in enumerate(topics) if stems.issuperset(_stems(topic)))


def _stems(topic: Topic) -> list[str]:
    return [word for stem in topic.stems for word in stem.lstrip("+").split("ꞏ")]


def _summary(
    messages: Sequence[tuple[str, str]], topics: Sequence[Topic], language: Language, title: str
) -> str:
    """Return what the question was if the title lacks its numbers, the answers, the outcome."""
    user_texts = [text for role, text in messages if role == "user"]
    opening = _opening(user_texts[:1], title)
    outcome = _outcome(user_texts[1:], topics, language)
    room = _LONGEST_SUMMARY - len(opening) - len(outcome) - 2
    count = _MOST_SENTENCES - bool(opening) - bool(outcome) + 1
    answer = _of_answers(messages, topics, language, min(count, _MOST_SENTENCES), room)
    return " ".join(filter(None, (opening, answer, outcome)))


def _lines(text: str) -> Iterator[str]:
    for sentence in sentences(without_code(text)[:_READ_OF_ANSWER]):
        yield plain_text(sentence.text)


def _opening(user_texts: Sequence[str], title: str) -> str:
    """Return the sentence of the first message with most numbers that the title lacks."""
    named = set(_NUMBER.findall(title))
    lines = [line for text in user_texts for line in _lines(text) if len(line) <= _LONGEST_OWN]
    best = max(lines, key=lambda line: len({*_NUMBER.findall(line)} - named), default="")
    return best if {*_NUMBER.findall(best)} - named else ""


def _outcome(user_texts: Sequence[str], topics: Sequence[Topic], language: Language) -> str:
    """Return the last sentence in which the user decides something, or else plans it.

    With the statements before it that fit: "5 saniyede bitti. Buna geçiyorum." What names a topic
    goes first: a last remark may be about tea.
    """
    outcomes: dict[tuple[bool, SettledKind | None], str] = {}
    for text in user_texts:
        before = ""
        for line in _lines(text):
            whole = f"{before} {line}" if before and not before.endswith("?") else line
            before = whole if len(whole) <= _LONGEST_OWN else line
            if len(line) >= _SHORTEST_OWN and len(before) <= _LONGEST_OWN:
                is_about = bool(_covered(line, topics, language))
                outcomes[is_about, find_outcome(line)] = before
    best = product((True, False), (SettledKind.DECIDED, SettledKind.NEXT))
    return next((outcomes[key] for key in best if key in outcomes), "")


def _of_answers(
    messages: Sequence[tuple[str, str]],
    topics: Sequence[Topic],
    language: Language,
    most: int,
    room: int,
) -> str:
    answers = [_REMARK.sub("", text) for role, text in messages if role == "assistant"]
    texts = answers or [text for _, text in messages]
    if len(texts) > _ANSWERS_READ:
        # The first answers define, the last ones conclude.
        texts = texts[: _ANSWERS_READ // 2] + texts[-_ANSWERS_READ // 2 :]
    covers: dict[str, frozenset[int]] = {}
    for text in texts:
        for line in _lines(text):
            if len(line) in _SENTENCE_LETTERS and line[-1] in ".!)”\"'…":
                covers.setdefault(line, _covered(line, topics, language))
    worth = {line: _factor(line, language) for line in covers}
    unsaid = [sqrt(topic.score) for topic in topics]
    chosen: set[str] = set()
    for _ in range(most):
        fitting = [line for line in covers if line not in chosen and len(line) <= room]
        if not fitting:
            break
        best = max(
            fitting,
            key=lambda candidate: sum(unsaid[at] for at in covers[candidate]) * worth[candidate],
        )
        chosen.add(best)
        room -= len(best) + 1
        for at in covers[best]:
            unsaid[at] *= _SAID
    return " ".join(line for line in covers if line in chosen)


def _factor(line: str, language: Language) -> float:
    factor = _DEFINES_BONUS if defines(line, language) else 1.0
    return factor * (_LEANS_MALUS if _LEANS.match(fold(line)) else 1.0)
