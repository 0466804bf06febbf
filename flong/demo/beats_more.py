"""English beats of the sections Business, Science, Sport and Opinion."""

from flong.demo.grammar import Beat

COMPANIES = Beat(
    tag="Companies",
    angles=(
        (
            "{body} to cut {number} jobs in {where}",
            "The maker of {thing} blames dear energy; the union speaks of a broken promise.",
            "{body}, which makes {thing}, will close its works in {where} and cut {number} jobs, it said {when}",
        ),
        (
            "{body} doubles profit on {thing}",
            "Orders from {there} fill the books until {month}.",
            "{body} earned {sum} in the last quarter, twice as much as a year ago, thanks to {thing}",
        ),
        (
            "The {lead_last}s bet everything on {thing}",
            "For four generations the {lead_last}s built ships. Now {body} builds something smaller.",
            "When {lead} took over {body} in {year}, nobody in {where} had heard of {thing}",
        ),
    ),
    rules={
        "thing": (
            "heat pumps",
            "oat biscuits",
            "hearing aids",
            "sailcloth",
            "bicycle gears",
            "glass bottles",
            "tidal turbines",
            "electric vans",
        ),
        "body": (
            "Kettle & Daughters",
            "Brannoc Industries",
            "Northlight plc",
            "Fenn Brothers",
            "Estuary Works",
            "Marlow-Hede",
        ),
        "number": ("{2-9}{10-99}", "{30-99}"),
        "role": ("chief executive", "finance director", "shop steward", "analyst"),
        "fact": (
            "Sales rose by {share} to {money}, costs by {share}.",
            "The shares gained {2-19} pence in early trading and were at {120-880} by noon.",
            "{lead}, the {role}, owns {6-70} per cent; the rest is held by funds in {town}.",
            "The works in {where} has {80-900} employees, {20-70} of them apprentices.",
            "A tonne of steel costs £{380-900}, which is {share} more than in {year}.",
            "Last year {body} sold {10-480},000 units of {thing}, most of them to {town}.",
            "The R&D department will move into a hall on {street} that stood empty since {year}.",
            "Banks have extended credit lines of {money} until {month}.",
        ),
    },
)

RESEARCH = Beat(
    tag="Research",
    angles=(
        (
            "What {thing} near {where} tell us about {subject}",
            "A team from {there} listened for {2-9} years. The answer was not what anyone expected.",
            "For {2-9} years {lead} has got up at four in the morning to count {thing}, and now the numbers speak",
        ),
        (
            "{thing} return to the estuary after {40-120} years",
            "Cleaner water and a stubborn biologist brought them back to {where}.",
            "{thing} have been seen near {where} for the first time since 19{02-60}, researchers of the {body} report",
        ),
        (
            "{second_last} and the quiet science of {subject}",
            "In a cellar below {where}, {second} measures what others only guess.",
            "The instrument with which {second} studies {subject} weighs less than a letter and cost {sum}",
        ),
    ),
    rules={
        "thing": (
            "sea asters",
            "eels",
            "lichens",
            "grey seals",
            "mason bees",
            "curlews",
            "native oysters",
            "tree rings",
        ),
        "subject": ("sleep", "rain", "old age", "memory", "salt", "the tides", "silence", "hunger"),
        "body": ("Marine Station", "Royal Institute", "university observatory", "Museum of Nature"),
        "role": ("biologist", "physicist", "curator", "head of the study"),
        "fact": (
            "The study, which covers {120-980} sites and {3-30} years, appeared {when}.",
            "In {share} of the samples the team found traces of copper, in {share} none at all.",
            "{lead}, the {role}, had expected a fall; instead the number rose from {20-90} to {100-400}.",
            "The probes were taken at a depth of {4-60} metres off {town}, always at slack water.",
            "The effect is small, about {2-9} per cent, yet it shows up in every year since {year}.",
            "A second laboratory in {town} has repeated the measurement with the same result.",
            "The grant of {money} runs until {month}; {2-5} doctoral students are paid from it.",
            "At {2-19} degrees the reaction stops, and at {20-38} it starts again within {2-50} seconds.",
        ),
    },
)

