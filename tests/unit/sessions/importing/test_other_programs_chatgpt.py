"""Conversations that ChatGPT exported."""

import json
from pathlib import Path
from zipfile import ZipFile

from desktop.domain.ids import SessionId
from desktop.domain.messages import Role
from desktop.domain.projects import EVERYTHING
from desktop.domain.search import EVERYWHERE, HitKind, Query
from desktop.domain.sessions import DescribedBy, SessionStatus
from desktop.recall.search import Search
from desktop.sessions.importing.import_types import ImportFormat, OmittedContent
from desktop.storage.archive import Archive
from tests.incoming import BEGAN, Desk, chatgpt_chat, chatgpt_message, packed, simple_chat
from tests.narrowing import instance

SAID = ("Şafak olayı nedir?", "Sabaha karşı kan şekerinin yükselmesidir.")


def test_a_conversation_comes_in_complete_with_title_times_refs_and_topics(
    archive: Archive, desk: Desk
) -> None:
    report = desk.take_json([simple_chat("c1", *SAID)])
    assert (report.form, report.added, report.messages) == (ImportFormat.CHATGPT, 1, 2)
    assert report.problems == []
    session = archive.sessions.session(SessionId("chatgpt-c1"))
    assert session.status is SessionStatus.COMPLETE
    assert (session.title, session.described_by) == ("Şafak", DescribedBy.IMPORT)
    assert session.topics
    assert session.summary
    first, second = archive.sessions.messages(session.id)
    assert (first.role, first.content, first.ref) == (Role.USER, SAID[0], f"m-{SAID[0]}")
    assert second.created_at.timestamp() == BEGAN + 1
    assert session.created_at.timestamp() == BEGAN
    hits = Search(archive.index).find(
        Query("sekerinin", kinds=frozenset({HitKind.MESSAGE}), scope=EVERYWHERE)
    )
    assert [hit.session_id for hit in hits] == [session.id]


def test_the_zip_is_read_and_so_are_conversations_split_into_several_files(
    archive: Archive, desk: Desk, tmp_path: Path
) -> None:
    path = packed(
        tmp_path / "export.zip",
        **{
            "user": {"id": "u"},
            "shared_conversations": [{"id": "x", "title": "t"}],
            "conversations-000": [simple_chat("a", *SAID)],
            "conversations-001": [simple_chat("b", "İkinci soru", "İkinci yanıt")],
        },
    )
    report = desk.importer.import_file(path)
    assert (report.added, report.problems) == (2, [])
    assert {one.id for one in archive.sessions.sessions(EVERYTHING)} == {"chatgpt-a", "chatgpt-b"}


def test_the_branch_that_was_seen_last_is_followed(desk: Desk) -> None:
    chat = simple_chat("c", "Soru", "Eski yanıt")
    mapping = instance(chat["mapping"], dict)
    mapping["again"] = {
        "id": "again",
        "message": chatgpt_message("assistant", "Yeni yanıt", at=BEGAN + 9),
        "parent": "n0",
        "children": [],
    }
    desk.take_json([{**chat, "current_node": "again"}])
    assert desk.said_in("chatgpt-c") == ["Soru", "Yeni yanıt"]


def test_without_a_current_node_the_newest_leaf_is_followed(desk: Desk) -> None:
    for name, current in (("none", None), ("unknown", "nowhere"), ("number", 5)):
        chat = simple_chat(name, "Soru", "Yanıt")
        mapping = instance(chat["mapping"], dict)
        mapping["old"] = {
            "message": chatgpt_message("assistant", "Bırakılan", at=BEGAN - 5),
            "parent": "n0",
        }
        desk.take_json([{**chat, "current_node": current}])
        assert desk.said_in(f"chatgpt-{name}") == ["Soru", "Yanıt"]


def test_reading_a_circular_tree_ends(desk: Desk) -> None:
    chat = simple_chat("c", "Soru", "Yanıt")
    mapping = instance(chat["mapping"], dict)
    mapping["n0"]["parent"] = "n1"
    assert desk.take_json([chat]).added == 1
    assert len(desk.said_in("chatgpt-c")) == 2


def test_hidden_messages_are_left_out_and_counted(desk: Desk) -> None:
    hidden = {"is_visually_hidden_from_conversation": True}
    messages = [
        chatgpt_message("system", ""),
        chatgpt_message("system", "You are a helpful assistant"),
        chatgpt_message("user", "About me", kind="user_editable_context"),
        chatgpt_message("user", "Görünmez", metadata=hidden),
        chatgpt_message("user", "Soru"),
        chatgpt_message("assistant", '{"query": "x"}', recipient="browser"),
        chatgpt_message("tool", "Sonuç"),
        chatgpt_message("assistant", "Düşünüyorum", kind="thoughts"),
        chatgpt_message("critic", "Hm"),
        chatgpt_message("assistant", "Yanıt"),
    ]
    report = desk.take_json([chatgpt_chat("c", messages)])
    assert desk.said_in("chatgpt-c") == ["Soru", "Yanıt"]
    assert {kind: n for kind, n in report.left_out.items() if n} == {
        OmittedContent.SYSTEM: 1,
        OmittedContent.HIDDEN: 2,
        OmittedContent.TOOL: 2,
        OmittedContent.THINKING: 1,
        OmittedContent.UNKNOWN_ROLE: 1,
    }


