import { WhetstoneError } from '../../../base/host/errors.ts';
import { invalid } from '../../http/refusal.ts';

/**
 * The address at which an agent finds its model. This server sends the requests, from its own network: only hosts that
 * its operator has named, and its own machine, may be asked, or a key would open every host that it can reach.
 */
export function readBaseUrl(text: string, trainers: readonly string[]): string {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw invalid('base_url', 'must be an address that begins with http:// or https://.');
  if (url.username !== '' || url.password !== '')
    throw invalid('base_url', 'must not hold a name or a password; api_key is the place for a key.');
  const { hostname, host } = url;
  if (!isLoopback(hostname) && !trainers.includes(hostname) && !trainers.includes(host))
    throw new WhetstoneError(
      'request_forbidden',
      `base_url names ${host}, which this server may not call. Its operator can allow it: whet serve --trainer ${host}.`,
    );
  return text;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
