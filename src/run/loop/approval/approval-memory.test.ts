import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { z } from 'zod';

import { call, scriptedModel } from '../../../../test/scripted-model.ts';
import { resultText } from '../../../base/message/result.ts';
import type { Decision } from '../../tool/call/call-record.ts';
import { tool } from '../../tool/define-tool.ts';
import { approvalFiles } from './approval-memory.ts';
import { run } from '../run.ts';

test('a decision holds for the call, the run, the project or always, in files that a person can read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'whet-approvals-'));
  const [project, always] = [join(folder, 'deep/project.json'), join(folder, 'always.json')];
  try {
    const pay = tool({
      name: 'pay',
      description: 'Pays',
      input: z.object({ amount: z.number() }),
      approval: 'always',
      run: () => 'paid',
    });
    const asked: number[] = [];
    const paying = (amount: number, decision: Decision) =>
      run({
        model: scriptedModel([call('1', 'pay', { amount })], [call('2', 'pay', { amount })], ['Done.']),
        tools: [pay],
        prompt: 'Go.',
        approve: () => {
          asked.push(amount);
          return decision;
        },
        approvalMemory: approvalFiles({ project, always }),
      });
    await paying(1, true);
    await paying(2, { decision: 'approve', remember: 'exact' });
    await paying(2, { decision: 'approve', remember: 'exact', scope: 'project' });
    await paying(2, false);
    await paying(3, { decision: 'reject', reason: 'never', remember: 'exact', scope: 'always' });
    const refused = await paying(3, true);
    assert.deepEqual(asked, [1, 1, 2, 2, 3]);
    assert.match(resultText(refused.calls[0]!.result), /never/);
    const [rule] = JSON.parse(readFileSync(project, 'utf8')) as [Record<string, unknown>];
    assert.deepEqual([rule['tool'], rule['decision'], typeof rule['hash']], ['pay', 'approve', 'string']);
    assert.equal((JSON.parse(readFileSync(always, 'utf8')) as unknown[]).length, 1);
    // What cannot be read may have held a rejection: nothing runs on it.
    writeFileSync(project, '[{"tool": "pa');
    const unread = await paying(9, true);
    assert.deepEqual([unread.calls[0]!.success, asked.includes(9)], [false, false]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a scope without a file is told, and so is a file of something else', async () => {
  const memory = approvalFiles({});
  await assert.rejects(memory.add({ tool: 'pay', decision: 'approve' }, 'project'), {
    code: 'run_option_invalid',
  });
  assert.deepEqual(await memory.rules(), []);
});
