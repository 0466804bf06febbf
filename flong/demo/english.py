"""English vocabulary, and the beats of all sections."""

from flong.demo.grammar import Beat, Language

ENGLISH = Language(
    code="en",
    months=tuple(
        "January February March April May June July August September October November "
        "December".split()
    ),
    date="{day} {month} {year}",
    labels={
        "by": "By",
        "updated": "Updated",
        "related": "More on this",
        "most_read": "Most read",
        "comments": "comments",
        "tags": "Topics",
        "ad": "Advertisement",
        "letter": "The Morning Tide",
        "newsletter": "The day's stories in your inbox before seven, every morning but Sunday.",
        "bio": "{name} is {desk} of The Merrow Courier. Before that: eight years on the night desk, two on a trawler, and a prize for a series on lost letters. Tips are read, letters are answered, and calls before nine are taken with good grace.",
        "sign_up": "Sign up",
        "share": "Share",
        "print": "Print",
        "next": "Next page",
        "older": "Older",
        "newer": "Newer",
        "also": "Read next",
        "reply": "Reply",
    },
    rules={
        "first": tuple(
            "Nora Edwin Maud Tobias Greta Callum Ines Rufus Selma Piers Odette Hamish Lorna "
            "Desmond Freya Ambrose Beatrix Cormac Delia Fergus Imogen Jasper Kerensa Lionel "
            "Marguerite Niall Orla Percival Rhona Silas Tamsin Ursula Verity Wilfred".split()
        ),
        "last": tuple(
            "Halloran Pettifer Lindqvist Okafor Barnaby Tregear Marchetti Oyelaran Fennimore "
            "Castellan Drummond Vasquez Winterbourne Adeyemi Kessler Pengelly Rourke Sandoval "
            "Thackeray Ullman Varga Whitlock Yarrow Zielinski Ashdown Brightwell Carmody Dunleavy "
            "Eastlake Farrow Gilchrist Hathersage Ironside Jessop Kavanagh Loxley".split()
        ),
        "person": ("{first} {last}",),
        "place": (
            "Northgate",
            "Saltmarsh",
            "Kiln Row",
            "Old Harbour",
            "Fennside",
            "Tollgate",
            "Weir Hill",
            "Lanthorn",
            "Cobble Quay",
            "St Brannoc",
            "Chandlers End",
            "Upper Merrow",
        ),
        "town": (
            "Brinmouth",
            "Aldersey",
            "Port Ellis",
            "Carrow",
            "Westhaven",
            "Dunmere",
            "Ostrand",
            "Velmar",
            "Hallowick",
            "Tarn Bridge",
        ),
        "weekday": tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()),
        "season": ("spring", "summer", "autumn", "winter"),
        "month": (
            "January",
            "March",
            "May",
            "July",
            "September",
            "October",
            "November",
        ),
        "year": ("19{60-99}", "200{1-9}", "201{0-9}"),
        "money": ("£{2-94} million", "£{110-980},000", "£{1-9}.{1-9} million"),
        "share": ("{3-48} per cent", "about a third", "nearly half", "more than a quarter"),
        "when": (
            "on {weekday}",
            "late on {weekday}",
            "before dawn on {weekday}",
            "in {month}",
            "earlier this week",
        ),
        "witness": (
            "{person}, who has lived in {place} for {4-40} years",
            "{person}, a retired schoolteacher from {place}",
            "{person}, who runs a bakery on {street}",
            "{person}, {22-79}, a bus driver",
            "{person}, a nurse at {place} infirmary",
            "{person}, who studies at the college in {town}",
        ),
        "street": (
            "Ropewalk Street",
            "Mercer Lane",
            "Anchor Parade",
            "Tannery Road",
            "Bishop's Steps",
            "Lower Quay",
        ),
        "feeling": (
            "relieved",
            "furious",
            "not surprised",
            "cautiously hopeful",
            "tired of waiting",
            "proud of the neighbours",
        ),
        "paper": (
            "a {12-240}-page report",
            "minutes seen by the Courier",
            "figures released {when}",
            "a letter dated {2-28} {month}",
            "documents filed with the county",
            "an internal note",
        ),
        "reason": (
            "costs had risen by {share} since {year}",
            "the ground was wetter than the surveys had shown",
            "nobody had asked the people who live there",
            "two earlier attempts had failed",
            "the money had to be spent before {month}",
            "the rules had changed",
            "a supplier in {town} went out of business",
            "the figures no longer added up",
        ),
        "effect": (
            "at least {12-480} households",
            "{2-19} schools and a clinic",
            "shopkeepers along {street}",
            "commuters from {town}",
            "anyone born after {year}",
            "families with small children",
            "volunteers who give up their weekends",
        ),
        "quote": (
            "“We have waited since {year} for this, and we can wait another {month},” said {lead_last}.",
            "“People want to know what happens to {effect},” {second} said. “So far nobody has told them.”",
            "“If you had asked me in {month} I would have said no,” said {person} of {place}. “Now I am {feeling}.”",
            "“This is not about {money},” {lead_last} told reporters {when}. “It is about trust.”",
            "{second} was blunter: “There were {3-14} warnings, and {2-3} were read.”",
            "“My phone has not stopped,” said {witness}. “Everyone on {street} is {feeling}.”",
            "“You cannot do this by email,” {lead_last} said. “You have to go to {place} and look.”",
            "Asked whether it would happen again, {second_last} paused. “Ask me in {month},” came the answer.",
        ),
        "context": (
            "The question has been open since {year}, when {reason}.",
            "A similar plan in {town} was dropped after {2-9} months because {reason}.",
            "According to {paper}, {share} of those affected were never told.",
            "It follows a {season} in which {effect} had already been hit.",
            "Supporters point to {town}, where numbers rose by {share} within {2-5} years.",
            "The cost is put at {money}, {12-70} per cent more than expected.",
            "Until {year} the decision would have been taken in {town}; since then it has been made here.",
            "The last time it was tried, in {year}, {reason}.",
        ),
        "reaction": (
            "Not everyone agrees: {witness}, said {reason}.",
            "A petition against it had gathered {1-9},{100-999} names by {weekday} noon.",
            "Residents of {place} are {feeling}, and said so at a crowded hall on {street}.",
            "{second} called for an inquiry and said {effect} had been left out.",
            "A spokeswoman declined to comment on {paper}.",
            "In {town}, the news was met with a shrug.",
            "{witness}, said it would help {effect}, if it comes in time.",
        ),
        "close": (
            "A decision is expected by the end of {month}.",
            "The next hearing is on {2-28} {month} in {town}.",
            "Until then, {effect} will have to make do.",
            "{lead} will answer questions in {place} on {weekday} evening.",
            "The full text can be read at the library on {street}.",
            "The Courier will publish the figures as they come in.",
        ),
        "subhead": (
            "What happened in {place}",
            "The {money} question",
            "“Nobody asked us”",
            "Lessons from {town}",
            "A long {season}",
            "What comes next",
            "The view from {street}",
            "How it began in {year}",
        ),
        "item": (
            "{share} of those asked in {place} said they had heard of it for the first time",
            "{town} has spent {money} since {year}",
            "{effect} would be the first to notice",
            "it would take {2-9} years, and another {2-11} months for the paperwork",
            "{2-14} of {15-40} members have yet to make up their minds",
        ),
        "list_intro": (
            "What is known so far:",
            "The main points of {paper}:",
            "In short:",
        ),
        "caption": (
            "{place} on {weekday} morning, seen from {street}.",
            "{lead} at the meeting in {place}.",
            "Waiting on {street}: {witness}.",
            "The view across {place} towards the estuary in {month}.",
            "Work began in {town} in {year} and has not stopped since.",
            "{second}, photographed in {place} {when}.",
        ),
        "correction": (
            "This article was amended {when}: an earlier version gave the sum as {money}.",
            "Correction: the meeting took place in {town}, not in {place}, as an earlier version had it.",
        ),
        "update": (
            "In a statement sent after publication, {second} said that {reason} and promised a reply by {weekday}.",
            "Late {when}, the sum was corrected to {money}, after it emerged that {reason}.",
        ),
        "handle": (
            "{first}{60-99}",
            "Old{last}",
            "{first} from {town}",
            "{place}Resident",
            "{last}_{2-9}",
            "tidewatcher{10-99}",
        ),
        "comment": (
            "I have lived in {place} since {year} and I can tell you that {reason}. Nobody at the top listens.",
            "Well said. My brother in {town} went through the same thing, and it took {2-9} years to put right.",
            "With respect, {lead_last} has no idea. Walk down {street} on a {weekday} night and then write again.",
            "So that is where our {money} went. Thank you for nothing.",
            "Could the Courier please ask about {effect}? That is the real story here.",
            "@{handle} you said the same in {month}. You were wrong then as well, and I am {feeling}.",
            "I agree with {second_last} for once. It was {year} all over again, only with worse coffee.",
            "Does anybody know whether this also goes for {place}? The website says nothing.",
        ),
    },
)


