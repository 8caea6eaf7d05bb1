"""OpenEnv's own server with an environment that answers at once. Prints its port, as the bench wants it."""

import json
import socket
from uuid import uuid4

import uvicorn
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State


class Said(Action):
    message: str


class Echoed(Observation):
    message: str = ""


class Echo(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self._state = State(episode_id=str(uuid4()), step_count=0)

    def reset(self, seed=None, episode_id=None, **kwargs):
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        return Echoed(message="ready", done=False, reward=0.0)

    def step(self, action, timeout_s=None, **kwargs):
        self._state.step_count += 1
        return Echoed(message=action.message, done=False, reward=0.0)

    @property
    def state(self):
        return self._state


app = create_app(Echo, Said, Echoed, env_name="echo", max_concurrent_envs=64)

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
print(json.dumps({"port": port}), flush=True)
uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")
