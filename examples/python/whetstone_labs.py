"""Episodes over the Labs API, by the standard library alone: what the examples for verl and verifiers share."""

import json
import os
import re
import urllib.error
import urllib.request

URL = os.environ.get("WHETSTONE_URL", "http://127.0.0.1:8080")
KEY = os.environ.get("WHETSTONE_KEY", "")
COLLECTION = "case-management"
CALL = re.compile(r"<call>(.*?)</call>", re.DOTALL)


def ask(method: str, path: str, body: dict | None = None) -> dict:
    headers = {"Content-Type": "application/json"}
    if KEY:
        headers["Authorization"] = f"Bearer {KEY}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=120) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"{method} {path} was refused with {error.code}: {error.read().decode()}") from error
    except urllib.error.URLError as error:
        raise RuntimeError(f"No answer from {URL}: {error.reason}. Is the server running there?") from error


def prompts(split: str = "train", count: int = 64) -> list[list[dict]]:
    """What the model reads first, for each of the first tasks of a split: how to call, then the case itself."""
    tasks = ask("POST", f"/ors/{COLLECTION}/task_range", {"split": split, "start": 0, "stop": count})["tasks"]
    return [prompt(task["scenario"], task["variant"]) for task in tasks]


def prompt(scenario: str, variant: int) -> list[dict]:
    task = ask("GET", f"/api/v1/catalog/{COLLECTION}/{scenario}?variant={variant}")
    tools = "\n".join(json.dumps(tool) for tool in task["tools"])
    how = 'Call a tool by writing <call>{"name": "its id", "input": {…}}</call> beside what you say. '
    how += 'A decision takes {"value": one of its options}.'
    opening = task["initial_observation"]["content"]
    return [{"role": "system", "content": f"{how}\n{tools}"}, {"role": "user", "content": opening}]


def open_episode(index: int, split: str = "train", group: str | None = None) -> str:
    body = {"collection_slug": COLLECTION, "split": split, "index": index, "score_turns": True}
    if group is not None:
        body["group"] = group
    return ask("POST", "/api/v1/episodes", body)["episode_id"]


def take_turn(episode: str, turn: int, text: str) -> dict:
    """The number makes a retry safe: a turn that was taken is answered from the store."""
    body = {"turn": turn, "messages": [{"role": "assistant", **read(text)}]}
    return ask("POST", f"/api/v1/episodes/{episode}/turns", body)


def end_episode(episode: str) -> float:
    """Grades it as it stands; one that has ended gives the same grade again."""
    return ask("DELETE", f"/api/v1/episodes/{episode}")["grade"]["reward"]


def read(text: str) -> dict:
    """Words and calls of what the model wrote, as the server takes them. What is no JSON stays words."""
    calls = []
    for written in CALL.findall(text):
        try:
            call = json.loads(written)
            json.dumps(call, allow_nan=False)
            if depth(call) > 50:
                continue
            calls.append({"name": str(call["name"])[:1000], "input": call.get("input", {})})
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue
        text = text.replace(f"<call>{written}</call>", "", 1)
    return {"content": text.strip()[:10_000], "tool_calls": calls}


def depth(value) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


def answer(taken: dict) -> str:
    """What the model reads next: what its functions answered, then what the person says."""
    results = [f"{result['name']}: {result['output']}" for result in taken.get("results", [])]
    return "\n".join([*results, taken["observation"]["content"]])