MATCH = Beat(
    tag="Football",
    angles=(
        (
            "{club} {2-5}–{0-1} {rival}: {lead_last} settles it",
            "Two goals after the break send {where} into song.",
            "{lead} scored twice as {club} beat {rival} {when} in front of {4-38},{100-999} at {where}",
        ),
        (
            "{club} held by {rival} as {second_last} strikes late",
            "A late penalty costs the leaders two points at {where}.",
            "{club} had to settle for {1-3}-all against {rival} {when} after {second} converted a penalty in the {85-90}th minute",
        ),
        (
            "{lead_last} leaves {club} for {rival}",
            "The captain played {120-390} games; the fee is said to be {sum}.",
            "{lead}, captain of {club}, is to join {rival} in {month} for {sum}",
        ),
    ),
    rules={
        "club": ("Merrow Athletic", "Harbour Rovers", "Northgate United", "Merrow Ladies"),
        "rival": (
            "Brinmouth Town",
            "Carrow Albion",
            "Velmar 04",
            "Dunmere Wanderers",
            "Port Ellis",
        ),
        "thing": ("the cup", "the derby", "promotion"),
        "body": ("league", "football association", "supporters' trust"),
        "role": ("goalkeeper", "coach", "winger", "captain"),
        "fact": (
            "The first chance came after {3-19} minutes, when {second_last} hit the bar from {18-30} yards.",
            "{club} had {51-74} per cent of the ball and {8-24} shots, {rival} {2-7}.",
            "In the {46-80}th minute {lead_last} turned two defenders and placed the ball low to the left.",
            "The referee looked at the pictures for {2-6} minutes and stayed with his decision.",
            "It was the {4-9}th game in a row without defeat, a run last seen in {year}.",
            "{rival} lost their {role} to a torn muscle shortly before the break.",
            "With {38-79} points {club} stay {2-5} clear of {town}, who have a game in hand.",
            "Supporters sang until long after the whistle, and then all the way down {street}.",
        ),
        "context": (
            "The two sides had met {20-90} times before; {club} won {5-40} of those games.",
            "Next {weekday} the road leads to {town}, where nobody has won since {month}.",
            "The {body} is still looking into the events of {month}.",
            "In {year} the club was {money} in debt and trained on a car park in {place}.",
        ),
    },
)

COLUMN = Beat(
    tag="Comment",
    angles=(
        (
            "{where}, or in praise of {thing}",
            "It is slow, it is dear, and we would miss it.",
            "I was wrong about {thing}, and it took a wet {weekday} in {where} to teach me",
        ),
        (
            "{thing} will not save {where}",
            "We keep buying answers before we have agreed on the question.",
            "Every few years somebody discovers {thing} and tells {where} that everything will now be different",
        ),
        (
            "What {second_last} said about {thing}",
            "A small defence of something that has no friends left.",
            "At dinner the other {weekday} I said something kind about {thing}, and the table went quiet",
        ),
    ),
    rules={
        "thing": (
            "the parish newsletter",
            "small change",
            "the slow train",
            "night schools",
            "the four-day week",
            "public benches",
            "the landline",
            "local history",
            "the allotment",
            "bad weather",
            "the brass band",
            "long lunches",
            "handwriting",
            "the corner shop",
            "fog",
            "lost property",
            "the town crier",
            "second-hand books",
            "queueing",
        ),
        "body": ("council",),
        "role": ("neighbour",),
        "fact": (
            "My grandmother, who kept a shop on {street}, gave credit to half of {place} and lost {2-19} pounds by it in {20-50} years.",
            "I do not say that {year} was better; I was there, and it was colder.",
            "Consider {town}: {share} of its people use it, and nobody there calls it a miracle.",
            "There is a number for this, of course, and the number is {share}, and it tells us nothing.",
            "What we lose when it goes is not {money} but a reason to say good morning.",
            "The argument against it is always that {reason}, as though that had ever stopped us.",
            "A friend in {town} tells me that {effect} would be lost without it.",
            "I walked from {place} to {street} to see for myself, and met {3-14} people who disagreed with me.",
        ),
        "quote": (
            "“You write as if you had to pay for it,” a reader from {place} told me. I do.",
            "“Nobody needs it,” the man from the {body} said, and looked at his watch, which nobody needs.",
            "“Try living without it until {month},” said {second}, and I have.",
        ),
        "context": (
            "We have been here before, in {year}, when {reason}.",
            "I have read {paper} so that you need not; on page {12-90} it says that {reason}.",
            "The clever answer is to measure it. {town} did, for {2-9} years, and then stopped.",
        ),
        "reaction": (
            "You may object that {effect} cannot wait. They have waited since {year}.",
            "Perhaps I am merely {feeling}; it has been a long {season}.",
        ),
        "close": (
            "I shall be on {street} on {weekday}, if you want to tell me that I am wrong.",
            "Leave it alone for one {season}. Then let us talk again.",
        ),
    },
)
