"""What can go wrong with the database, each told in one sentence.

StorageError
├── UnreadableDatabase   the file is missing its rights, is no database, or is damaged
├── MissingDatabase      there is none, and it is not to be made
├── NewerDatabase        a later version of the program wrote it
├── OccupiedDatabase     there is something in it, and it is to be copied into
├── DifferentCopy        a copy is not what was copied
├── BusyDatabase         another process kept it locked for too long
├── SlowQuery            it did not answer within the time it was given
├── FullDisk             there is no space left for it
├── InvalidUrl           the URL is not one of a site
├── UnknownSite          no site of this name or URL is stored
├── UnknownPage          no page of this URL is stored
├── UnknownClipping      no clipping of this name is stored
├── UnknownCorrection    no correction of this id is stored
├── FleetError           many machines cannot work on it together
└── LockedSite           another process works on this site
"""


class StorageError(Exception):
    """Any failure of storing or reading; its text is a sentence for the user."""


class UnreadableDatabase(StorageError):
    """The database cannot be opened, or what is in it cannot be read."""


class MissingDatabase(StorageError):
    """There is no database at this URL, or an empty one."""


class NewerDatabase(StorageError):
    """The database has a schema that this version of the program does not know."""


class OccupiedDatabase(StorageError):
    """There is something in the database that another one is to be copied into."""


class DifferentCopy(StorageError):
    """A copy of a database is not what was copied."""


class BusyDatabase(StorageError):
    """Another process kept the database locked for too long."""


class SlowQuery(StorageError):
    """The database did not answer a question within the time that it was given."""


class FullDisk(StorageError):
    """There is no space left to write to the database."""


class InvalidUrl(StorageError):
    """The URL is not the http or https URL of a site."""


class UnknownSite(StorageError):
    """No site of this name or URL is stored."""


class UnknownPage(StorageError):
    """No page of this URL is stored."""


class UnknownClipping(StorageError):
    """No clipping of this name is stored."""


class UnknownCorrection(StorageError):
    """No correction of this id is stored."""


class LockedSite(StorageError):
    """Another process works on this site."""


class FleetError(StorageError):
    """A fleet cannot do what it was asked, for a reason that fits in one sentence."""
