import { parentPort } from 'node:worker_threads';

import { loadChecker } from '../../base/schema/check/check.ts';
import { evidenceFrom, type Lessons } from '../scenario/examples.ts';
import { playTurn } from '../play/play.ts';
import type { Task } from '../scenario/task.ts';
import { Recent } from '../../base/host/recent.ts';
import type { FromThread, ThreadWork, ToThread, WorkedOver } from './turn-thread.ts';
import { takeTurn, workTurn, type EpisodeAtHand, type TurnTexts } from './work-turn.ts';

// What runs in the thread of a `TurnThread`.
const tasks = new Map<number, Task>();
const lessons = new Map<number, Lessons>();
const episodes = new Recent<string, EpisodeAtHand & { readonly reachedBy: number }>(2000);

parentPort?.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'lessons':
      lessons.set(message.number, message.lessons);
      evidenceFrom(message.lessons);
      post({ kind: 'learnt', number: message.number });
      break;
    case 'task': {
      const learns = message.lessons === undefined ? undefined : lessons.get(message.lessons);
      tasks.set(message.number, { ...message.task, lessons: () => learns });
      break;
    }
    case 'forget':
      tasks.clear();
      lessons.clear();
      break;
    case 'work':
      post({ kind: 'worked', turns: (JSON.parse(message.works) as ThreadWork[]).map(answer) });
      break;
  }
});

await loadChecker(); // Nobody waits for the thread yet.

function post(message: FromThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window
  parentPort?.postMessage(message);
}

function answer(work: ThreadWork): WorkedOver {
  try {
    return [work.number, workOn(work)];
  } catch {
    // It is done again where it was asked for, and fails there.
    return [work.number, undefined];
  }
}

function workOn(work: ThreadWork): TurnTexts | undefined {
  const live = atHand(work);
  if (live === undefined) return undefined;
  const { number, episode, messages, rewardConfig, isTest } = work;
  const played = playTurn(live.task, live.state, messages);
  // A world that broke is told of where the engine is.
  if (played.fault) return undefined;
  const taken = takeTurn(live, messages, played);
  const { texts } = workTurn(live, taken, { rewardConfig, verdicts: {}, isTest });
  episodes.set(episode, { ...live, reachedBy: number, state: taken.state, turns: taken.whole.turns });
  return texts;
}

function atHand({ episode, given, after }: ThreadWork): EpisodeAtHand | undefined {
  if (given !== undefined) {
    const task = tasks.get(given.task);
    return task && { ...given, task, turns: [] };
  }
  const kept = episodes.get(episode);
  return kept?.reachedBy === after ? kept : undefined;
}
