"""English beats of the sections City and World."""

from flong.demo.grammar import Beat

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
