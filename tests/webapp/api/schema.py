"""What the API answers in any test, held against its description."""

from __future__ import annotations

from functools import cache

from flask import request
from jsonschema import Draft202012Validator, FormatChecker

from webapp.api.page import description
from webapp.api.requests import VERSION

JSON = "application/json"


class Conformance:
    """Looks at every response of an app's API, and notes what the description does not say."""

    def __init__(self, app):
        self.problems = []
        self.seen = set()  # (operation, status)
        app.after_request(self.check)

    def check(self, response):
        if request.path.startswith(f"{VERSION}/") and request.method not in ("HEAD", "OPTIONS"):
            where = f"{request.method} {request.path}: {response.status_code}"
            self.problems += [f"{where}: {why}" for why in self.faults(response)]
        return response

    def faults(self, response):
        if request.url_rule is None:  # no route: the form of errors holds all the same
            yield from told(validator("Error"), response.json)
            return
        path = described_path(request.url_rule.rule)
        responses = description()["paths"][path][request.method.lower()]["responses"]
        status = str(response.status_code)
        is_no_address = "\0" in request.path
        if status in ("400", "405", "413", "500") or is_no_address:  # of any server
            yield from told(validator("Error"), response.json)
            return
        if status not in responses:
            yield "this status is not described"
            return
        self.seen.add((f"{request.method} {path}", status))
        declared = resolved(responses[status])
        if "content" in declared:
            assert response.mimetype == JSON, response.mimetype
            yield from told(validator_of(path, request.method.lower(), status), response.json)
        elif response.data:
            yield "it has a body"
        missing = {name for name in declared["headers"] if name not in response.headers}
        if missing and status != "403":  # a request of another site is refused before it is counted
            yield f"without {missing}"


def described_path(rule):
    """A rule of Flask's as OpenAPI writes it."""
    return rule.removeprefix(VERSION).replace("<", "{").replace(">", "}")


def resolved(part):
    if "$ref" not in part:
        return part
    found = description()
    for name in part["$ref"].removeprefix("#/").split("/"):
        found = found[name]
    return found


@cache
def validator_of(path, method, status):
    responses = description()["paths"][path][method]["responses"]
    return schema_validator(resolved(responses[status])["content"][JSON]["schema"])


@cache
def validator(name):
    return schema_validator({"$ref": f"#/components/schemas/{name}"})


def schema_validator(schema):
    whole = {"components": description()["components"], **schema}
    return Draft202012Validator(whole, format_checker=FormatChecker())


def told(validator, document):
    for error in validator.iter_errors(document):
        yield f"{error.json_path}: {error.message}"[:500]
