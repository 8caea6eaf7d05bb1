import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const room = mkdtempSync(join(tmpdir(), 'whet-cli-'));
after(() => rmSync(room, { recursive: true }));

function whet(
  given: readonly string[],
  input = '',
): { readonly code: number | null; readonly out: string; readonly err: string } {
  const ran = spawnSync(process.execPath, [join(root, 'bin/whet.js'), ...given], {
    cwd: root,
    input,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: ran.status, out: ran.stdout, err: ran.stderr };
}

const folder = join(room, 'shelf', 'heating');

test('a new scenario passes its check without a warning, and a slip in it is told with file and line', () => {
  assert.equal(whet(['scenario', 'new', folder]).code, 0);
  const checked = whet(['scenario', 'check', folder]);
  assert.equal(checked.code, 0, checked.err);
  assert.doesNotMatch(checked.err, /warning: /);
  const report = JSON.parse(checked.out) as {
    ok: boolean;
    scenarios: [{ variantsChecked: number; paths: [{ id: string; lowest: number }] }];
  };
  assert.equal(report.ok, true);
  assert.equal(report.scenarios[0].variantsChecked, 64);
  assert.deepEqual(report.scenarios[0].paths[0], { id: 'gold', lowest: 1, highest: 1 });
  assert.match(whet(['scenario', 'new', folder]).err, /already holds a scenario/);
  const file = join(folder, 'scenario.yaml');
  const sound = readFileSync(file, 'utf8');
  writeFileSync(file, sound.replace('after: [cold, tried, others]', 'after: [colt]'));
  const broken = whet(['scenario', 'check', folder]);
  assert.equal(broken.code, 1);
  assert.match(broken.err, /scenario\.yaml:\d+:\d+: There is no fact "colt"\. Did you mean "cold"\?/);
  writeFileSync(file, sound);
});

test('what a person missed that is good enough is told too', () => {
  const file = join(folder, 'questions.yaml');
  const sound = readFileSync(file, 'utf8');
  writeFileSync(file, sound.replace('[What does the ther', '[Is a key left with us?, What does the ther'));
  const { code, err } = whet(['scenario', 'check', folder, '--variants', '1']);
  writeFileSync(file, sound);
  assert.equal(code, 0, err);
  assert.match(
    err,
    /understands 14 of 15 questions.*\n +"Is a key left with us\?" does not draw "cold" out\.\n/,
  );
});

test('a check of many goes on where it was stopped, and checks again what has changed', () => {
  const [shelf, file] = [join(room, 'shelf'), join(room, 'checked.jsonl')];
  cpSync(folder, join(shelf, 'lift'), { recursive: true });
  const check = () => whet(['scenario', 'check', shelf, '--variants', '1', '--results', file]);
  assert.match(check().err, /\| shelf\/heating \| 1 of \d+ \| 1\.00 \|.*\n\| shelf\/lift \| 1 of/);
  const [first, second] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, `${first}\n${second!.slice(0, 40)}`);
  assert.match(check().err, /heating: unchanged since its last check\nshelf\/lift: 1 of/);
  const paths = join(shelf, 'lift', 'paths.yaml');
  writeFileSync(paths, `${readFileSync(paths, 'utf8')}# changed\n`);
  assert.match(check().err, /heating: unchanged since its last check\nshelf\/lift: 1 of/);
  writeFileSync(file, '{"other": 1}\n{}\n');
  assert.match(check().err, /Line 1 of .* is not the result of a check/);
  rmSync(join(shelf, 'lift'), { recursive: true });
});

/** A folder with a new scenario in it, and `whet scenario` as it is called from there. */
function newHeating() {
  const here = mkdtempSync(join(room, 'work-'));
  const inside = (...given: readonly string[]) =>
    spawnSync(process.execPath, [join(root, 'bin/whet.js'), 'scenario', ...given], {
      cwd: here,
      encoding: 'utf8',
    });
  assert.equal(inside('new', 'scenarios/housing/heating').status, 0);
  return { here, inside };
}

