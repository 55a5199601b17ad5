"""Picks of a page that was read the passages that bear on a question."""

from collections.abc import Sequence

from desktop.domain.sources import SourcePassage
from desktop.language.keywords_and_stems import content_words
from desktop.language.normalization import words
from desktop.language.stopwords import StopWords
from desktop.recall.bm25 import Scorer, Term
from desktop.research.citations.quote_matching import stands_in

_WORDS_OF_A_BEGINNING = 6


def bearing_passages(
    passages: Sequence[SourcePassage], question: str, limit: int, stop_words: StopWords
) -> list[SourcePassage]:
    """The best, in the order of the page; where none has a word of it, how the page begins."""
    asked = dict.fromkeys(
        word.text for word in content_words(question, stop_words, with_weak=True)
    ) or dict.fromkeys(word.text for word in words(question))
    if not passages or not asked:
        return list(passages[:limit])
    terms = [Term(word, 0) for word in asked]
    counts = [Scorer(terms, len(passages)).counts(_whole(one)) for one in passages]
    known = [
        Term(term.word, sum(place in found for found in counts))
        for place, term in enumerate(terms)
    ]
    scorer = Scorer(known, len(passages))
    usual = sum(len(one.text) for one in passages) / len(passages)
    scored = [
        (scorer.score(scorer.counts(_whole(one)), (), len(one.text), usual), one)
        for one in passages
    ]
    best = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])[:limit]
    chosen = [one for _, one in best] or list(passages[:1])
    return sorted(chosen, key=lambda one: one.number)


def cited_passages(
    passages: Sequence[SourcePassage], cited: Sequence[str], limit: int
) -> list[SourcePassage]:
    """Those with words that were cited; of what goes over the end of one, with its beginning."""
    begun = [" ".join(words.split()[:_WORDS_OF_A_BEGINNING]) for words in cited]
    every = (*cited, *begun)
    return [one for one in passages if any(stands_in(words, one.text) for words in every)][:limit]


def _whole(passage: SourcePassage) -> str:
    return f"{passage.heading}\n{passage.text}"
