"""The server of the ORS SDK with one tool that answers at once. Prints its port, as the bench wants it."""

import json
import socket

from ors import Environment, Server, Split, TextBlock, ToolOutput, tool
from pydantic import BaseModel


class Said(BaseModel):
    message: str


class Echo(Environment):
    @classmethod
    def list_splits(cls):
        return [Split(name="train", type="train")]

    @classmethod
    def list_tasks(cls, split: str):
        return [{"id": "0"}]

    def get_prompt(self):
        return [TextBlock(text="Say something.")]

    @tool
    def echo(self, params: Said) -> ToolOutput:
        """Says it again."""
        return ToolOutput(blocks=[TextBlock(text=params.message)], reward=0.0, finished=False)


with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
print(json.dumps({"port": port}), flush=True)
Server([Echo]).run(host="127.0.0.1", port=port)
