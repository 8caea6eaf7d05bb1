"""GRPO with TRL on a Whetstone server, through the Open Reward Standard. Unrun here: needs trl and openreward."""

import os

from datasets import Dataset
from openreward import EnvironmentsAPI
from trl import GRPOConfig, GRPOTrainer

URL = os.environ.get("WHETSTONE_URL", "http://127.0.0.1:8080") + "/ors"
ENVIRONMENT = "case-management"


class Claim:
    """One episode: each public method is a tool, and the reward is known when the episode has ended."""

    def __init__(self):
        self.api = EnvironmentsAPI(base_url=URL, api_key=os.environ.get("WHETSTONE_KEY", ""))
        self.session = None
        self.reward = 0.0

    def reset(self, index: int = 0, **_):
        if self.session is not None:
            self.session.__exit__(None, None, None)
        self.reward = 0.0
        self.session = self.api.get(ENVIRONMENT).session(split="train", index=index).__enter__()
        return "\n".join(block.text for block in self.session.get_prompt())

    def _call(self, name: str, **input):
        output = self.session.call_tool(name, input)
        if output.reward is not None:
            self.reward = output.reward
        return "\n".join(block.text for block in output.blocks)

    def say(self, message: str) -> str:
        """Say something to the person.

        Args:
            message: What to say."""
        return self._call("say", message=message)

    def claim_status(self, value: str) -> str:
        """Decide the claim: approved, denied or pending_info.

        Args:
            value: The decision."""
        return self._call("claim_status", value=value)


if __name__ == "__main__":
    rows = [{"prompt": [{"role": "user", "content": "Handle the claim."}], "index": index} for index in range(64)]
    trainer = GRPOTrainer(
        model="Qwen/Qwen3-0.6B",
        args=GRPOConfig(output_dir="out", num_generations=8),
        train_dataset=Dataset.from_list(rows),
        reward_funcs=lambda environments, **_: [environment.reward for environment in environments],
        environment_factory=Claim,
    )
    trainer.train()