def test_the_words_of_pictures_and_voices_are_kept_and_the_rest_counted(desk: Desk) -> None:
    parts = (
        {"content_type": "image_asset_pointer", "asset_pointer": "file-service://f"},
        {"content_type": "audio_transcription", "text": "Söylediğim", "direction": "in"},
        {"content_type": "audio_asset_pointer"},
        "Bu ne?",
    )
    asked = chatgpt_message(
        "user",
        *parts,
        kind="multimodal_text",
        metadata={"attachments": [{"name": "a.pdf"}, {"name": "b.pdf"}]},
    )
    report = desk.take_json([chatgpt_chat("c", [asked, chatgpt_message("assistant", "Kedi")])])
    assert desk.said_in("chatgpt-c")[0] == "Söylediğim\n\nBu ne?"
    assert report.left_out[OmittedContent.IMAGE] == 1
    assert report.left_out[OmittedContent.ATTACHMENT] == 3


def test_internal_references_become_words_or_are_removed(desk: Desk) -> None:
    answer = (
        "Evet \ue200cite\ue202turn0search0\ue201 "
        '\ue200entity\ue202["city","Ankara","Türkiye"]\ue201 güzeldir【4†source】.'
    )
    desk.take_json([simple_chat("c", "Soru", answer)])
    assert desk.said_in("chatgpt-c")[1] == "Evet  Ankara güzeldir."


def test_times_that_are_missing_or_absurd_take_the_conversations_own(
    archive: Archive, desk: Desk
) -> None:
    messages = [
        chatgpt_message("user", "bir", at=None),
        chatgpt_message("assistant", "iki", at=1e300),
        chatgpt_message("user", "üç", at=float("nan")),
    ]
    desk.take_json([chatgpt_chat("c", messages)])
    for one in archive.sessions.messages(SessionId("chatgpt-c")):
        assert 0 < one.created_at.timestamp() - BEGAN < 1


def test_the_same_file_again_adds_nothing(desk: Desk) -> None:
    chats = [simple_chat("a", *SAID), simple_chat("b", *SAID)]
    assert desk.take_json(chats).added == 2
    again = desk.take_json(chats)
    assert (again.added, again.grown, again.already_there, again.messages) == (0, 0, 2, 0)


def test_a_conversation_that_has_grown_gets_its_new_messages_only(
    archive: Archive, desk: Desk
) -> None:
    desk.take_json([simple_chat("c", *SAID)])
    report = desk.take_json([simple_chat("c", *SAID, "Peki ya gece?", "Geceleyin düşer.")])
    assert (report.added, report.grown, report.messages) == (0, 1, 2)
    assert desk.said_in("chatgpt-c")[2:] == ["Peki ya gece?", "Geceleyin düşer."]
    assert Search(archive.index).find(Query("geceleyin", scope=EVERYWHERE))


def test_a_conversation_that_branched_since_its_import_stays_unchanged(
    archive: Archive, desk: Desk
) -> None:
    desk.take_json([simple_chat("c", *SAID)])
    report = desk.take_json([simple_chat("c", "Başka soru", "Başka yanıt")])
    assert (report.added, report.grown, report.already_there) == (0, 0, 1)
    assert len(archive.sessions.sessions(EVERYTHING)) == 1


def test_a_canvas_comes_along_as_it_stood_after_each_change(desk: Desk) -> None:
    def canvas(action: str, **given: object) -> dict[str, object]:
        said = json.dumps(given)
        return chatgpt_message("assistant", said, recipient=f"canmore.{action}_textdoc")

    created = canvas("create", name="Mektup", type="document", content="Sevgili Ayşe,")
    whole = [{"pattern": ".*", "multiple": False, "replacement": "Sevgili Ali,"}]
    part = [{"pattern": "Ali", "multiple": False, "replacement": "Can"}]
    messages = [
        chatgpt_message("user", "Mektup yaz"),
        created,
        canvas("update", updates=whole),
        canvas("update", updates=part),
        chatgpt_message("assistant", "Yazdım."),
    ]
    report = desk.take_json([chatgpt_chat("m", messages)])
    assert desk.said_in("chatgpt-m") == [
        "Mektup yaz",
        "**Mektup**\n\nSevgili Ayşe,",
        "**Mektup**\n\nSevgili Ali,",
        "Yazdım.",
    ]
    assert report.left_out[OmittedContent.TOOL] == 1


def test_the_frame_around_a_text_that_was_asked_for_is_left_out(desk: Desk) -> None:
    said = 'İşte:\n:::writing{variant="email"}\nMerhaba.\n:::\nBaşka?'
    desk.take_json([simple_chat("w", "E-posta yaz", said)])
    assert desk.said_in("chatgpt-w")[1] == "İşte:\nMerhaba.\nBaşka?"


