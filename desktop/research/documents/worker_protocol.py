"""What the program and the child that reads documents for it call things."""

READ_FLAG = "--read-documents"
"""What the program is started with to be the child; the memory it may take comes behind."""

HEAD, BLOCK, TAIL, ERROR, SYSTEM_ERROR = "head", "block", "tail", "error", "system_error"

TOOK_TOO_MUCH_MEMORY = 77
TOOK_TOO_LONG = 78
"""What the child ends with."""