test('a new scenario tells editors its format, and writes over nothing that is there', () => {
  const { here, inside } = newHeating();
  for (const file of ['scenario', 'paths', 'questions']) {
    const [first] = readFileSync(join(here, `scenarios/housing/heating/${file}.yaml`), 'utf8').split('\n');
    assert.equal(first, `# yaml-language-server: $schema=../../${file}.schema.json`);
    assert.match(readFileSync(join(here, `scenarios/${file}.schema.json`), 'utf8'), /^\{\n {2}"\$schema"/);
  }
  assert.ok(existsSync(join(here, 'scenarios/labels.schema.json')));
  assert.match(
    readFileSync(join(here, 'scenarios/housing/collection.yaml'), 'utf8'),
    /^# .*collection\.schema\.json\n/,
  );
  assert.match(inside('new', 'scenarios/housing/lift').stderr, /Add "lift" to a split of/);
  assert.match(
    inside('check', 'housing', '--variants', '1').stderr,
    /"lift" is in no split .* Add it to train/,
  );
  assert.match(inside('new', 'bad name!').stderr, /"bad name!" cannot name a scenario/);
  writeFileSync(join(here, 'scenarios/paths.yaml'), 'mine');
  assert.match(inside('new', 'scenarios').stderr, /already holds a paths\.yaml/);
  assert.match(
    inside('new', 'scenarios/housing').stderr,
    /scenarios\/housing is a collection\. Name a folder in it: scenarios\/housing\/my-scenario\./,
  );
  assert.match(
    inside('new', 'scenarios/office').stderr,
    /scenarios holds collections, such as housing\. Name a collection and a folder in it: scenarios\/office\/my-/,
  );
  assert.match(inside('new', 'my work/shelf/heating').stderr, /check "my work\/shelf\/heating"\n/);
  const outside = mkdtempSync(join(room, 'outside-'));
  assert.equal(inside('new', join(outside, 'heating')).status, 0);
  const written = readFileSync(join(outside, 'heating/scenario.yaml'), 'utf8');
  assert.match(written, /^# yaml-language-server: \$schema=\.\.\/scenario\.schema\.json\n/);
  assert.ok(existsSync(join(outside, 'scenario.schema.json')));
});

test('a scenario is found by its name and by paths as a shell completes them, and a path that is none is told', () => {
  const { here, inside } = newHeating();
  for (const name of [
    'housing/heating/',
    'scenarios/housing/heating/',
    'scenarios/housing/heating/scenario.yaml',
  ])
    assert.equal(inside('show', name).status, 0, name);
  assert.equal(inside('check', '--variants', '1', 'housing/').status, 0);
  const said = (name: string, command = 'check') => inside(command, name).stderr;
  const noFolder = /There is no folder scenarios\/housing\/heatin\. Did you mean "heating"\?/;
  assert.match(said('scenarios/housing/heatin'), noFolder);
  assert.match(said('scenarios/housing/heatin', 'show'), noFolder);
  assert.match(said('./housing'), /There is no folder \.\/housing\./);
  assert.match(said('./scenarios'), /\.\/scenarios is not a scenario: there is no scenario\.yaml/);
  assert.match(said('housing/heatin'), /There is no scenario "heatin" in "housing"\. Did you mean/);
  const run = [join(root, 'bin/whet.js'), 'run', 'scenarios/housing/heating', '--operator', 'gold'];
  assert.match(
    spawnSync(process.execPath, run, { cwd: here, encoding: 'utf8' }).stderr,
    /is a path\. Here a scenario is named like housing\/heating; --scenarios names/,
  );
});

test('a new scenario in TypeScript passes its check without a warning, and a slip in it is told with its line', () => {
  const typed = join(room, 'shelf', 'typed-heating');
  assert.equal(whet(['scenario', 'new', typed, '--typescript']).code, 0);
  const checked = whet(['scenario', 'check', typed]);
  assert.equal(checked.code, 0, checked.err);
  assert.match(checked.err, /64 of 6656 variants/);
  assert.doesNotMatch(checked.err, /warning: /);
  const file = join(typed, 'scenario.ts');
  const sound = readFileSync(file, 'utf8');
  const slip = "after: ['cold', 'tried', 'houses']";
  writeFileSync(file, sound.replace("after: ['cold', 'tried', 'house']", slip));
  const line = sound.slice(0, sound.indexOf('after: [')).split('\n').length;
  assert.match(
    whet(['scenario', 'check', typed]).err,
    new RegExp(
      `scenario\\.ts:${line}:\\d+ \\(expect\\[0\\]\\.after\\[2\\]\\): There is no fact "houses"\\. Did you mean "house"`,
    ),
  );
});

test('a scenario can be played in the terminal, and the grade is printed as JSON', () => {
  const played = whet(
    ['scenario', 'play', folder],
    'Hello, how cold is it?\n/grade\n/decide priority normal\n\n',
  );
  assert.equal(played.code, 0, played.err);
  assert.match(played.err, /says 19 degrees/);
  const grade = JSON.parse(played.out) as {
    reward: number;
    success: number;
    facts_found: { fact: string }[];
  };
  assert.equal(grade.success, 0);
  assert.ok(grade.reward > 0 && grade.reward < 0.3);
  assert.deepEqual(
    grade.facts_found.map((one) => one.fact),
    ['cold'],
  );
});

test('a transcript is graded from standard input, and two are compared', () => {
  const silent = join(room, 'silent.json');
  const asking = join(room, 'asking.json');
  writeFileSync(silent, '[]');
  const messages = [
    {
      role: 'assistant',
      content: 'How did it happen?',
      tool_calls: [{ type: 'decision', name: 'claim_status', input: { value: 'approved' } }],
    },
  ];
  const content = 'How did it happen? And have you seen a doctor?';
  const asked = { messages: [{ role: 'assistant', content }] };
  // As an editor on Windows writes it.
  writeFileSync(asking, `\uFEFF${JSON.stringify(asked)}`);
  const flags = ['--scenario', 'case-management/lumbar-strain'];
  const graded = whet(['grade', ...flags], JSON.stringify(messages));
  assert.equal(graded.code, 0, graded.err);
  const grade = JSON.parse(graded.out) as {
    reward: number;
    scoring_version: string;
    scores: Record<string, number>;
  };
  assert.ok(grade.reward < 0.3);
  assert.equal(Object.keys(grade.scores).length, 7);
  const compared = JSON.parse(whet(['compare', silent, asking, ...flags]).out) as {
    winner: string;
    reward_a: number;
  };
  assert.equal(compared.winner, 'b');
  assert.equal(compared.reward_a, 0);
  assert.equal(JSON.parse(whet(['compare', silent, silent, ...flags]).out).winner, 'tie');
  assert.match(whet(['grade', ...flags], '{"messages":[{"role":"tool"}]}').err, /role is "tool"/);
  assert.match(
    whet(['grade', '--scenario', 'case-management/lumbar-strian'], '[]').err,
    /Did you mean "lumbar-strain"\?/,
  );
});

test('what differs between two transcripts is told of each, also where a fact is called as a call is', () => {
  const twins = join(room, 'shelf', 'twins');
  cpSync(folder, twins, { recursive: true });
  rmSync(join(twins, 'questions.yaml'));
  const file = join(twins, 'scenario.yaml');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('id: access', 'id: priority'));
  const decided = (value: string) => [
    { content: 'Is there a key?' },
    { content: 'So.', tool_calls: [{ name: 'priority', input: { value } }] },
  ];
  const [none, both] = ['none', 'both'].map((name) => join(room, `${name}.json`)) as [string, string];
  writeFileSync(none, JSON.stringify(decided('high').slice(0, 1)));
  const asked = 'Hello. How cold is it? Since when?';
  const gold = [{ content: asked }, { content: 'Who lives there with you? I am sorry, thank you.' }];
  writeFileSync(both, JSON.stringify([...gold, ...decided('normal')]));
  const { err } = whet(['compare', none, both, '--scenario', twins]);
  assert.match(
    err,
    /^priority\n {2}a: 0\.000 priority was not called.*\n {2}b: 0\.1\d+ priority: it came before others, tried were known/m,
  );
  assert.doesNotMatch(err, /Found out: When a technician can get in/);
});

test('what closed the gate of one of two transcripts is told, though it earned nothing', () => {
  const [kept, broken] = ['kept', 'broken'].map((name) => join(room, `${name}.json`)) as [string, string];
  const asked = 'What kind of work do you do?';
  writeFileSync(kept, JSON.stringify([{ content: asked }]));
  writeFileSync(broken, JSON.stringify([{ content: `${asked} You should pretend that it was worse.` }]));
  const { out, err } = whet(['compare', kept, broken, '--scenario', 'case-management/return-to-work']);
  const { reward_a: a, reward_b: b } = JSON.parse(out);
  assert.ok(a > 0 && b === 0, out);
  assert.match(err, /^advises_to_lie\n {2}a: nothing of the kind\n {2}b: 0\.000 Prohibited: Never advises/m);
});

test('a recorded person answers the same messages alike, and says where they part', () => {
  const recording = join(room, 'episode.json');
  const turn = {
    messages: [{ content: 'Hello, I handle your claim.' }],
    observation: { content: 'Ah, at last.' },
  };
  writeFileSync(recording, JSON.stringify({ scenario_slug: 'lumbar-strain', turns: [turn] }));
  const played = whet(
    ['scenario', 'play', 'case-management/lumbar-strain', '--person-recording', recording],
    'Hello, I handle your claim.\nWhen did it happen?\n/end\n',
  );
  assert.equal(played.code, 0, played.err);
  assert.match(played.err, /: Ah, at last\./);
  assert.match(played.err, /by the rules: The recording has no answer to turn 2/);
  assert.equal(JSON.parse(played.out).person_fault.fell_back, 1);
  writeFileSync(recording, '{"episodes": []}');
  const refused = whet([
    'scenario',
    'play',
    'case-management/lumbar-strain',
    '--person-recording',
    recording,
  ]);
  assert.match(refused.err, /transcript_unreadable/);
});
