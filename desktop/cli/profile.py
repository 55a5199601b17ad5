"""`bellek profile`: list, create, rename and delete profiles."""

from argparse import Namespace

from desktop.cli.commands import Access, Command
from desktop.cli.passphrase import change_passphrase
from desktop.cli.services import CommandEnvironment, object_json, print_each
from desktop.settings.profiles import Profiles, ProfileSummary


def _list(environment: CommandEnvironment, _options: Namespace) -> int:
    texts = environment.texts

    def line(one: ProfileSummary) -> str:
        when = f"{one.used_at.astimezone():%Y-%m-%d %H:%M}" if one.used_at else "-"
        marks = (("encrypted", one.is_encrypted), ("open", one.is_open))
        said = "  ".join(texts.say(f"profile.{key}") for key, is_so in marks if is_so)
        return f"{one.name}  {texts.megabytes(one.size_bytes)} MB  {when}  {said}".rstrip()

    print_each(environment, Profiles(environment.paths).summaries(), line, empty="profile.none")
    return 0


def _create(environment: CommandEnvironment, options: Namespace) -> int:
    Profiles(environment.paths).create(options.name)
    environment.report({"name": options.name}, "profile.created", name=options.name)
    return 0


def _rename(environment: CommandEnvironment, options: Namespace) -> int:
    Profiles(environment.paths).rename(options.name, options.new)
    told = {"name": options.new, "was": options.name}
    environment.report(told, "profile.renamed", name=options.name, new=options.new)
    return 0


def _delete(environment: CommandEnvironment, options: Namespace) -> int:
    profiles = Profiles(environment.paths)
    found = profiles.summary(options.name)
    size = environment.texts.megabytes(found.size_bytes)
    if not options.yes and not environment.confirm("profile.confirm", name=found.name, size=size):
        environment.say("profile.kept")
        return 1
    profiles.delete(options.name)
    environment.report(object_json(found), "profile.deleted", name=options.name)
    return 0


COMMANDS = {
    "list": Command(_list, Access.NONE),
    "create": Command(_create, Access.NONE),
    "rename": Command(_rename, Access.NONE),
    "delete": Command(_delete, Access.NONE),
    "passphrase": Command(change_passphrase, Access.REPLACE),
}
