"""A rollout over OpenEnv, for a loop of your own. Unrun here: needs openenv-core."""

import os

from openenv.core.generic_client import GenericEnvClient

URL = os.environ.get("WHETSTONE_URL", "http://127.0.0.1:8080") + "/openenv"
if KEY := os.environ.get("WHETSTONE_KEY"):
    URL = URL.replace("://", f"://key:{KEY}@", 1)  # Its client sets no headers.


def rollout(policy, seed: int) -> float:
    """Plays one episode with `policy(observation) -> action`, and adds its rewards up."""
    with GenericEnvClient(base_url=URL).sync() as environment:
        result = environment.reset(collection="case-management", split="train", index=seed)
        total = 0.0
        while not result.done:
            result = environment.step(policy(result.observation))
            total += result.reward or 0.0
        return total


def hasty(observation: dict) -> dict:
    """A policy that decides without a question: it earns little."""
    call = {"name": "claim_status", "arguments": {"value": "approved"}}
    return {"message": "Your claim is approved.", "tool_calls": [call]}


if __name__ == "__main__":
    print([rollout(hasty, seed) for seed in range(4)])
