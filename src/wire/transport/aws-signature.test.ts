import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';

import { bedrock } from '../index.ts';
import { regionOfHost, signAws } from './aws-signature.ts';

const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};

const vanilla = {
  method: 'GET',
  url: 'https://example.amazonaws.com/',
  headers: {},
  body: '',
  region: 'us-east-1',
  service: 'service',
  now: Date.UTC(2015, 7, 30, 12, 36, 0),
};

test('signs the vanilla request of the published test suite as it says', () => {
  assert.equal(
    signAws(vanilla, credentials)['authorization'],
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  );
});

test('a model id with a colon is signed as it is sent, encoded twice', () => {
  const url = `https://bedrock-runtime.eu-west-1.amazonaws.com/model/${encodeURIComponent('a.b-v1:0')}/converse`;
  const body = '{"messages":[]}';
  const headers = { 'content-type': 'application/json' };
  const signed = signAws(
    { ...vanilla, method: 'POST', url, headers, body, region: 'eu-west-1', service: 'bedrock' },
    { ...credentials, sessionToken: 'token' },
  );
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const canonical = [
    'POST',
    '/model/a.b-v1%253A0/converse',
    '',
    'content-type:application/json',
    'host:bedrock-runtime.eu-west-1.amazonaws.com',
    'x-amz-date:20150830T123600Z',
    'x-amz-security-token:token',
    '',
    'content-type;host;x-amz-date;x-amz-security-token',
    hash(body),
  ].join('\n');
  const scope = '20150830/eu-west-1/bedrock/aws4_request';
  const mac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const key = ['eu-west-1', 'bedrock', 'aws4_request'].reduce(
    (before: Buffer, text) => mac(before, text),
    mac(`AWS4${credentials.secretAccessKey}`, '20150830'),
  );
  const expected = mac(key, `AWS4-HMAC-SHA256\n20150830T123600Z\n${scope}\n${hash(canonical)}`).toString(
    'hex',
  );
  assert.match(signed['authorization'] ?? '', new RegExp(`Signature=${expected}$`));
  assert.equal(signed['x-amz-security-token'], 'token');
  assert.equal('host' in signed, false, 'fetch sets the host itself');
});

test('the region is read from the address', () => {
  assert.equal(regionOfHost('bedrock-runtime.ap-southeast-2.amazonaws.com'), 'ap-southeast-2');
  assert.equal(regionOfHost('bedrock-runtime.us-gov-west-1.amazonaws.com'), 'us-gov-west-1');
  assert.equal(regionOfHost('127.0.0.1:8080'), 'us-east-1');
});

test('Bedrock is asked in the region of the environment, signed when there is no key', async (context) => {
  const variables = {
    AWS_REGION: 'eu-north-1',
    AWS_ACCESS_KEY_ID: 'AKID',
    AWS_SECRET_ACCESS_KEY: 'secret-key',
  };
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  context.after(() => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  });
  Object.assign(process.env, variables);
  const seen: { url?: string; headers?: Headers } = {};
  const model = bedrock('anthropic.claude-x-v1:0', {
    retry: { retries: 0 },
    fetch: async (url, init) => {
      seen.url = String(url);
      seen.headers = new Headers(init?.headers);
      return Response.json({
        output: { message: { role: 'assistant', content: [{ text: 'Hello' }] } },
        stopReason: 'end_turn',
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      });
    },
  });
  const reply = await model.generate({ messages: [{ role: 'user', content: 'Hi' }] });
  assert.equal(reply.complete, true);
  assert.equal(
    seen.url,
    'https://bedrock-runtime.eu-north-1.amazonaws.com/model/anthropic.claude-x-v1%3A0/converse',
  );
  const authorization = seen.headers?.get('authorization') ?? '';
  assert.match(authorization, /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-north-1\/bedrock\/aws4_request/);
  assert.doesNotMatch(JSON.stringify([...(seen.headers ?? [])]), /secret-key/);
});
