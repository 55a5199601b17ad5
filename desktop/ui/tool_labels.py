"""What the tools of a model are called in the window."""

from PySide6.QtCore import QObject


class ToolWords(QObject):
    def name(self, tool: str) -> str:
        """A tool that has no name yet goes by its own."""
        names = {
            "memory_save": self.tr("Remember"),
            "memory_recall": self.tr("Search memory"),
            "memory_age": self.tr("Tidy memory"),
            "recall": self.tr("Search past sessions"),
            "library_search": self.tr("Search the library"),
            "library_read": self.tr("Read from the library"),
            "web_search": self.tr("Search the web"),
            "web_fetch": self.tr("Read a web page"),
            "calculator": self.tr("Calculate"),
            "date_time": self.tr("Date and time"),
            "session_statistics": self.tr("Session statistics"),
            "attachments": self.tr("Attached sessions"),
        }
        return names.get(tool, tool)
