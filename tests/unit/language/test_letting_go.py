import pytest

from desktop.language.hearing.forgetting import asks_to_forget
from desktop.language.hearing.keeping import asks_to_remember
from desktop.language.hearing.phrases import PhraseLists

WANTED = {
    "Scrub the bit about my salary from your memory.": "my salary",
    "I'd rather you no longer knew my blood type.": "my blood type",
    "What I said about my brother, please get rid of it.": "my brother it",
    "Would you erase what you have learned about my cousin?": "my cousin",
    "Stop remembering that I'm a vegetarian.": "I'm a vegetarian",
    "You no longer need to remember my locker code.": "my locker code",
    "Maaşımla ilgili kısmı belleğinden kaldırır mısın?": "Maaşımla",
    "Kan grubumu hatırlamasan daha iyi olur.": "Kan grubumu",
    "Telefon numaramı hafızandan siliver.": "Telefon numaramı",
    "Terapistimle ilgili bahsettiklerimi sil.": "Terapistimle",
}
OTHER_WORK = [
    "Remove what I said twice in this paragraph.",
    "Delete the part about my methods and shorten the rest.",
    "Take what you know about bees and help me with my essay.",
    "Discard my outliers and tell me what you know of the rest.",
    "Remove the notes from my draft.",
    "Delete the comments that I left in the file.",
    "Strike a balance between what I said and the critics.",
    "How do I let go of what people said about me?",
    "Söylediklerimi özetle, yinelenenleri çıkar.",
    "Söylediğim gibi listeyi kısalt, tekrarları at.",
    "Yazdığım kodun üçüncü satırını kaldır.",
    "Bilgisayarımın belleğini temizle",
    "Bildiğim her şeyi unuttum, baştan anlat.",
]


@pytest.mark.parametrize(("message", "wanted"), WANTED.items())
def test_a_wish_to_forget_is_heard_however_it_is_worded(
    message: str, wanted: str, lists: PhraseLists
) -> None:
    found = asks_to_forget(message, lists)
    assert found is not None
    assert wanted in found.words


@pytest.mark.parametrize("message", OTHER_WORK)
def test_what_is_to_go_from_a_text_is_not_to_be_forgotten(
    message: str, lists: PhraseLists
) -> None:
    assert asks_to_forget(message, lists) is None


def test_who_is_to_stop_remembering_is_not_to_remember(lists: PhraseLists) -> None:
    assert asks_to_remember("Stop remembering that I'm a vegetarian.", lists) is None