TRANSPORT = Beat(
    tag="Transport",
    angles=(
        (
            "{body} backs {thing} for {where}",
            "After {2-9} hours of debate {where} gets its {sum} connection to the centre.",
            "{where} is to get {thing} after the {body} voted {7-14} to {2-6} {when} to spend {sum} on it",
        ),
        (
            "{where} loses {thing} until {month}",
            "Passengers will have to change at {place} while engineers look for the fault.",
            "Travellers from {where} face months of detours after {thing} was taken out of service {when}",
        ),
        (
            "Why {thing} is {14-55} minutes late",
            "The timetable is not to blame, says the engineer who measured every stop in {where}.",
            "For {share} of its passengers, {thing} has not arrived on time once since {month}",
        ),
    ),
    rules={
        "thing": (
            "tram line {2-9}",
            "a night ferry",
            "the number {11-89} bus",
            "a cable car",
            "the harbour tunnel",
            "a covered cycleway",
            "the branch line",
        ),
        "body": ("transport board", "city council", "Tide & Harbour Board", "county assembly"),
        "role": ("chief engineer", "head of planning", "councillor", "union secretary"),
        "fact": (
            "{thing} carries {2-38},{100-999} people on a working day, {share} of them to and from {where}.",
            "The stretch between {place} and {place} alone will cost {money}.",
            "Buses will replace it every {6-25} minutes, from {4-6} in the morning until midnight.",
            "The rails, laid in {year}, have worn by {3-19} millimetres more than the makers allow.",
            "Fares are to rise by {12-90} pence in {month}; children under {8-14} travel free.",
            "{lead}, the {role}, said the first vehicles had been ordered from a works in {town}.",
            "Engineers found cracks in {2-40} of {60-200} concrete sleepers near {street}.",
            "A trial in {month} cut the journey from {18-60} minutes to {9-17}.",
        ),
    },
)

