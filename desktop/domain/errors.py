"""What can fail outside this program, in a form the user can act on.

An error has no text of its own: `key` and `values` are looked up in the texts (table `errors`) in
the language of the reader. The key is the name of the class: KeyMissingError is `key_missing`.
Values never hold a key, a prompt or an answer. Errors of one subject (backups, the web, devices)
stand in its module of this room.
"""

from typing import ClassVar


class AppError(Exception):
    """Something outside this program failed and the user can act on it."""

    key: ClassVar[str]

    def __init_subclass__(cls) -> None:
        if "key" not in vars(cls):
            name = cls.__name__.removesuffix("Error")
            cls.key = "".join(
                f"_{letter.lower()}" if letter.isupper() else letter for letter in name
            )[1:]

    def __init__(self, **values: str | float) -> None:
        super().__init__(self.key, values)
        self.values = values


class LlmError(AppError):
    """A model could not answer."""


class ConnectionLostError(LlmError):
    """`where`: the endpoint's name."""


class ServerDownError(ConnectionLostError):
    """A server on this computer or in its network does not answer; `where`: its name."""


class KeyMissingError(LlmError):
    """The endpoint needs a key, and none is stored."""


class KeyNeededError(KeyMissingError):
    """The same, where the key is given on the command line."""


class KeyRejectedError(LlmError):
    """The endpoint does not accept the key (401)."""


class NotPermittedError(LlmError):
    """The key may not use this model or feature (403)."""


class ModelUnknownError(LlmError):
    """`model`: its name."""


class ModelsMissingError(LlmError):
    """The endpoint answers and has no model; `where`."""


class CheckingModelMissingError(LlmError):
    """The user wants claims checked, and no model is connected that could."""


class ModelFileMissingError(LlmError):
    """A model could not be downloaded, or not to its end; `where`."""


class ModelFileRefusedError(LlmError):
    """A server does not give out a model of the list; `where`, `status`: of HTTP."""


class ModelFileBrokenError(LlmError):
    """What was downloaded is not the model of the list; it was removed; `name`."""


class ModelPullError(LlmError):
    """Ollama did not fetch the model; `detail`, in its words."""


class LocalOnlyError(LlmError):
    """`where`: an endpoint beyond this computer, which the profile does not allow."""


class LocalProjectError(LocalOnlyError):
    """`where`: an endpoint beyond this computer, which the project does not allow."""


class DailyCapError(LlmError):
    """The day's limit for requests that nobody asked for by hand is reached."""


class ModelBusyError(LlmError):
    """Too many requests (429); `seconds` to wait (0: unknown), `at`: the time until which."""


class OverloadedError(LlmError):
    """The endpoint is overloaded (529)."""


class ServerFailedError(LlmError):
    """`status`: the HTTP status."""


class StreamBrokenError(LlmError):
    """The answer ended without a stop reason."""


class AnswerUnreadableError(StreamBrokenError):
    """The endpoint sent events that do not fit its protocol; `where`: its name."""


class AnswerStalledError(StreamBrokenError):
    """The server goes on sending without anything of an answer; `where`."""


class OnlyReasoningError(LlmError):
    """The model reasoned and wrote no answer; `where`."""


class RefusedError(LlmError):
    """The model declined to answer."""


class AnswerTooLongError(LlmError):
    """A model wrote more than this program accepts."""


class ToolLoopError(LlmError):
    """The model kept calling tools after the limit of calls was reached."""


class ContextTooLongError(LlmError):
    """The request does not fit into the model's context."""


class RequestRejectedError(LlmError):
    """Any other 4xx; `status` and `detail`, the endpoint's own message."""


class ProtocolMismatchError(RequestRejectedError):
    """The endpoint does not speak the protocol of its connection; `where`, `status`, `detail`."""


class ReplyInvalidError(LlmError):
    """A structured reply that fails validation."""


class LocalModelError(LlmError):
    """The model file could not be served; `path` and `detail`."""


class LocalRuntimeMissingError(LlmError):
    """The extra `local` is not installed."""


class StorageError(AppError):
    """The profile's database failed; what is in memory stays there."""


class DatabaseTooNewError(StorageError):
    """`found`, `known`: schema versions."""


class DatabaseDamagedError(StorageError):
    """`kept`: where the damaged file is now; `saved`: how many messages were salvaged."""


class RowsDamagedError(DatabaseDamagedError):
    """The database was salvaged in part: `saved` of `known` messages.

    `sessions`: which lack messages, with both counts; `list`: the file that names every row.
    """


class DatabaseLockedError(StorageError):
    """Another program holds a lock for too long."""


class DatabaseReadOnlyError(StorageError):
    """The file, its folder or its disk cannot be written."""


class DatabaseIsFolderError(StorageError):
    """`path`: where the database should be."""


class DataFolderIsFileError(StorageError):
    """`path`: the file that is where the data folder should be."""


class DataUnreadableError(StorageError):
    """`path`: the data folder, or a file in it, that cannot be read."""


class DiskFailedError(StorageError):
    """The disk reported an error, and has space."""


class NotAFileError(StorageError):
    """`path`: a pipe or device in the place of a file."""


class DiskFullError(StorageError):
    """The disk or the quota is full."""


class SpaceTooLittleError(DiskFullError):
    """`needed` and `free`, in megabytes; nothing has been changed."""


