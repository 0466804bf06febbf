"""German vocabulary and two beats."""

from flong.demo.grammar import Beat, Language

GERMAN = Language(
    code="de",
    months=tuple(
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
    ),
    date="{day}. {month} {year}",
    labels={
        "by": "Von",
        "updated": "Aktualisiert",
        "related": "Mehr zum Thema",
        "most_read": "Meistgelesen",
        "comments": "Kommentare",
        "tags": "Themen",
        "ad": "Anzeige",
        "letter": "Die Morgenflut",
        "newsletter": "Die Geschichten des Tages vor sieben Uhr im Postfach, täglich außer sonntags.",
        "bio": "{name} ist {desk} des Courier. Zuvor acht Jahre in der Nachtredaktion und zwei auf einem Kutter. Hinweise werden gelesen, Briefe beantwortet, Anrufe vor neun mit Fassung getragen.",
        "sign_up": "Anmelden",
        "share": "Teilen",
        "print": "Drucken",
        "next": "Nächste Seite",
        "older": "Ältere",
        "newer": "Neuere",
        "also": "Lesen Sie auch",
        "reply": "Antworten",
    },
    rules={
        "first": tuple(
            "Annika Bernd Carla Dietmar Elif Friederike Gerd Hanne Ilse Jörg Katrin Lothar "
            "Meike Norbert Özlem Petra Rüdiger Sabine Torsten Ulrike Volker Wiebke".split()
        ),
        "last": tuple(
            "Ahrens Böttcher Claasen Dreyer Eggers Freese Grünwald Hölscher Isensee Jürgens "
            "Köster Lührs Mählmann Niehaus Oltmanns Plöger Quast Röhrs Sönksen Thölke Uhlig "
            "Wübben Yıldırım Zöllner".split()
        ),
        "person": ("{first} {last}",),
        "place": (
            "Altenwerder",
            "Sankt Jürgen",
            "Moorfleth",
            "Deichhagen",
            "Neuhafen",
            "Kattrepel",
        ),
        "town": ("Oldenbrück", "Wiesmar", "Hohenfelde", "Lüttensee", "Brakenau", "Westerholm"),
        "weekday": tuple("Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split()),
        "month": ("Januar", "März", "Mai", "Juli", "September", "Oktober"),
        "year": ("19{60-99}", "201{0-9}"),
        "money": ("{2-94} Millionen Euro", "{110-980}.000 Euro", "{1-9},{1-9} Millionen Euro"),
        "share": ("{3-48} Prozent", "jeder {3-9}. Haushalt", "rund ein Drittel"),
        "when": ("am {weekday}", "am späten {weekday}abend", "in der Nacht zum {weekday}"),
        "street": ("der Reeperstraße", "dem Fischmarkt", "der Langen Brücke", "dem Kirchweg"),
        "witness": (
            "{person}, die seit {4-40} Jahren in {place} wohnt",
            "{person}, {22-79}, Busfahrer aus {town}",
            "{person}, Bäckerin in der Nähe von {place}",
        ),
        "reason": (
            "die Kosten seit {year} um {3-40} Prozent gestiegen seien",
            "der Boden nasser sei, als die Gutachten vermuten ließen",
            "niemand die Anwohner gefragt habe",
            "zwei frühere Versuche gescheitert seien",
        ),
        "quote": (
            "„Wir warten seit {year} darauf, da kommt es auf einen {month} nicht mehr an“, sagte {lead_last}.",
            "„Es geht nicht um {money}“, betonte {second}. „Es geht um Vertrauen.“",
            "„Bei mir steht das Telefon nicht mehr still“, sagte {witness}.",
            "„So etwas klärt man nicht per Mail“, meinte {lead_last}. „Da muss man nach {place} fahren und hinsehen.“",
        ),
        "context": (
            "Ein ähnlicher Plan in {town} war {year} aufgegeben worden, weil {reason}.",
            "Aus einem {12-90} Seiten langen Bericht geht hervor, dass {reason}.",
            "Zuletzt hatte man es {year} versucht, damals ohne Erfolg.",
            "In {town} stieg die Zahl binnen {2-5} Jahren um {3-40} Prozent.",
        ),
        "reaction": (
            "Kritik kam aus {place}: {witness}, wies darauf hin, dass {reason}.",
            "Bis {weekday} hatten {1-9}.{100-999} Menschen einen Aufruf dagegen unterschrieben.",
            "Eine Sprecherin wollte sich auf Anfrage nicht äußern.",
        ),
        "close": (
            "Mit einer Entscheidung wird bis Ende {month} gerechnet.",
            "Die nächste Sitzung ist für den {2-28}. {month} in {town} angesetzt.",
            "Bis dahin müssen sich die Menschen in {where} gedulden.",
        ),
        "caption": (
            "Blick von {street} auf {place} am {weekday}morgen.",
            "{lead} bei der Sitzung in {place}.",
        ),
        "correction": ("In einer früheren Fassung war die Summe mit {money} angegeben.",),
        "update": ("Nach Erscheinen dieses Artikels teilte {second} mit, dass {reason}.",),
        "handle": ("{first}{60-99}", "{last} aus {town}", "Deichgraf{10-99}"),
        "comment": (
            "Ich wohne seit {year} in {place} und kann nur sagen, dass niemand uns gefragt hat.",
            "Dafür sind also {money} da. Für die Schule in {town} reicht es dann wieder nicht.",
            "Guter Artikel, aber was ist mit {place}? Dazu steht hier kein Wort.",
        ),
    },
)

DEICH = Beat(
    tag="Küste",
    angles=(
        (
            "{where} bekommt {thing}",
            "Der Rat stimmt nach langer Debatte zu, gebaut wird ab {month}.",
            "{where} bekommt {thing}: Der Rat bewilligte {when} dafür {sum}",
        ),
        (
            "Streit um {thing} in {where}",
            "Anwohner klagen, die Verwaltung verweist auf das Gesetz.",
            "Vor dem Gericht in {there} wird seit {weekday} darüber verhandelt, ob {thing} in {where} bleiben darf",
        ),
    ),
    rules={
        "thing": (
            "ein neues Sperrwerk",
            "eine höhere Mole",
            "ein Schöpfwerk",
            "eine zweite Schleuse",
        ),
        "body": ("Deichverband",),
        "role": ("Deichgraf", "Baudezernentin", "Ratsherr", "Ingenieurin"),
        "fact": (
            "Der Deich bei {place} ist auf {2-9} Kilometern um {20-90} Zentimeter zu niedrig.",
            "Die Arbeiten sollen {8-30} Monate dauern und {money} kosten.",
            "{lead}, im Amt seit {year}, rechnet mit {20-90} Lastwagen am Tag.",
            "Bei der letzten Sturmflut stand das Wasser {3-7},{10-99} Meter über Normal.",
            "Das Land übernimmt {50-90} Prozent, den Rest tragen {4-19} Gemeinden gemeinsam.",
            "Die Fähre nach {town} fährt in dieser Zeit nur alle {2-4} Stunden.",
        ),
    },
)

SCHULE = Beat(
    tag="Bildung",
    angles=(
        (
            "{where} sucht {number} Lehrkräfte",
            "Zum neuen Schuljahr fällt vor allem Physik aus.",
            "An den Schulen in {where} fehlen zum Schuljahresbeginn {number} Lehrkräfte, wie das Amt {when} mitteilte",
        ),
        (
            "Wie {there} {thing} rettete",
            "{number} Freiwillige, ein alter Bus und ein Kuchenbasar.",
            "Vor zwei Jahren sollte {thing} in {there} schließen, nun gibt es eine Warteliste",
        ),
    ),
    rules={
        "thing": ("die Stadtbücherei", "die Musikschule", "das Freibad", "die Abendschule"),
        "number": ("{12-90}",),
        "body": ("Schulamt",),
        "role": ("Schulleiterin", "Elternsprecher", "Dezernent", "Bibliothekarin"),
        "fact": (
            "{lead} leitet das Haus seit {year} und kennt fast alle {200-900} Kinder beim Namen.",
            "Im vergangenen Jahr wurden {3-40}.{100-999} Bücher ausgeliehen, so viele wie nie.",
            "In {share} der Klassen sitzen mehr als {26-32} Schülerinnen und Schüler.",
            "Ein Zuschuss von {money} läuft im {month} aus.",
            "Das Dach stammt aus dem Jahr {year} und ist an {2-9} Stellen undicht.",
            "Aus {town} kommen {2-9} Aushilfen, die meisten für {8-20} Stunden in der Woche.",
        ),
    },
)
