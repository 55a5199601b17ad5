"""Projects that are shared with a group, through a folder or a PostgreSQL server.

A member's published sessions, and the documents, references and notes of the project, arrive at
the others as rows of their own project: searched and recalled there, behind its wall, and changed
by nobody but their member. Memory, drafts, preferences, diary and unpublished sessions are never
sent. What its member takes back or deletes is removed at the others, who keep nothing of it.

Where a project is shared stands in a file of this computer, beside the archive; the keys of the
project and of this member are in the keyring.
"""

import getpass
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

from desktop.domain.ids import SessionId, new_project_id
from desktop.domain.projects import NO_PROJECT, Project, ProjectId, Wall
from desktop.domain.sessions import SessionStatus
from desktop.domain.sharing import (
    ItemKind,
    Leaving,
    MemberId,
    MemberShare,
    MemberState,
    MemberUnknownError,
    NotPublishableError,
    NotPublishedError,
    SharedProject,
    SharingCodeUnknownError,
    SharingKeyMissingError,
    SharingLocalOnlyError,
    SharingNotFounderError,
    SharingOffError,
    SharingOnError,
    SharingRemovedError,
    SharingReport,
)
from desktop.domain.sync import SyncAddressError, SyncError
from desktop.domain.times import utc_now
from desktop.sessions.sharing.membership import (
    Identity,
    ProjectKey,
    code_of,
    new_secret,
    one_line,
    secret_of,
)
from desktop.sessions.sharing.share_places import Share, ShareKeys, SharePlaces, SpaceFolder
from desktop.sessions.sharing.shared_space import SharedSpace, SharePlace
from desktop.sessions.syncing.addresses import is_server, parse_address, split_password
from desktop.sessions.syncing.carrier import Carrier, open_server
from desktop.settings.keys import KeyStore
from desktop.storage.archive import Archive