class MigrationFailedError(StorageError):
    """An archive of an earlier version stays as it was; `kept`: the copy of it."""


class ProfileLockedError(AppError):
    """The profile is encrypted, and no passphrase was given."""


class ProgramsRefusedError(AppError):
    """Another program may not read this profile; `why`, in words."""


class ProgramItemUnknownError(AppError):
    """Another program asked for something that is not there, or not behind its wall; `item`."""


class ProgramDocumentError(AppError):
    """Another program proposed a document that is neither a text nor the address of a page."""


class HostFileBrokenError(AppError):
    """The file in which another program lists servers is not understood; `path`."""


class BrowserPortTakenError(AppError):
    """Other programs have all ports to which a browser could send pages; `ports`."""


class ProtocolMissingError(AppError):
    """The extra `mcp` is not installed."""


class WrongPassphraseError(AppError):
    """The passphrase does not open the profile or the backup."""


class KeyFileDamagedError(AppError):
    """`path`: the key file; no copy of it is whole."""


class ProfileInUseError(AppError):
    """Another process owns the profile; `pid`: its id."""


class ProfileInUseByCommandError(ProfileInUseError):
    """A command that is still running owns the profile."""


class SettingsBrokenError(AppError):
    """The settings could not be read and were set aside; `kept`: where, `place`: what is wrong."""


class SettingsNotSavedError(AppError):
    """`path` and `detail`."""


class SessionUnknownError(AppError):
    """`session`: the id asked for."""


class ProfileUnknownError(AppError):
    """`name`: no profile has it."""


class ProfileExistsError(AppError):
    """`name`: another profile has it."""


class SecretNotKeptError(AppError):
    """The text to remember holds a key, a password or a card number."""


class FactUnknownError(AppError):
    """`fact`: the id asked for."""


class PreferenceUnknownError(AppError):
    """`preference`: the id asked for."""


class SourceUnknownError(AppError):
    """`source`: the id asked for."""


class NoteUnknownError(AppError):
    """`note`: the id asked for."""


class NotePageUnknownError(AppError):
    """`page`: the source does not have it; `pages`: how many it has, empty if none."""


class PassageUnknownError(AppError):
    """`passage`: the id asked for."""


class SessionDeletedError(AppError):
    """`session`: the id that a link names."""


class OriginalsRemovedError(AppError):
    """`path`: the file to which the messages of a session were exported."""


class NoActiveSessionError(AppError):
    """A command needs an active session, and there is none."""


class CitationsMissingError(AppError):
    """`session`: the title of one whose answers cite nothing."""


class FileUnreadableError(AppError):
    """`path` and `detail`."""


class DocumentError(AppError):
    """A file could not be read into the library; the report names it."""


class ReferenceFileError(DocumentError):
    """A file holds no references that can be read; `path`."""


class DocumentLinkError(DocumentError):
    """A link in a folder that leads out of it."""


class DocumentKindError(DocumentError):
    """Files of this kind cannot be read."""


class DocumentEncryptedError(DocumentError):
    """The document needs a password."""


class DocumentScannedError(DocumentError):
    """Its `pages` pages are images without text."""


class DocumentEmptyError(DocumentError):
    """The document has no text."""


class DocumentDamagedError(DocumentError):
    """The content is not what the file's name says."""


class DocumentReaderError(DocumentError):
    """The child process that reads documents failed, whatever the document; `detail`."""


class DocumentTooLargeError(DocumentError):
    """`limit`: how many megabytes the file, or the text in it, may have."""


class DocumentUnfoldsError(DocumentError):
    """A small file that needs more memory than is allowed, as a decompression bomb does."""


class DocumentTooSlowError(DocumentError):
    """Reading the document took longer than is allowed; `seconds`."""


class PictureUnopenedError(AppError):
    """A picture is damaged, or needs more memory or time than is allowed."""


class PictureTooSlowError(PictureUnopenedError):
    """It needs more time than is allowed; another time it may not."""

    key = PictureUnopenedError.key


class PictureTooLargeError(AppError):
    """A picture has too many bytes or pixels."""


class PicturesUnseenError(AppError):
    """The model does not see pictures; `model`: its name."""


class AttachmentKindError(AppError):
    """A file of this kind cannot be attached to a message."""


class DocumentTemporaryError(AppError):
    """A temporary session accepts no document, because the text of a document is stored."""


class OcrMissingError(AppError):
    """Nothing on this computer can read scanned pages."""


class OcrFailedError(AppError):
    """What reads scanned pages does not work, whatever the page; `detail`."""


class FileNotWrittenError(AppError):
    """`path` and `detail`."""


class UsageError(AppError):
    """Wrong usage of the command line; `detail`."""


class BenchmarksMissingError(AppError):
    """The benchmarks are part of the source tree, which an installed program does not have."""


class BoundariesMissingError(AppError):
    """What finds boundaries in a file is part of the source tree, too."""


class DisplayMissingError(AppError):
    """`names`: the benchmarks that need a window."""


class WindowUnavailableError(AppError):
    """Qt cannot show a window; `detail`: its own words."""


class ProfileNameError(UsageError):
    """`name`: it cannot be the name of a folder."""


class BaseUrlInvalidError(UsageError):
    """`variable`: the environment variable that holds no valid address."""
