import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { readJson, writeJson } from '../python/json.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import { openFolder } from './folder.ts';
import { beginTask, openTau2 } from './grade.ts';
import { readTask } from './task.ts';

const folder = fileURLToPath(new URL('../../../../shared/data/tau2/', import.meta.url));
const isHere = existsSync(folder);
const grade = isHere ? openTau2(folder) : undefined;
const files = isHere ? readdirSync(folder).filter((file) => file.endsWith('.json.gz')) : [];

function member(value: PythonValue | undefined, ...path: readonly string[]): PythonValue | undefined {
  let at = value;
  for (const name of path) at = at instanceof Map ? at.get(name) : undefined;
  return at;
}

function all(value: PythonValue | undefined, name: string): PythonValue[] {
  return ((value ?? []) as PythonValue[]).map((item) => member(item, name)!);
}

function callsIn(message: PythonDict): readonly PythonDict[] {
  return (message.get('tool_calls') ?? []) as PythonDict[];
}

test(
  'grades the 360 recorded simulations of tau2 part by part as tau2 did',
  { skip: !isHere && 'the data of tau2 are not on this machine' },
  () => {
    let graded = 0;
    for (const file of files) {
      const results = readJson(gunzipSync(readFileSync(`${folder}${file}`)).toString());
      const domain = member(results, 'info', 'environment_info', 'domain_name')!;
      const tasks = new Map(
        (member(results, 'tasks') as PythonDict[]).map((task) => [task.get('id')!, task]),
      );
      for (const simulation of member(results, 'simulations') as PythonDict[]) {
        const where = `${file} ${String(simulation.get('id'))}`;
        const line: PythonDict = new Map([
          ['id', where],
          ['domain', domain],
          ['task', tasks.get(simulation.get('task_id')!)!],
          ['messages', simulation.get('messages')!],
          ['termination_reason', simulation.get('termination_reason')!],
        ]);
        const answer = grade!(writeJson(line));
        const official = simulation.get('reward_info')!;
        assert.equal(answer.reward, member(official, 'reward'), `${where}: ${answer.reasons.join(' ')}`);
        assert.equal(answer.reasons.length === 0 || answer.reward === 0 || answer.checks !== undefined, true);
        if (member(official, 'db_check') instanceof Map) {
          assert.equal(
            answer.checks?.db,
            member(official, 'db_check', 'db_match'),
            `${where}: ${answer.reasons.join(' ')}`,
          );
        }
        const breakdown = (member(official, 'reward_breakdown') ?? new Map()) as PythonDict;
        for (const [part, value] of breakdown) {
          if (part in answer.basis) assert.equal(answer.basis[part as 'DB'], value, `${where} ${part}`);
        }
        assert.deepEqual(
          answer.checks?.env_assertions ?? [],
          all(member(official, 'env_assertions') ?? [], 'met'),
          where,
        );
        assert.deepEqual(
          answer.checks?.actions ?? [],
          all(member(official, 'action_checks') ?? [], 'action_match'),
          where,
        );
        assert.deepEqual(
          answer.checks?.communicate ?? [],
          all(member(official, 'communicate_checks') ?? [], 'met'),
          where,
        );
        graded++;
      }
    }
    assert.equal(graded, 360);
  },
);

/** The airline's data were made anew from those of tau-bench, and differ from those that were played in two records. */
const otherData = ['Z7GOZK', 'HAT018'];

test(
  'answers every recorded call of both sides as the official tools did',
  { skip: !isHere && 'the data of tau2 are not on this machine' },
  () => {
    const domainOf = openFolder(folder);
    let alike = 0;
    for (const file of files) {
      const results = readJson(gunzipSync(readFileSync(`${folder}${file}`)).toString());
      const domain = domainOf(member(results, 'info', 'environment_info', 'domain_name') as string);
      const tasks = new Map(
        (member(results, 'tasks') as PythonDict[]).map((task) => [task.get('id')!, task]),
      );
      for (const simulation of member(results, 'simulations') as PythonDict[]) {
        const messages = simulation.get('messages') as PythonDict[];
        const isSolo = !messages.some((message) => message.get('role') === 'user');
        const environment = domain.start({ name: 'played', isSolo });
        beginTask(environment, readTask(tasks.get(simulation.get('task_id')!)));
        for (const [index, message] of messages.entries()) {
          for (const [place, call] of callsIn(message).entries()) {
            const name = member(call, 'name') as string;
            const kwargs = member(call, 'arguments') as PythonDict;
            const answer = environment.respond({ name, requestor: call.get('requestor') as 'user', kwargs });
            const recorded = messages[index + 1 + place]!;
            if (otherData.some((id) => writeJson(kwargs).includes(id))) continue;
            // What pydantic says of a record that does not fit is longer than ours.
            const isOfPydantic = String(recorded.get('content')).includes('validation error');
            const where = `${file} ${String(simulation.get('id'))} ${name} ${writeJson(kwargs)}`;
            assert.equal(answer.error, recorded.get('error'), where);
            if (!isOfPydantic) assert.equal(answer.content, recorded.get('content'), where);
            alike += 1;
          }
        }
      }
    }
    assert.ok(alike > 3800, String(alike));
  },
);