HOUSING = Beat(
    tag="Housing",
    angles=(
        (
            "{number} homes planned for {thing}",
            "Half of them would be let at rents that a nurse can pay, the {body} promises.",
            "{number} homes are to be built on {thing} in {where}, the {body} said {when}",
        ),
        (
            "Tenants of {where} win back {thing}",
            "A court finds that the lease signed in {year} still binds the owners.",
            "Tenants in {where} may stay, a court in {town} ruled {when}, and {thing} must be handed back",
        ),
        (
            "Rents in {where} rise by {7-29} per cent",
            "Families leave for {there}, and {thing} stands empty.",
            "The average rent in {where} has risen by {share} in a year, according to the {body}",
        ),
    ),
    rules={
        "thing": (
            "the old gasworks",
            "the customs house",
            "the former cannery",
            "the sugar wharf",
            "the barracks field",
            "the rope factory",
            "the goods yard",
        ),
        "number": ("{2-9}{10-99}", "{40-99}"),
        "body": ("housing trust", "planning committee", "land court", "tenants' union"),
        "role": ("architect", "chair of the trust", "planning officer", "tenants' spokesman"),
        "fact": (
            "The plan foresees {2-7} storeys along {street} and a courtyard with {12-80} trees.",
            "A two-room flat would cost £{480-990} a month, against £{1010-1900} on the open market.",
            "The ground below {thing} holds tar and lead; cleaning it takes {5-20} months and {money}.",
            "{share} of the flats are to be fit for wheelchairs, {lead}, the {role}, said.",
            "There are {1-8},{100-999} names on the waiting list, some of them since {year}.",
            "Every third household in {where} spends more than half of its income on rent.",
            "The owners, a company registered in {town}, bought the site for {money} in {year}.",
            "Bats were found in {2-9} of the roofs, so nothing may be torn down before {month}.",
        ),
    },
)

