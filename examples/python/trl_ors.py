"""GRPO with TRL on a Whetstone server, through the Open Reward Standard. Unrun here: needs `trl[openreward]`."""

import os

# The server, started with `--protocol ors`. The package openreward looks for its address in two variables.
URL = os.environ.get("WHETSTONE_URL", "http://127.0.0.1:8080")
os.environ.setdefault("OPENREWARD_API_URL", URL)
os.environ.setdefault("OPENREWARD_SESSION_URL", URL)

from trl import GRPOConfig, GRPOTrainer  # noqa: E402
from trl.experimental.openreward import OpenRewardSpec  # noqa: E402


def main() -> None:
    # Tasks, tools and rewards all come from the server: another collection needs another name here, and nothing else.
    key = os.environ.get("WHETSTONE_KEY")
    spec = OpenRewardSpec(URL, env_name="case-management", num_tasks=64, api_key=key)
    trainer = GRPOTrainer(
        model="Qwen/Qwen3-4B",
        args=GRPOConfig(output_dir="out", num_generations=8, max_tool_calling_iterations=20),
        train_dataset=spec.train_dataset,
        environment_factory=spec.environment_factory,
        reward_funcs=spec.reward_funcs,
    )
    trainer.train()


if __name__ == "__main__":
    main()
