"""The names that the program and the child that reads documents for it use."""

READ_FLAG = "--read-documents"
"""Starts the program as the child; the megabytes of memory it may take come behind."""

HEAD, PASSAGE, TAIL, ERROR, SYSTEM_ERROR = "head", "passage", "tail", "error", "system_error"
READER_FAILED = "document_reader_failed"

TOOK_TOO_MUCH_MEMORY = 77
TOOK_TOO_LONG = 78
"""What the child ends with."""
