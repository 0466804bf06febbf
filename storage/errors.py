"""Storage exceptions; str(error) is a message for the user.

StorageError
├── UnreadableDatabase   no access to the database, or it is damaged
├── MissingDatabase      no database at this URL
├── NewerDatabase        written by a later version of flong
├── OccupiedDatabase     the target of a copy has rows
├── DifferentCopy        the copy differs from its source
├── BusyDatabase         locked by another process for too long
├── SlowQuery            the query took longer than allowed
├── FullDisk             no space left on the disk
├── InvalidUrl           not the URL of a site
├── UnknownSite          no site of this name or URL
├── UnknownPage          no page of this URL
├── UnknownClipping      no clipping of this name
├── UnknownCorrection    no correction of this id
├── FleetError           the fleet is not set up for this
└── LockedSite           another process works on this site
"""


class StorageError(Exception):
    """Base class of storage exceptions."""


class UnreadableDatabase(StorageError):
    """The database cannot be opened, or its content cannot be read."""


class MissingDatabase(StorageError):
    """The URL has no database, or an empty one."""


class NewerDatabase(StorageError):
    """A later version of flong wrote the database."""


class OccupiedDatabase(StorageError):
    """The target of a copy has rows."""


class DifferentCopy(StorageError):
    """The copy of a database differs from its source."""


class BusyDatabase(StorageError):
    """Another process locked the database for too long."""


class SlowQuery(StorageError):
    """A query took longer than allowed."""


class FullDisk(StorageError):
    """The disk has no space left."""


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
    """The fleet is not set up for this."""
