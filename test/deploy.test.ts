/** The files of `deploy/` are read as what they are, and hold to what the server has: options, ports, probes, versions. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { loadAll } from 'js-yaml';

import { command as serveCommand } from '../src/serve/cli/serve.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** `whet serve` knows every one of these options; gives the values of some. */
function mustBeServed(args: readonly string[]): Readonly<Record<string, unknown>> {
  assert.equal(args[0], 'serve');
  const command = serveCommand().exitOverride();
  const { operands, unknown } = command.parseOptions(args.slice(1) as string[]);
  assert.deepEqual([operands, unknown], [[], []]);
  return command.opts();
}

test('the container starts the server as it is, and is well when it is ready', () => {
  const lines = read('deploy/Containerfile')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const known = /^(?:FROM|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT|CMD) /;
  for (const line of lines) assert.match(line, known);
  const of = (name: string) =>
    lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
  assert.match(of('FROM'), /^docker\.io\/library\/node:24-/);
  assert.ok(of('RUN').includes(`pg@${manifest.devDependencies['pg']}`), 'the pg that is tested');
  assert.deepEqual(JSON.parse(of('ENTRYPOINT')), ['whet']);
  const options = mustBeServed(JSON.parse(of('CMD')) as string[]);
  assert.equal(String(options['port']), of('EXPOSE'));
  assert.ok(of('HEALTHCHECK').includes(`:${of('EXPOSE')}/ready`));
  assert.ok(String(options['data']).startsWith(of('VOLUME')));
  // What runs as root could write where it pleases.
  assert.ok(
    lines.findIndex((line) => line === 'USER node') > lines.findIndex((line) => line.startsWith('RUN ')),
  );
});

test('the unit of systemd starts the server with what it says, and waits for it to finish', () => {
  const sections = new Map<string, Map<string, string>>();
  let section = '';
  for (const line of read('deploy/whetstone.service').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const heading = /^\[(Unit|Service|Install)\]$/.exec(line)?.[1];
    if (heading !== undefined) sections.set((section = heading), new Map());
    else {
      const [, name = '', value = ''] = /^([A-Z]\w+)=(.+)$/.exec(line) ?? assert.fail(line);
      assert.equal(sections.get(section)?.has(name), false, `${name} stands once in [${section}]`);
      sections.get(section)?.set(name, value);
    }
  }
  const service = sections.get('Service');
  assert.deepEqual([...sections.keys()], ['Unit', 'Service', 'Install']);
  const given = /^WHET_SERVE="(.*)"$/.exec(service?.get('Environment') ?? '')?.[1] ?? '';
  const start = (service?.get('ExecStart') ?? '').replace('$WHET_SERVE', given).split(' ');
  assert.match(start[0] ?? '', /\/whet$/);
  const { data } = mustBeServed(start.slice(1));
  assert.ok(String(data).startsWith(`/var/lib/${service?.get('StateDirectory')}/`));
  assert.equal(service?.get('KillSignal'), 'SIGTERM');
});

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // What is looked at of each kind is named below, and fails where it is not there.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly spec: any;
}

test('the manifest has servers, a service and a budget that fit each other', () => {
  const all = loadAll(read('deploy/kubernetes.yaml')) as readonly Manifest[];
  const of = (kind: string): Manifest => all.find((one) => one.kind === kind) ?? assert.fail(kind);
  assert.deepEqual(
    all.map(({ kind, apiVersion }) => `${apiVersion} ${kind}`),
    ['apps/v1 Deployment', 'v1 Service', 'policy/v1 PodDisruptionBudget'],
  );
  const { spec } = of('Deployment');
  const { labels } = spec.template.metadata;
  for (const selector of [
    spec.selector.matchLabels,
    of('Service').spec.selector,
    of('PodDisruptionBudget').spec.selector.matchLabels,
  ])
    assert.deepEqual(selector, labels);
  assert.ok(of('PodDisruptionBudget').spec.minAvailable < spec.replicas);
  const [container] = spec.template.spec.containers;
  assert.equal(container.image, `whetstone:${manifest.version}`);
  const options = mustBeServed(container.args);
  const [port] = container.ports;
  assert.equal(options['port'], port.containerPort);
  assert.equal(of('Service').spec.ports[0].targetPort, port.name);
  for (const [probe, path] of [
    [container.readinessProbe, '/ready'],
    [container.livenessProbe, '/health'],
  ])
    assert.deepEqual(probe.httpGet, { path, port: port.name });
  // What the arguments name is given by the environment, from the secret.
  const names = [...JSON.stringify(container.args).matchAll(/\$\((\w+)\)/g)].map(([, name]) => name);
  const given = new Set(container.env.map(({ name }: { name: string }) => name));
  assert.deepEqual(
    names.filter((name) => !given.has(name)),
    [],
  );
  for (const { valueFrom } of container.env) assert.equal(valueFrom.secretKeyRef.name, 'whetstone');
});
