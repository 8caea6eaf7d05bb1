"""Times the official graders on recorded episodes: `official-graders.py NAME CHECKOUT < lines`.

Reads what `whet benchmark score` reads, one line each, and prints {"milliseconds": [each line's], "rewards": [...]}.
Only what the official packages themselves do is timed; they must be installed in the Python that runs this.
"""

import json
import os
import sys
import time


def tau_bench(checkout):
    sys.path.insert(0, checkout)
    from tau_bench.envs import airline, retail  # noqa: F401
    from tau_bench.envs.airline.env import MockAirlineDomainEnv
    from tau_bench.envs.retail.env import MockRetailDomainEnv
    from tau_bench.types import Action

    environments = {
        "airline": MockAirlineDomainEnv(user_strategy="human", user_model="", task_split="test"),
        "retail": MockRetailDomainEnv(user_strategy="human", user_model="", task_split="test"),
    }

    def grade(line):
        env = environments[line["domain"]]
        env.task_index = line["task"]
        env.task = env.tasks[line["task"]]
        env.data = env.data_load_func()
        env.actions = []
        for message in line["messages"]:
            if message["role"] != "assistant":
                continue
            calls = message.get("tool_calls")
            if calls:
                call = calls[0]["function"]
                action = Action(name=call["name"], kwargs=json.loads(call["arguments"]))
                env.actions.append(action)
                if action.name in env.tools_map:
                    try:
                        env.tools_map[action.name].invoke(data=env.data, **action.kwargs)
                    except Exception:
                        pass
            elif message.get("content"):
                env.actions.append(Action(name="respond", kwargs={"content": message["content"]}))
        return env.calculate_reward().reward

    return grade


def tau2(checkout):
    sys.path.insert(0, checkout + "/src")
    from tau2.data_model.simulation import SimulationRun
    from tau2.data_model.tasks import Task
    from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation

    def grade(line):
        simulation = SimulationRun.model_validate(line["simulation"])
        solo = not any(message["role"] == "user" for message in line["messages"])
        task = Task.model_validate(line["task"])
        found = evaluate_simulation(
            simulation=simulation, task=task, evaluation_type=EvaluationType.ALL, solo_mode=solo, domain=line["domain"]
        )
        return found.reward

    return grade


def bfcl(checkout):
    sys.path.insert(0, checkout)
    from bfcl_eval.constants.enums import Language
    from bfcl_eval.eval_checker.ast_eval.ast_checker import ast_checker

    def grade(line):
        calls = [{call["name"]: call["arguments"]} for call in line["calls"]]
        found = ast_checker(
            line["function"], calls, line["possible_answer"], Language.PYTHON, line["category"], "none"
        )
        return 1 if found["valid"] else 0

    return grade


if __name__ == "__main__":
    name, checkout = sys.argv[1:]
    if not os.path.isdir(checkout):
        sys.exit(f"there is no folder {checkout}.")
    try:
        grade = {"tau-bench": tau_bench, "tau2": tau2, "bfcl": bfcl}[name](checkout)
    except ImportError as error:
        sys.exit(f"{checkout} is no checkout of {name}, or a package that it needs is not installed for {sys.executable}: {error}.")
    lines = [json.loads(line) for line in sys.stdin if line.strip()]
    milliseconds, rewards = [], []
    for line in lines:
        started = time.perf_counter()
        rewards.append(grade(line))
        milliseconds.append((time.perf_counter() - started) * 1000)
    print(json.dumps({"milliseconds": milliseconds, "rewards": rewards}))
