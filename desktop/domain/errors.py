"""What can fail outside this program, in a form the user can act on.

An error has no words of its own: `key` and `values` are looked up in the texts (table `errors`) in
the language of whoever shows it. The key is the name of the class: KeyMissingError is
`key_missing`. Values never hold a key, a prompt or an answer.
"""

from typing import ClassVar


class AppError(Exception):
    """Something outside this program failed and the user can act on it."""

    key: ClassVar[str]

    def __init_subclass__(cls) -> None:
        if "key" not in vars(cls):
            name = cls.__name__.removesuffix("Error")
            cls.key = "".join(f"_{one.lower()}" if one.isupper() else one for one in name)[1:]

    def __init__(self, **values: str | float) -> None:
        super().__init__(self.key, values)
        self.values = values


class LlmError(AppError):
    """A model could not answer."""


class ConnectionLostError(LlmError):
    """`where`: the endpoint's name."""


class KeyMissingError(LlmError):
    """The endpoint asks for a key, and none is stored."""


class KeyRejectedError(LlmError):
    """The endpoint does not accept the key (401)."""


class NotPermittedError(LlmError):
    """The key may not use this model or feature (403)."""


class ModelUnknownError(LlmError):
    """`model`: its name."""


class ModelBusyError(LlmError):
    """Too many requests (429); `seconds`: how long to wait, 0 where nobody said."""


class OverloadedError(LlmError):
    """The endpoint has too much to do (529)."""


class ServerFailedError(LlmError):
    """`status`: the HTTP status."""


class StreamBrokenError(LlmError):
    """The answer ended without a stop reason."""


class RefusedError(LlmError):
    """The model declined to answer."""


class ToolLoopError(LlmError):
    """It went on calling tools although it had been told that there are no more calls."""


class ContextTooLongError(LlmError):
    """The request does not fit into the model's context."""


class RequestRejectedError(LlmError):
    """Any other 4xx; `status` and `detail`, the endpoint's own words."""


class ReplyInvalidError(LlmError):
    """A structured reply that does not validate."""


class LocalModelError(LlmError):
    """The model file could not be served; `path` and `detail`."""


class LocalRuntimeMissingError(LlmError):
    """The extra `local` is not installed."""


class EmbeddingFailedError(AppError):
    """The model of meanings gave no answer; keyword search works without it."""


class StorageError(AppError):
    """The profile's database could not do what was asked; what is in memory stays there."""


class DatabaseTooNewError(StorageError):
    """`found`, `known`: schema versions."""


class ArchiveTooNewError(DatabaseTooNewError):
    """A backup that is to be restored; `path`: which."""


class DatabaseDamagedError(StorageError):
    """`kept`: where the damaged file now lies; `saved`: how many messages were salvaged."""


class DatabaseLockedError(StorageError):
    """Another program holds a lock for too long."""


class DatabaseReadOnlyError(StorageError):
    """The file, its folder or its disk cannot be written."""


class DatabaseIsFolderError(StorageError):
    """`path`: where the database should be."""


class DataFolderIsFileError(StorageError):
    """`path`: what should be a folder, to put the data in."""


class DataUnreadableError(StorageError):
    """`path`: what nobody lets us read, the folder of the data or a file in it."""


class DiskFullError(StorageError):
    """The disk or the quota is full."""


class NotAnArchiveError(AppError):
    """`path`: what was to be restored."""


class ArchiveDamagedError(AppError):
    """`path`: what was to be restored."""


class BackupExistsError(AppError):
    """`path`: what would be written over."""


class BackupBrokenError(AppError):
    """`path`: where the copy would be, had it been whole when it was read back."""


class ProfileInUseError(AppError):
    """Another process owns the profile; `pid`: which."""


class ProfileInUseByCommandError(ProfileInUseError):
    """A command that has not ended yet owns it."""


class SettingsBrokenError(AppError):
    """The settings could not be read and were set aside; `kept`: where, `place`: what is wrong."""


class SettingsNotSavedError(AppError):
    """`path` and `detail`."""


class SessionUnknownError(AppError):
    """`session`: the id asked for."""


class SecretNotKeptError(AppError):
    """What was to be remembered holds a key, a password or the number of a card."""


class FactUnknownError(AppError):
    """`fact`: the id asked for."""


class SourceUnknownError(AppError):
    """`source`: the id asked for."""


class PassageUnknownError(AppError):
    """`passage`: the id asked for."""


class SessionDeletedError(AppError):
    """`session`: the id that a link names."""


class NoActiveSessionError(AppError):
    """A command needs an active session, and there is none."""


class FileUnreadableError(AppError):
    """`path` and `detail`."""


class DocumentError(AppError):
    """A file could not be read into the library; which one, its report says."""


class DocumentKindError(DocumentError):
    """Nothing here reads files of its kind."""


class DocumentEncryptedError(DocumentError):
    """It needs a password."""


class DocumentScannedError(DocumentError):
    """Its pages are pictures, `pages` of them, and no text lies behind them."""


class DocumentEmptyError(DocumentError):
    """It has no text."""


class DocumentDamagedError(DocumentError):
    """It cannot be read as what its name says."""


class DocumentReaderError(DocumentError):
    """Our own program that reads documents failed, whatever the document is like; `detail`."""


class DocumentTooLargeError(DocumentError):
    """`limit`: how many megabytes are allowed, of the file or of the text in it."""


class DocumentUnfoldsError(DocumentError):
    """A small file that takes up more memory than there is for it: a bomb, or as good as one."""


class DocumentTooSlowError(DocumentError):
    """Reading it took longer than is allowed; `seconds`."""


class DocumentChangedError(DocumentError):
    """Somebody wrote into it while it was read."""


class FileNotWrittenError(AppError):
    """`path` and `detail`."""


class UsageError(AppError):
    """Wrong usage of the command line; `detail`."""


class BenchmarksMissingError(AppError):
    """They are part of the source tree, and this is an installed program."""


class DisplayMissingError(AppError):
    """`names`: what would be measured in a window."""


class ProfileNameError(UsageError):
    """`name`: no folder can be called that."""


class BaseUrlInvalidError(UsageError):
    """`variable`: the environment variable that holds no address."""
