import type { Server } from 'node:net';

import { WhetstoneError } from '../../base/host/errors.ts';

/** Listens, and answers with the port. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFault(error, host, port)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function listenFault(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const more = { details: { host, port }, cause: error };
  if (error.code === 'EADDRINUSE')
    return new WhetstoneError(
      'address_taken',
      `Port ${port} on ${host} is taken by another program. Choose another, or 0 for any free port.`,
      more,
    );
  const reason = unusable[error.code ?? ''];
  if (reason === undefined) return error;
  return new WhetstoneError(
    'address_unusable',
    `No server can listen on ${host}, port ${port}: ${reason}.`,
    more,
  );
}

const foreign = 'it is not an address of this machine; 127.0.0.1 and 0.0.0.0 are';
const unusable: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: foreign,
  ENOTFOUND: foreign,
  EAI_AGAIN: foreign,
  EACCES: 'this user may not use that port; any user may use ports from 1024',
};