STORM = Beat(
    tag="Weather",
    angles=(
        (
            "Storm {name} tears roofs off in {where}",
            "{number} people spend the night in school halls; ferries stay in harbour.",
            "Storm {name} reached the coast {when} with gusts of {98-160} kilometres an hour and took the roofs off {12-90} houses in {where}",
        ),
        (
            "{where} counts the cost of {thing}",
            "The water is going down, the bills are not: the {body} speaks of {sum}.",
            "A week after {thing}, the {body} has put the damage in {where} at {sum}",
        ),
        (
            "How {there} learned to live with {thing}",
            "Higher doorsteps, a siren and {number} volunteers: what a small town did after {year}.",
            "When {thing} comes, {there} has {20-90} minutes, and by now everybody there knows what to do with them",
        ),
    ),
    rules={
        "thing": (
            "the spring flood",
            "the great hail",
            "the landslide",
            "the drought",
            "the breach of the dyke",
            "the forest fires",
        ),
        "name": ("Agnes", "Boris", "Clementine", "Dorian", "Edda", "Florian", "Gudrun", "Hektor"),
        "number": ("{2-9}{10-99}", "1,{100-900}"),
        "body": (
            "civil protection office",
            "river authority",
            "Ministry of the Interior",
            "Red Cross",
        ),
        "role": ("duty officer", "hydrologist", "mayor", "fire chief"),
        "fact": (
            "The gauge at {where} stood at {4-9}.{10-99} metres, the highest since {year}.",
            "Power failed in {8-60},000 homes and came back street by street over {2-5} days.",
            "Fire crews from {town} and {town} pumped out {40-400} cellars.",
            "Between {weekday} and {weekday}, {60-210} millimetres of rain fell, as much as in a whole {month}.",
            "{lead}, the {role}, asked people to stay away from the river and to look after their neighbours.",
            "The road to {town} is blocked by {3-40} fallen trees; the railway hopes to run again by {weekday}.",
            "Farmers lost {share} of the harvest and {20-300} sheep.",
            "Forecasters see the wind easing {when}, with more rain to follow.",
        ),
    },
)

ELECTION = Beat(
    tag="Elections",
    angles=(
        (
            "{country} votes on {thing}",
            "Polls have never been closer: {share} have yet to decide.",
            "{1-9}.{1-9} million people in {country} are called to vote {when} on {thing}",
        ),
        (
            "{lead} forms government in {country}",
            "Three parties, {10-18} ministers and one promise: {thing}.",
            "{lead} has been sworn in as prime minister of {country} {when}, {20-140} days after the election",
        ),
        (
            "{country} and {country2} end quarrel over {thing}",
            "A treaty of {9-80} pages, signed in {there}, comes into force in {month}.",
            "{country} and {country2} have settled their dispute over {thing}, the {body} announced {when}",
        ),
    ),
    rules={
        "country": ("Arvonia", "Tessaly", "Corvane", "the Halden Isles", "Moravel", "Sundria"),
        "country2": ("Ostmark", "Karelund", "Belvane", "the Free Ports", "Lower Yssel"),
        "thing": (
            "a new constitution",
            "fishing rights",
            "the pension age",
            "the border railway",
            "compulsory service",
            "the water treaty",
            "a second chamber",
        ),
        "body": ("foreign ministry", "electoral commission", "constitutional court", "parliament"),
        "role": ("foreign minister", "opposition leader", "ambassador", "election observer"),
        "fact": (
            "Turnout was {52-88} per cent, the highest since {year}; in {town} ballot papers ran out.",
            "With {90-99} per cent of the votes counted, {lead_last}'s alliance had {101-160} of {240-300} seats.",
            "The {body} received {12-300} complaints and upheld {2-9}.",
            "{second}, the {role}, conceded shortly before midnight and wished the winner luck.",
            "The text needs a majority in {3-6} of {7-11} provinces, among them the coast around {town}.",
            "Observers from {8-30} countries spoke of an orderly day.",
            "Markets in {town} rose by {1-3}.{1-9} per cent on the news.",
            "Border posts will stay open {when}, and trains are to run every {2-6} hours.",
        ),
    },
)


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
