"""Downloads of recipes."""

import json

from flong.commands.inspect import write_recipe
from flong.inspector import Editor, Jobs, add_recipes, create_app
from flong.storage import Store
from tests.inspector.conftest import asking

SITE = "courier.example"


def test_recipes_are_for_editors(inspectors):
    url = inspectors("sqlite").database
    with Store.open(url) as store, Store.open(url) as writable:
        app = create_app(store, editor=Editor(store=writable, jobs=Jobs()))
        add_recipes(app, write_recipe)
        with asking(app) as client:
            path = f"/sites/{SITE}/recipe"
            assert client.get(f"{path}/json").status_code == 403
            client.get("/sites", params={"token": app.state.context.editor.token})
            assert f"{path}/scrapy" in client.get(f"/sites/{SITE}").text
            answer = client.get(f"{path}/json")
            assert answer.headers["content-disposition"] == 'attachment; filename="recipe.json"'
            [recipe] = json.loads(answer.text)["sites"]
            assert (recipe["site"], len(recipe["templates"]) > 0) == (SITE, True)
            refused = client.get(f"{path}/php", headers={"accept": "application/json"})
            assert (refused.status_code, "'php'" in refused.json()["detail"]) == (404, True)
            assert client.get("/sites/no.example/recipe/json").status_code == 404
