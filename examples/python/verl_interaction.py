"""A verl interaction over the Labs API. Without verl it plays one short episode against the server."""

import asyncio

import whetstone_labs as labs

try:
    from verl.interactions.base import BaseInteraction
except ImportError:
    BaseInteraction = object


class WhetstoneInteraction(BaseInteraction):
    episodes: dict[str, list] = {}  # By instance: the episode, and how many turns it has.

    async def start_interaction(self, instance_id: str, index: int = 0, **_) -> str:
        self.episodes[instance_id] = [await asyncio.to_thread(labs.open_episode, index), 0]
        return instance_id

    async def generate_response(self, instance_id: str, messages: list[dict], **_):
        episode, turn = self.episodes[instance_id]
        said = next(one["content"] for one in reversed(messages) if one["role"] == "assistant")
        taken = await asyncio.to_thread(labs.take_turn, episode, turn + 1, said)
        self.episodes[instance_id][1] = turn + 1
        return taken["episode_complete"], labs.answer(taken), taken["reward"], {}

    async def calculate_score(self, instance_id: str, **_) -> float:
        return await asyncio.to_thread(labs.end_episode, self.episodes[instance_id][0])

    async def finalize_interaction(self, instance_id: str, **_) -> None:
        await asyncio.to_thread(labs.end_episode, self.episodes.pop(instance_id)[0])


def compute_score(data_source, solution_str, ground_truth, extra_info=None, **_) -> float:
    """verl's reward: the running grade of the last turn, by whichever name this version of verl hands it on."""
    extra = extra_info or {}
    scores = extra.get("turn_scores") or extra.get("rollout_reward_scores", {}).get("user_turn_rewards")
    return float(scores[-1]) if scores else 0.0


def rows(count: int = 64) -> list[dict]:
    """The training file: `pandas.DataFrame(rows()).to_parquet("train.parquet")`."""
    same = {"data_source": "whetstone", "reward_model": {"style": "rule", "ground_truth": ""}}
    tasks = [{"index": i, "interaction_kwargs": {"name": "whetstone", "index": i}} for i in range(count)]
    return [{**same, "prompt": p, "extra_info": t} for p, t in zip(labs.prompts("train", count), tasks)]


async def play() -> None:
    interaction = WhetstoneInteraction()
    await interaction.start_interaction("one")
    decision = '<call>{"name": "claim_status", "input": {"value": "approved"}}</call>'
    for said in ["When did it happen, and how?", f"I approve the claim. {decision}"]:
        print(await interaction.generate_response("one", [{"role": "assistant", "content": said}]))
    print(await interaction.calculate_score("one"))


if __name__ == "__main__":
    print(rows(1)[0]["prompt"][1]["content"].splitlines()[0])
    asyncio.run(play())
