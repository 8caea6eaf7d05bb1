"""An environment of verifiers over the Labs API. Without verifiers it plays one short episode against the server."""

import asyncio

import whetstone_labs as labs

try:
    import verifiers as vf
    from datasets import Dataset

    MultiTurnEnv = vf.MultiTurnEnv
except ImportError:
    MultiTurnEnv = object


class WhetstoneEnv(MultiTurnEnv):
    async def setup_state(self, state):
        index = state["info"]["index"]
        state["episode"], state["taken"] = await asyncio.to_thread(labs.open_episode, index), 0
        return state

    async def env_response(self, messages, state, **_):
        last = messages[-1]
        said = last["content"] if isinstance(last, dict) else last.content
        taken = await asyncio.to_thread(labs.take_turn, state["episode"], state["taken"] + 1, said or "")
        state["taken"] += 1
        reply = [{"role": "user", "content": labs.answer(taken)}]
        if taken["episode_complete"]:
            state["final_env_response"] = reply  # The model is not asked again.
        return reply


async def reward(state, **_) -> float:
    """The final grade; an episode that the model left open is graded as it stands."""
    return await asyncio.to_thread(labs.end_episode, state["episode"])


def load_environment(count: int = 64, max_turns: int = 20):
    rows = [{"prompt": one, "info": {"index": i}} for i, one in enumerate(labs.prompts("train", count))]
    rubric = vf.Rubric(funcs=[reward])
    return WhetstoneEnv(dataset=Dataset.from_list(rows), rubric=rubric, max_turns=max_turns)


async def play() -> None:
    environment, state = WhetstoneEnv(), {"info": {"index": 0}}
    await environment.setup_state(state)
    for said in ["When did it happen, and how?", "I close the conversation."]:
        print(await environment.env_response([{"role": "assistant", "content": said}], state))
    print(await reward(state))


if __name__ == "__main__":
    asyncio.run(play())
