"""What can fail outside this program, in a form the user can act on.

An error has no words of its own: `key` and `values` are looked up in the texts (table `errors`) in
the language of whoever shows it. Values never hold a key, a prompt or an answer.
"""

from typing import ClassVar


class AppError(Exception):
    """Something outside this program failed and the user can act on it."""

    key: ClassVar[str]

    def __init__(self, **values: str | float) -> None:
        super().__init__(self.key, values)
        self.values = values


class LlmError(AppError):
    """A model could not answer."""


class ConnectionLostError(LlmError):
    """`where`: the endpoint's name."""

    key = "connection_lost"


class KeyMissingError(LlmError):
    key = "key_missing"


class KeyRejectedError(LlmError):
    key = "key_rejected"


class NotPermittedError(LlmError):
    key = "not_permitted"


class ModelUnknownError(LlmError):
    """`model`: its name."""

    key = "model_unknown"


class ModelBusyError(LlmError):
    """Too many requests (429); `seconds`: how long to wait, 0 where nobody said."""

    key = "model_busy"


class OverloadedError(LlmError):
    """The endpoint has too much to do (529)."""

    key = "overloaded"


class ServerFailedError(LlmError):
    """`status`: the HTTP status."""

    key = "server_failed"


class StreamBrokenError(LlmError):
    """The answer ended without a stop reason."""

    key = "stream_broken"


class RefusedError(LlmError):
    key = "refused"


class ToolLoopError(LlmError):
    """It went on calling tools although it had been told that there are no more calls."""

    key = "tool_loop"


class ContextTooLongError(LlmError):
    key = "context_too_long"


class RequestRejectedError(LlmError):
    """Any other 4xx; `status` and `detail`, the endpoint's own words."""

    key = "request_rejected"


class ReplyInvalidError(LlmError):
    """A structured reply that does not validate."""

    key = "reply_invalid"


class LocalModelError(LlmError):
    """The model file could not be served; `path` and `detail`."""

    key = "local_model"


class LocalRuntimeMissingError(LlmError):
    """The extra `local` is not installed."""

    key = "local_runtime_missing"


class EmbeddingFailedError(AppError):
    """The model of meanings gave no answer; keyword search works without it."""

    key = "embedding"


class StorageError(AppError):
    """The profile's database could not do what was asked; what is in memory stays there."""

    key = "storage"


class DatabaseTooNewError(StorageError):
    """`found`, `known`: schema versions."""

    key = "database_too_new"


class ArchiveTooNewError(DatabaseTooNewError):
    """A backup that is to be restored; `path`: which."""

    key = "archive_too_new"


class DatabaseDamagedError(StorageError):
    """`kept`: where the damaged file now lies; `saved`: how many messages were salvaged."""

    key = "database_damaged"


class DatabaseLockedError(StorageError):
    key = "database_locked"


class DatabaseReadOnlyError(StorageError):
    key = "database_read_only"


class DatabaseIsFolderError(StorageError):
    """`path`: where the database should be."""

    key = "database_is_folder"


class DataFolderIsFileError(StorageError):
    """`path`: what should be a folder, to put the data in."""

    key = "data_folder_is_file"


class DataUnreadableError(StorageError):
    """`path`: what nobody lets us read, the folder of the data or a file in it."""

    key = "data_unreadable"


class DiskFullError(StorageError):
    key = "disk_full"


class NotAnArchiveError(AppError):
    """`path`: what was to be restored."""

    key = "not_an_archive"


class ArchiveDamagedError(AppError):
    """`path`: what was to be restored."""

    key = "archive_damaged"


class BackupExistsError(AppError):
    """`path`: what would be written over."""

    key = "backup_exists"


class BackupBrokenError(AppError):
    """`path`: where the copy would be, had it been whole when it was read back."""

    key = "backup_broken"


class ProfileInUseError(AppError):
    """Another process owns the profile; `pid`: which."""

    key = "profile_in_use"


class ProfileInUseByCommandError(ProfileInUseError):
    """A command that has not ended yet owns it."""

    key = "profile_in_use_by_command"


class SettingsBrokenError(AppError):
    """The settings could not be read and were set aside; `kept`: where, `place`: what is wrong."""

    key = "settings_broken"


class SettingsNotSavedError(AppError):
    """`path` and `detail`."""

    key = "settings_not_saved"


class SessionUnknownError(AppError):
    """`session`: the id asked for."""

    key = "session_unknown"


class SecretNotKeptError(AppError):
    """What was to be remembered holds a key, a password or the number of a card."""

    key = "secret_not_kept"


class FactUnknownError(AppError):
    """`fact`: the id asked for."""

    key = "fact_unknown"


class SourceUnknownError(AppError):
    """`source`: the id asked for."""

    key = "source_unknown"


class PassageUnknownError(AppError):
    """`passage`: the id asked for."""

    key = "passage_unknown"


class SessionDeletedError(AppError):
    """`session`: the id that a link names."""

    key = "session_deleted"


class NoActiveSessionError(AppError):
    key = "no_active_session"


class FileUnreadableError(AppError):
    """`path` and `detail`."""

    key = "file_unreadable"


class DocumentError(AppError):
    """A file could not be read into the library; which one, its report says."""


class DocumentKindError(DocumentError):
    """Nothing here reads files of its kind."""

    key = "document_kind"


class DocumentEncryptedError(DocumentError):
    key = "document_encrypted"


class DocumentScannedError(DocumentError):
    """Its pages are pictures, `pages` of them, and no text lies behind them."""

    key = "document_scanned"


class DocumentEmptyError(DocumentError):
    key = "document_empty"


class DocumentDamagedError(DocumentError):
    key = "document_damaged"


class DocumentReaderError(DocumentError):
    """Our own program that reads documents failed, whatever the document is like; `detail`."""

    key = "document_reader_failed"


class DocumentTooLargeError(DocumentError):
    """`limit`: how many megabytes are allowed, of the file or of the text in it."""

    key = "document_too_large"


class DocumentUnfoldsError(DocumentError):
    """A small file that takes up more memory than there is for it: a bomb, or as good as one."""

    key = "document_unfolds"


class DocumentTooSlowError(DocumentError):
    """Reading it took longer than is allowed; `seconds`."""

    key = "document_too_slow"


class DocumentChangedError(DocumentError):
    """Somebody wrote into it while it was read."""

    key = "document_changed"


class FileNotWrittenError(AppError):
    """`path` and `detail`."""

    key = "file_not_written"


class UsageError(AppError):
    """Wrong usage of the command line; `detail`."""

    key = "usage"


class DisplayMissingError(AppError):
    """`names`: what would be measured in a window."""

    key = "display_missing"


class ProfileNameError(UsageError):
    """`name`: no folder can be called that."""

    key = "profile_name"


class BaseUrlInvalidError(UsageError):
    """`variable`: the environment variable that holds no address."""

    key = "base_url_invalid"
