"""Language of a text."""
# ruff: noqa: RUF001 - they are the letters of other scripts

import pytest
from py3langid.langid import classify

from flong.patterns import languages
from flong.patterns.languages import guess_language

TEXTS = {
    "en": "The rain that fell on the town this week has been the worst of the year, and the roads "
    "are closed. They have said that the school will open with the help of volunteers.",
    "de": "Der Regen in der Stadt ist nach Tagen vorbei, und das Wasser wird wieder niedriger. "
    "Die Schule ist nicht offen, auch der Bahnhof wird nach einer Woche noch geschlossen.",
    "fr": "La pluie est tombée dans les rues et les écoles sont fermées pour une semaine. "
    "Les habitants du village sont partis avec leurs voisins, mais les routes sont ouvertes.",
    "ru": "Вчера в городе весь день шёл сильный дождь, и жители остались дома. Это был самый "
    "дождливый день года, сообщили синоптики, которые обещают новые ливни.",
    "fa": "باران این هفته در شهر بارید و مدرسه ها بسته شد. مردم از این که راه ها بسته است "
    "ناراحت هستند و شهردار برای آن ها از تهران کمک خواست.",
    "ja": "昨日は一日中雨が降りました。町の人々は家にいて、学校も休みになりました。" * 3,
    "ko": "어제는 하루 종일 비가 내렸습니다. 마을 사람들은 집에 머물렀고 학교도 쉬었습니다. " * 3,
    "el": "Χθες έβρεχε όλη την ημέρα και οι κάτοικοι της πόλης έμειναν στα σπίτια τους. " * 2,
    "th": "เมื่อวานนี้ฝนตกทั้งวัน ชาวเมืองอยู่แต่ในบ้านและโรงเรียนก็ปิด " * 3,
}


@pytest.fixture
def no_model(monkeypatch):
    monkeypatch.setattr("py3langid.langid.classify", lambda text: ("asked", 0.0))


@pytest.mark.parametrize(("language", "text"), TEXTS.items())
@pytest.mark.usefixtures("no_model")
def test_the_model_is_not_used_for_clear_texts(language, text):
    assert guess_language(text) == language


@pytest.mark.parametrize(("language", "text"), TEXTS.items())
def test_the_model_agrees_on_clear_texts(language, text):
    assert classify(text[:300])[0] == language


@pytest.mark.parametrize(
    "text",
    [
        "Вчора в місті весь день ішов сильний дощ, і жителі залишилися вдома, повідомили усі.",
        "Вчера в града цял ден валя силен дъжд и жителите останаха у дома, съобщиха синоптиците.",
        "La loro storia non sarebbe andata persa, e così scrisse il libro «The story of the women "
        "that were with us and this is the end of it», che fu stampato a Roma in pochi giorni.",
        "De regen was voorbij of de straat was nog nat, en het was "
        "donker toen hij thuis was of weg.",
        "昨天下了一整天的雨，城里的居民都留在家里，学校也停课了，火车站关闭。" * 3,
    ],
)
@pytest.mark.usefixtures("no_model")
def test_the_model_is_used_for_doubtful_texts(text):
    assert guess_language(text) == "asked"


@pytest.mark.usefixtures("no_model")
def test_names_and_foreign_words_leave_no_doubt():
    text = f"{TEXTS['en']} {TEXTS['en']}"
    names = " Anna Bruno Carla Dario" * (len(text.split()) // 10)
    assert guess_language(f"{text} Agence des{names}") == "en"


def test_a_short_text_has_no_language():
    assert guess_language(TEXTS["en"][: languages._ENOUGH - 1]) is None
