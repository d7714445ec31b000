"""The description of the API, its routes and its page say the same."""

import json
import re
import shlex
import subprocess
import sys
from string import Template
from threading import Thread
from urllib.parse import urlsplit

import pytest
from jsonschema import Draft202012Validator
from markupsafe import escape
from werkzeug.serving import make_server

from tests.documented import write
from tests.webapp.api.schema import described_path
from tests.webapp.api.script import Script
from tests.webapp.bots.program import Program
from webapp.api.page import METHODS, ApiPage, description
from webapp.api.requests import VERSION
from webapp.bots.admission import server_code

OPERATIONS = {
    (method, path): operation
    for path, methods in description()["paths"].items()
    for method, operation in methods.items()
    if method in METHODS
}


def references(part):
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        for each in part.values():
            yield from references(each)
    elif isinstance(part, list):
        for each in part:
            yield from references(each)


def test_every_route_is_described_and_every_description_has_a_route(app):
    routes = {
        (method.lower(), described_path(rule.rule))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(f"{VERSION}/")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert routes == set(OPERATIONS)
    assert description()["servers"] == [{"url": VERSION}]


def test_nothing_else_answers_below_api(app):
    rules = [rule.rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/")]
    assert rules
    assert [rule for rule in rules if not rule.startswith(f"{VERSION}/")] == []


def test_the_description_is_whole(app):
    found = app.test_client().get(f"{VERSION}/openapi.json").json
    assert found == description()
    assert found["openapi"].startswith("3.1.")
    used = set(references(found))
    for reference in used:
        part = found
        for name in reference.removeprefix("#/").split("/"):
            part = part[name]
    for kind, parts in found["components"].items():
        if kind in ("schemas", "responses", "parameters", "headers"):
            assert {f"#/components/{kind}/{name}" for name in parts} - used == set()
    for schema in found["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    ids = [operation["operationId"] for operation in OPERATIONS.values()]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_an_operation_names_its_parameters_its_body_and_who_may_ask(method, path):
    operation = OPERATIONS[method, path]
    declared = re.findall(r"{(\w+)}", path)
    shared = list(references(description()["paths"][path].get("parameters", [])))
    assert len(shared) == len(declared)
    assert operation["tags"][0] in [tag["name"] for tag in description()["tags"]]
    for each in operation["security"]:
        assert set(each) <= set(description()["components"]["securitySchemes"])
    assert ("401" in operation["responses"]) == bool(operation["security"])
    if "requestBody" in operation:
        sent = operation["requestBody"]["content"]["application/json"]
        whole = {"components": description()["components"], **sent["schema"]}
        Draft202012Validator(whole).validate(sent["example"])


def test_the_page_has_an_example_of_each_that_works(app):
    """What the page shows for a shell, sent: every one is answered as described."""
    page = app.test_client().get("/api").text
    operations = list(ApiPage(description(), "http://localhost").operations())
    assert len(operations) == len(OPERATIONS)
    script, bot = Script(app), Program(app)
    match = script.post("/matches").json["id"]
    bot.practises("quixo")
    code = server_code(app.secret_key)
    names = {"MATCH_ID": match, "BOT_ID": bot.id}
    for operation in operations:
        assert escape(operation.curl) in page
        of_bot = operation.document["tags"] == ["bots"]
        names["TOKEN"] = bot.token if of_bot else script.token
        names["TURN_ID"] = bot.turn()["turn"]
        line = Template(operation.curl).substitute(names)
        answer = sent(app, line.replace("KXWQ", code))
        wanted = next(iter(operation.document["responses"]))
        assert answer.status_code == int(wanted), (operation.id, answer.text)


def sent(app, line):
    """The request of a line of curl."""
    words = shlex.split(line.replace("\\\n", " "))
    assert words[0] == "curl"
    url = urlsplit(words[-1])
    headers, method, data = {}, "GET", None
    for option, value in zip(words[1:-1:2], words[2:-1:2], strict=True):
        if option == "-H":
            name, _, text = value.partition(": ")
            headers[name] = text
        elif option == "-X":
            method = value
        else:
            assert option == "-d"
            data = value
            json.loads(data)
    client = app.test_client(use_cookies=False)
    path = f"{url.path}?{url.query}" if url.query else url.path
    return client.open(path, method=method, headers=headers, data=data)


def test_the_page_leads_to_the_tokens_and_is_led_to_from_every_page(visitor):
    assert 'href="/matches#tokens"' in visitor.get("/api").text
    assert 'href="/api"' in visitor.get("/").text


@pytest.mark.slow
def test_the_script_of_the_documentation_plays_to_the_end(app, tmp_path):
    write("api.md", tmp_path)
    server = make_server("127.0.0.1", 0, app)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        site = f"http://127.0.0.1:{server.port}"
        command = [sys.executable, "-I", str(tmp_path / "play.py"), site, Script(app).token]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    finally:
        server.shutdown()
        server.server_close()
    assert (done.returncode, done.stderr) == (0, "")
    result, _, url = done.stdout.strip().rpartition(" ")
    assert result == "second wins: last object"  # who takes from the first heap always, loses
    assert url.startswith(f"{site}/matches/")
