"""A verl interaction over the Labs API. Without verl it plays one short episode against the server."""

import asyncio
import json
import os
import urllib.request
from uuid import uuid4

try:
    from verl.interactions.base import BaseInteraction
except ImportError:
    BaseInteraction = object

URL = os.environ.get("WHETSTONE_URL", "http://127.0.0.1:8080")
KEY = os.environ.get("WHETSTONE_KEY", "")


def post(path: str, body: dict) -> dict:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"}
    request = urllib.request.Request(URL + "/api/v1" + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)


class WhetstoneInteraction(BaseInteraction):
    def __init__(self, config: dict | None = None):
        if BaseInteraction is not object:
            super().__init__(config or {})
        self.episodes = {}

    async def start_interaction(self, instance_id: str | None = None, index: int = 0, **_) -> str:
        body = {"collection_slug": "case-management", "split": "train", "index": index, "score_turns": True}
        created = await asyncio.to_thread(post, "/episodes", body)
        instance_id = instance_id or str(uuid4())
        self.episodes[instance_id] = [created["episode_id"], 0, 0.0]
        return instance_id

    async def generate_response(self, instance_id: str, messages: list[dict], **_):
        episode, turn, _ = self.episodes[instance_id]
        # The number makes a retry safe: a turn that was taken is answered from the store.
        body = {"turn": turn + 1, "messages": [{"role": "assistant", "content": messages[-1]["content"]}]}
        answer = await asyncio.to_thread(post, f"/episodes/{episode}/turns", body)
        self.episodes[instance_id] = [episode, turn + 1, answer["reward"]]
        return answer["episode_complete"], answer["observation"]["content"], answer["reward"], {}

    async def calculate_score(self, instance_id: str, **_) -> float:
        return self.episodes[instance_id][2]

    async def finalize_interaction(self, instance_id: str, **_) -> None:
        self.episodes.pop(instance_id, None)


if __name__ == "__main__":
    interaction = WhetstoneInteraction()
    instance = asyncio.run(interaction.start_interaction())
    question = {"role": "assistant", "content": "When did it happen, and how?"}
    print(asyncio.run(interaction.generate_response(instance, [question])))