class Sharing:
    """Any thread may call, except the window's: every method may wait.

    Methods raise SyncError, StorageError, FileNotWrittenError and, where a project is named,
    ProjectUnknownError.
    """

    def __init__(
        self, archive: Archive, keys: KeyStore, *, is_local_only: Callable[[], bool]
    ) -> None:
        """`is_local_only`: whether the whole profile stays on this computer."""
        self._archive, self._is_local_only = archive, is_local_only
        self._places = SharePlaces(archive, keys)
        self._running = Lock()

    def projects(self) -> list[SharedProject]:
        """Return the projects that are shared here; reads one file of this computer."""
        return [
            SharedProject(
                ProjectId(project), share.address, share.name, share.founder == share.member
            )
            for project, share in self._places.shares().items()
        ]

    def share(self, project: Project, place: str, *, name: str = "") -> str:
        """Share a project in a folder or server; return the code that lets others join.

        `name`: what the others call this member. Raises SharingOnError; repeating what failed
        goes on with the same code, also in another place.
        """
        self._check_local_only(project)
        self._places.check_keyring()
        with self._running:
            shares = self._places.shares()
            before = shares.get(project.id)
            if before and before.is_entered:
                raise SharingOnError(project=project.name)
            keys = self._places.keys(before) if before else None
            keys = keys or ShareKeys(new_secret(), Identity.new())
            me, name = keys.identity, name or (before.name if before else "")
            self._begin(project.id, place, keys.secret, me, name=name, founder=me.id)
            self._run(project, publish=())
            return code_of(keys.secret)

    def join(self, code: str, place: str, *, name: str = "") -> Project:
        """Take part in a project that another member shares; return it as a new project here.

        Raises SharingCodeError, SharingCodeUnknownError, and SharingOnError if it is here already.
        """
        secret = secret_of(code)
        if self._is_local_only():
            raise SharingLocalOnlyError(project="")
        self._places.check_keyring()
        with self._running:
            for project_id, share in self._places.shares().items():
                there = self._archive.projects.find(ProjectId(project_id))
                if there and share.is_entered and self._has_secret(there, secret):
                    raise SharingOnError(project=there.name)
            key, identity = ProjectKey(secret), Identity.new()
            address, password = _address(place)
            with closing(_connect(address, key, password or "")) as carrier:
                at = SharePlace(NO_PROJECT, "", one_line(name) or _own_name(), MemberId(""))
                space = SharedSpace(self._archive, carrier, key, identity, at)
                named = [index.project for index in space.indexes.values() if index.project]
                founder = space.founder()
            if not named:
                raise SharingCodeUnknownError(where=address)
            project_id = new_project_id()
            self._archive.projects.add_imported(Project(project_id, named[0], utc_now()))
            project = self._archive.projects.named(project_id)
            self._begin(project.id, place, secret, identity, name=name, founder=founder)
            self._run(project, publish=())
            return project

    def code(self, project: Project) -> str:
        """Return the code that lets others join."""
        self._share(project)
        return code_of(self._keys(project).secret)

    def run(self, project: Project) -> SharingReport:
        """Receive what the others share, then send what is shared from here."""
        with self._running:
            return self._run(project, publish=())

    def run_all(self) -> dict[ProjectId, SharingReport | SyncError]:
        """Do so for every shared project that is still here; return what came of each."""
        outcomes: dict[ProjectId, SharingReport | SyncError] = {}
        for shared in self.projects():
            if project := self._archive.projects.find(shared.project):
                try:
                    outcomes[project.id] = self.run(project)
                except SyncError as exc:
                    outcomes[project.id] = exc
        return outcomes

    def publish(self, session_ids: Sequence[SessionId]) -> SharingReport:
        """Share sessions as they are now with the members of their project.

        Raises SessionUnknownError, NotPublishableError, SharedReadOnlyError, SharingOffError;
        nothing is sent then.
        """
        self._archive.shared.check_own(session_ids)
        sessions = [self._archive.sessions.session(session_id) for session_id in session_ids]
        for session in sessions:
            if session.status is not SessionStatus.COMPLETE or not session.messages:
                raise NotPublishableError(session=session.id)
        return self._in_projects(sessions, lambda ids: ids)

    def unpublish(self, session_ids: Sequence[SessionId]) -> SharingReport:
        """Take sessions back: the others remove them, and keep nothing of them.

        Raises NotPublishedError if none of them is published.
        """
        published = self._archive.shared.published(session_ids)
        if not published:
            raise NotPublishedError(session=", ".join(session_ids))
        self._archive.shared.withdraw(published)
        sessions = self._archive.sessions.some(map(SessionId, published))
        return self._in_projects(sessions, lambda _: ())

    def published(self, session_ids: Sequence[SessionId]) -> set[str]:
        """Return those of the sessions that the user has published."""
        return {*self._archive.shared.published(session_ids)}

    def all_published(self) -> frozenset[str]:
        """Return the sessions that the user has published, in all projects."""
        items = (self._archive.shared.items(shared.project) for shared in self.projects())
        return frozenset(id_ for held in items for id_ in held if held[id_].is_own)

    def members(self, project: Project) -> list[MemberShare]:
        """Return the members as of the last run, this one first, and what each has added."""
        share = self._share(project)
        counts: dict[str, Counter[ItemKind]] = {}
        for held in self._archive.shared.items(project.id).values():
            counts.setdefault(held.member, Counter())[held.item.kind] += 1
        own = self._archive.shared.own_ids(
            project.id, [*self._archive.shared.published(self._session_ids(project))]
        )
        me = MemberShare(
            id=MemberId(share.member),
            name=share.name,
            counts={kind: len(ids) for kind, ids in own.items()},
            is_self=True,
            is_founder=share.founder == share.member,
        )
        others = [
            MemberShare(
                id=member.id,
                name=member.name,
                counts=counts.get(member.id, Counter()),
                seen_at=member.seen_at,
                state=member.state,
                is_founder=share.founder == member.id,
            )
            for member in self._archive.shared.members(project.id)
        ]
        return [me, *others]

    def owners(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the names of the members that sessions, documents and notes come from."""
        return self._archive.shared.others(ids)

    def remove(self, project: Project, member: str) -> str:
        """Remove a member, by name or id: a new key holds from then on. Return its code.

        What the member has stays there. The others get the new key with their next run. Raises
        SharingNotFounderError, MemberUnknownError.
        """
        with self._running:
            share = self._share(project)
            if share.founder != share.member:
                raise SharingNotFounderError(project=project.name)
            self._run(project, publish=())  # whoever joined since is a member, too
            known = self._archive.shared.members(project.id)
            named = [each for each in known if member in (each.id, each.name)]
            named = named or [each for each in known if member and each.id.startswith(member)]
            if len(named) != 1:
                raise MemberUnknownError(member=member)
            keys = self._keys(project)
            if not keys.following:
                keys = replace(keys, following=new_secret())
                self._places.keep(share, keys)
            removed = replace(named[0], state=MemberState.REMOVED)
            self._archive.shared.note_member(project.id, removed)
            with self._opened(project, share, keys) as space:
                stays = [each for each in space.known.values() if each.state is MemberState.ACTIVE]
                # First the new space, so that a server that does not admit to it stops this here.
                with self._opened(project, share, replace(keys, secret=keys.following)) as new:
                    new.follow(space)
                    new.send()
                space.rotate(keys.following, stays)
                space.clear()
            self._places.keep(share, replace(keys, secret=keys.following, following=b""))
            return code_of(keys.following)

    def leave(self, project: Project, *, takes_back: bool = False) -> None:
        """Leave; all that is here stays. `takes_back`: the others remove what came from here."""
        with self._running:
            share = self._share(project)
            with (
                suppress(SharingRemovedError),
                self._opened(project, share, self._keys(project)) as space,
            ):
                self._check_not_rotated(space, share, project)
                space.send(has_left=True, shares=not takes_back)
            self._forget(project, share)

    def is_shared(self, project: ProjectId) -> bool:
        return project in self._places.shares()

    def leave_if_shared(self, project: Project, leaving: Leaving) -> bool:
        """Leave the group of a project; return whether it was shared."""
        is_shared = self.is_shared(project.id)
        if is_shared and leaving is Leaving.UNTOLD:
            self.forget(project)
        elif is_shared:
            self.leave(project, takes_back=leaving is Leaving.TAKE_BACK)
        return is_shared

    def forget(self, project: Project) -> None:
        """Leave without the folder or server, which may be gone for good."""
        with self._running:
            self._forget(project, self._share(project))

    def _forget(self, project: Project, share: Share) -> None:
        self._places.forget_keys(share)
        self._archive.shared.forget_project(project.id)
        shares = self._places.shares()
        del shares[project.id]
        self._places.store(shares)

    def _in_projects(self, sessions: Sequence[Any], choose: Callable[[Any], Any]) -> SharingReport:
        report = SharingReport()
        ids: dict[ProjectId, list[str]] = {}
        for session in sessions:
            ids.setdefault(session.project, []).append(session.id)
        projects = [self._archive.projects.named(project) if project else None for project in ids]
        for project in projects:
            self._share(project)
        for project in filter(None, projects):
            with self._running:
                done = self._run(project, publish=choose(ids[project.id]))
            report = replace(
                done, received=done.received + report.received, sent=done.sent + report.sent
            )
        return report

    def _session_ids(self, project: Project) -> list[SessionId]:
        held = self._archive.shared.items(project.id).values()
        return [SessionId(each.item.id) for each in held if each.is_own]

    def _check_local_only(self, project: Project) -> None:
        # As it is now, whatever it was when the caller read it.
        if self._archive.projects.is_local_only(Wall(project.id)) or self._is_local_only():
            raise SharingLocalOnlyError(project=project.name)

    def _run(self, project: Project, publish: Sequence[str]) -> SharingReport:
        share, keys = self._share(project), self._keys(project)
        self._check_local_only(project)
        code = ""
        with self._opened(project, share, keys) as space:
            following = self._following(space, share, project, keys)
            if following is None:
                return self._exchange(project, share, space, publish)
            with self._opened(project, share, replace(keys, secret=following)) as new:
                new.follow(space)
                report = self._exchange(project, share, new, publish)
            space.clear()
            code = code_of(following)
        self._places.keep(share, replace(keys, secret=following, following=b""))
        return replace(report, code=code)

    def _exchange(
        self, project: Project, share: Share, space: SharedSpace, publish: Sequence[str]
    ) -> SharingReport:
        space.enter()
        if not share.is_entered:
            self._places.store(
                {**self._places.shares(), project.id: replace(share, is_entered=True)}
            )
        space.receive()
        space.publish(publish)
        space.send()
        return space.report()

    def _following(
        self, space: SharedSpace, share: Share, project: Project, keys: ShareKeys
    ) -> bytes | None:
        """Return the project's new key, if there is one. Raises SharingRemovedError."""
        rotation = space.rotation()
        if rotation is None:
            return None
        if share.member not in rotation:
            raise SharingRemovedError(project=project.name)
        try:
            return keys.identity.unwrap(rotation[share.member])
        except ValueError as exc:
            raise SharingRemovedError(project=project.name) from exc

    def _check_not_rotated(self, space: SharedSpace, share: Share, project: Project) -> None:
        rotation = space.rotation()
        if rotation is not None and share.member not in rotation:
            raise SharingRemovedError(project=project.name)

    @contextmanager
    def _opened(self, project: Project, share: Share, keys: ShareKeys) -> Iterator[SharedSpace]:
        key = ProjectKey(keys.secret)
        place = SharePlace(project.id, project.name, share.name, MemberId(share.founder))
        with closing(_connect(share.address, key, keys.password)) as carrier:
            yield SharedSpace(self._archive, carrier, key, keys.identity, place)

    def _begin(
        self,
        project: ProjectId,
        place: str,
        secret: bytes,
        identity: Identity,
        *,
        name: str,
        founder: str,
    ) -> None:
        address, password = _address(place)
        share = Share(address, one_line(name) or _own_name(), founder, identity.id)
        self._places.keep(share, ShareKeys(secret, identity, password or ""))
        self._places.store({**self._places.shares(), project: share})

    def _has_secret(self, project: Project, secret: bytes) -> bool:
        with suppress(SharingKeyMissingError):
            return self._keys(project).secret == secret
        return False

    def _keys(self, project: Project) -> ShareKeys:
        """Raises SharingKeyMissingError."""
        keys = self._places.keys(self._share(project))
        if keys is None:
            raise SharingKeyMissingError(project=project.name)
        return keys

    def _share(self, project: Project | None) -> Share:
        share = self._places.shares().get(project.id) if project else None
        if share is None:
            raise SharingOffError(project=project.name if project else "")
        return share


def _own_name() -> str:
    try:
        return one_line(getpass.getuser())
    except (OSError, KeyError):
        return "?"


def _address(place: str) -> tuple[str, str | None]:
    """Return what may be stored of a place, and a password. Raises SyncAddressError."""
    if not is_server(place):
        return str(Path(place).expanduser().absolute()), None
    address, password = split_password(place)
    if parse_address(address).space:  # it follows from the code
        raise SyncAddressError
    return address, password


def _connect(address: str, key: ProjectKey, password: str) -> Carrier:
    if is_server(address):
        separator = "&" if "?" in address else "?"
        return open_server(f"{address}{separator}space={key.space}", lambda: password)
    return SpaceFolder(Path(address), key.space)
