"""Prose pages that resemble articles: hard negatives for the classifier."""

from dataclasses import dataclass
from datetime import UTC, datetime

from flong.demo.english import ENGLISH
from flong.demo.newsroom import DESK, Section
from flong.demo.stories import Assignment, StoryBlock, WrittenStory

_SINCE = datetime(2023, 2, 6, 9, 30, tzinfo=UTC)
_ABOUT = Section(
    key="about", name="About", language=ENGLISH, beats=(), kinds=("page",), staff=(DESK,)
)


@dataclass(frozen=True)
class Prose:
    """A prose page."""

    title: str
    """Heading."""
    text: str
    """Paragraphs, one per line; lines that begin with `#` are headings."""


PROSE = {
    "/about": Prose(
        "About us",
        """The Merrow Courier has appeared every day but two since the fourth of March 1871. The two days are still talked about: on the first the press room was under water, on the second the printers were at a wedding.
We are owned by our readers. Some nine thousand of them hold a share of ten pounds each, nobody holds more than forty, and once a year they meet in the corn exchange to tell us what we got wrong.
# What we stand for
We print what we can prove, we say how we know it, and we correct mistakes on the page where they were made. We do not pay for interviews and we do not let anybody read a story before it appears.
Our reporters live in the places they write about. If you see one of them in a queue, tell them what you think; they are used to it, and a good part of what you read here began that way.
# How we are paid
About two thirds of our income comes from subscribers, a quarter from advertisements and the rest from the printing works, which also makes the labels for half of the marmalade in the county.""",
    ),
    "/contact": Prose(
        "Contact",
        """The news desk is staffed from six in the morning until the last edition has gone, which is rarely before eleven at night. Write to desk@courier.example or come to the counter on Ropewalk Street, where there is a bell, a bench and usually a biscuit.
Letters to the editor should be shorter than two hundred words and must be signed. We read all of them, print about a dozen a week, and answer those that ask a question.
If you want to tell us something that others would rather keep quiet, use the grey letter box at the side entrance. It is emptied twice a day by one person, who has done so since 1998 and has never talked.
For subscriptions, delivery and lost papers, please call before noon. In the afternoon the same people are out delivering.""",
    ),
    "/privacy": Prose(
        "Privacy policy",
        """This policy explains which personal data we process when you visit our pages, for which purposes we do so, on which legal basis, and which rights you have. It was last revised in February of last year.
# Data we collect
When you open a page, our server records the address of the page, the time, the amount of data transferred and the type of your browser. Your network address is shortened before it is stored, so that it can no longer be traced to you, and all records are deleted after fourteen days.
If you create an account we store your name, your email address and the date of your registration. If you subscribe, our payment provider processes your bank details; we never see them in full.
# Cookies
We use three cookies that are needed for the pages to work. They remember whether you are signed in, which size of type you prefer, and whether you have closed the notice about cookies. With your consent we set a fourth one to count readers.
# Your rights
You have the right to learn which data we hold about you, to have them corrected or erased, to restrict their processing, and to receive a copy in a common format. You can withdraw your consent at any time with effect for the future, and you may complain to the supervisory authority of the county.""",
    ),
    "/terms": Prose(
        "Terms of use",
        """By using these pages you accept the following terms. If you do not accept them, the printed paper is available at some two hundred shops, where no terms apply beyond the usual courtesy.
Everything published here is protected by copyright. You may read it, print single copies for your own use, link to it and quote from it within the limits of the law. Copying whole articles, in particular by automatic means, requires our written consent.
Comments express the opinion of those who write them. We remove what is unlawful, insulting or advertising, and we may close a discussion when nothing new is being said, which as a rule is after the fortieth contribution.
We take care that what we publish is correct, but we cannot accept liability for decisions taken on the strength of it, with the exception of the tide tables, for which we have been liable since 1904.""",
    ),
    "/imprint": Prose(
        "Imprint",
        """Published by Merrow Courier Press Ltd, Ropewalk Street 14, Merrow. Registered in the county of Merrow under number 871. Managing editor: Ada Quillfeather. Responsible for advertisements: Drew Ashby-Lund.
Printed at the Old Harbour works on paper made from straw and old Couriers. Member of the Estuary Press Council, whose decisions we print in full whether we like them or not.""",
    ),
    "/subscribe": Prose(
        "Subscribe to the Courier",
        """Good reporting takes time, and somebody has to pay for the time. For one pound a week you can read everything we publish, on every device that you own, for as long as you like.
Subscribers also receive the Saturday magazine by post, may attend the annual meeting, and get a tenth off at the Fenn Brothers ferries. Students and apprentices pay half, and schools in the county pay nothing.
You can cancel by letter, by telephone or by telling the person who delivers your paper. No reason is needed, although we are always curious.""",
    ),
    "/jobs": Prose(
        "Work with us",
        """We are looking for a reporter for the city desk who can listen, count and spell, preferably in that order. You will cover meetings that nobody else goes to and find out why they matter.
The newsroom has thirty-one people, eleven nationalities and one working coffee machine. We train two apprentices a year in the press room, and we have taken on all of them since 2009.
Send a page about yourself and a page about something else to jobs@courier.example. We answer within two weeks.""",
    ),
    "/advertise": Prose(
        "Advertise in the Courier",
        """Some forty-four thousand people read the Courier every day, and nine out of ten of them live within an hour of the harbour. If you sell something they need, there is no shorter way to tell them.
A quarter page in the printed paper costs from three hundred pounds, a week in the column at the side of these pages from ninety. Small advertisements by private persons are free up to twelve words.
We do not accept advertisements that look like articles. We tried it once, in 1983, and the letters have not stopped since.""",
    ),
}
"""Prose pages by path."""


def prose_story(path: str) -> WrittenStory:
    """Return a prose page as a story.

    >>> prose_story("/about").entry.title
    'About us'
    """
    prose = PROSE[path]
    lines = prose.text.split("\n")
    blocks = tuple(
        StoryBlock("h2", (line[2:],)) if line.startswith("# ") else StoryBlock("p", (line,))
        for line in lines
    )
    entry = Assignment(
        seed=0,
        number=-2 * list(PROSE).index(path),
        section=_ABOUT,
        kind="page",
        author=DESK,
        published=_SINCE,
        title=prose.title,
        standfirst=lines[0],
        path=path,
        tag="About",
    )
    return WrittenStory(entry=entry, sheets=(blocks,))