def test_what_an_export_has_beside_its_conversations_is_no_conversation(
    archive: Archive, desk: Desk, tmp_path: Path
) -> None:
    """The files beside them begin with the same word, and macOS adds one to each."""
    path = packed(
        tmp_path / "export.zip",
        **{
            "conversations-000": [simple_chat("a", *SAID)],
            "conversation_asset_file_names": {"file-a.dat": "foto.png"},
            "__MACOSX__._conversations-000": [simple_chat("b", *SAID)],
        },
    )
    report = desk.importer.import_file(path)
    assert (report.added, report.problems) == (1, [])


def test_a_report_kept_inside_a_hidden_message_is_the_answer(desk: Desk) -> None:
    page = {"title": "Arı [1]", "url": "https://example.org/ari"}
    mark = "\ue200cite\ue202turn0search0\ue201"
    report = chatgpt_message(
        "assistant",
        f"# Rapor\n\nPropolis kestanede çok.{mark}",
        metadata={"content_references": [{"matched_text": mark, "items": [page]}]},
    )
    state = json.dumps({"status": "completed", "report_message": report})
    hidden = {"is_visually_hidden_from_conversation": True, "chatgpt_sdk": {"widget_state": state}}
    messages = [
        chatgpt_message("user", "Araştır"),
        chatgpt_message("tool", "The latest state is: {}", metadata=hidden),
    ]
    desk.take_json([chatgpt_chat("d", messages)])
    assert desk.said_in("chatgpt-d") == [
        "Araştır",
        "# Rapor\n\nPropolis kestanede çok. ([Arı (1)](<https://example.org/ari>))",
    ]


def test_pages_of_old_citations_stand_below_the_answer(desk: Desk) -> None:
    cited = {"citations": [{"metadata": {"title": "Nar", "url": "https://example.org/nar"}}]}
    messages = [
        chatgpt_message("user", "Nar?"),
        chatgpt_message("assistant", "Kışın.【3†source】", metadata=cited),
    ]
    desk.take_json([chatgpt_chat("n", messages)])
    assert desk.said_in("chatgpt-n")[1] == "Kışın.\n\n[Nar](<https://example.org/nar>)"


def test_a_canvas_document_may_be_an_object(desk: Desk) -> None:
    document = {"name": "plan", "type": "document", "content": "Mayısta budama"}
    messages = [
        chatgpt_message("user", "Plan yaz"),
        chatgpt_message("assistant", document, recipient="canmore.create_textdoc"),
    ]
    desk.take_json([chatgpt_chat("c", messages)])
    assert desk.said_in("chatgpt-c")[1] == "**plan**\n\nMayısta budama"


def test_no_message_is_lost_behind_a_broken_link(desk: Desk) -> None:
    chat = simple_chat("b", "Bir?", "İki.", "Üç?", "Dört.")
    mapping = instance(chat["mapping"], dict)
    mapping["n2"]["parent"] = "gone"
    mapping["n1"]["children"] = []
    flat = simple_chat("f", "Soru?", "Yanıt.")
    nodes = instance(flat["mapping"], dict)
    flat["mapping"] = {name: {"message": nodes[name]["message"]} for name in ("n0", "n1")}
    del flat["current_node"]
    desk.take_json([chat, flat])
    assert desk.said_in("chatgpt-b") == ["Bir?", "İki.", "Üç?", "Dört."]
    assert desk.said_in("chatgpt-f") == ["Soru?", "Yanıt."]


def test_an_export_saved_in_an_old_code_page_keeps_its_letters(desk: Desk) -> None:
    said = (
        "Iğdır şeftalisi nasıl gübrelenir, güneş ister mi?",
        "Gün boyu güneş görmeli, ığıl ığıl.",
    )
    text = json.dumps([simple_chat("e", *said)], ensure_ascii=False)
    report = desk.take_bytes(text.encode("cp1254"), "conversations.json")
    assert (report.added, report.problems) == (1, [])
    assert desk.said_in("chatgpt-e") == list(said)


def test_a_file_that_cannot_be_read_is_named_for_what_it_is(desk: Desk, tmp_path: Path) -> None:
    web = {"id": "o", "user_id": "u", "title": "T", "chat": {"messages": []}}
    studio = {"name": "T", "tokenCount": 5, "messages": [{"versions": []}]}
    for value, key, told in [
        (web, "other_program", "Open WebUI"),
        (studio, "other_program", "LM Studio"),
        ({"name": "T", "messages": [{"versions": []}]}, "other_program", "LM Studio"),
        ({"data": {"chats": [{"messages": []}]}}, "other_program", "TypingMind"),
        ({"version": 1, "exports": []}, "unknown_form", "version, exports"),
    ]:
        (problem,) = desk.take_json([value]).problems
        assert (problem.key, *problem.values.values()) == (key, told)
    inner = packed(tmp_path / "inner.zip", conversations=[]).read_bytes()
    for name in ("middle.zip", "outer.zip"):
        with ZipFile(tmp_path / name, "w") as outer:
            outer.writestr("projects.zip", inner)
        inner = (tmp_path / name).read_bytes()
    (problem,) = desk.importer.import_file(tmp_path / "outer.zip").problems
    assert (problem.key, problem.values) == ("zip_in_zip", {"names": "projects.zip"})
