"""What can go wrong with the database, each told in one sentence.

StorageError
├── UnreadableDatabase   the file is missing its rights, is no database, or is damaged
├── NewerDatabase        a later version of the program wrote it
├── BusyDatabase         another process kept it locked for too long
├── FullDisk             there is no space left for it
├── InvalidAddress       the address is not one of a site
├── UnknownSite          no site of this name or address is stored
├── UnknownPage          no page of this address is stored
└── LockedSite           another process works on this site
"""


class StorageError(Exception):
    """Any failure of storing or reading; its text is a sentence for the user."""


class UnreadableDatabase(StorageError):
    """The database cannot be opened, or what is in it cannot be read."""


class NewerDatabase(StorageError):
    """The database has a schema that this version of the program does not know."""


class BusyDatabase(StorageError):
    """Another process kept the database locked for too long."""


class FullDisk(StorageError):
    """There is no space left to write to the database."""


class InvalidAddress(StorageError):
    """The address is not the http or https address of a site."""


class UnknownSite(StorageError):
    """No site of this name or address is stored."""


class UnknownPage(StorageError):
    """No page of this address is stored."""


class LockedSite(StorageError):
    """Another process works on this site."""
