/**
 * The suite starts a program for each scenario, dozens at once. This one loads nothing: it tells the test which scenario
 * it is to play, and where, and ends when that has been played.
 */
import { request } from 'node:http';

const [test = '', url = ''] = process.argv.slice(2);
const asked = request(test, { method: 'POST' }, (answer) => {
  process.exitCode = answer.statusCode === 200 ? 0 : 1;
  answer.pipe(process.stderr);
});
const { MCP_CONFORMANCE_SCENARIO: name, MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;
asked.end(JSON.stringify({ ...JSON.parse(context), name, url }));
