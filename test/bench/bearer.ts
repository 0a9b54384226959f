import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audience, claims, pair, signed, spki } from '../support/keys.ts';
import { bearerIni } from '../support/ways.ts';
import { load, requestBytes } from './load.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, startService } from './runtimes.ts';

const connections = 64;
const key = pair('RSA');

const whoami = (authorization: string): Buffer => requestBytes('GET', '/API/whoami', { authorization });

/** The same server, asked with a remembered password and with a token that was verified before. */
export async function benchBearer(runtime: RuntimeName, rounds = 5, seconds = 1): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const { text } = bearerIni([
    `oauth2Auth.publicKey = ${spki(key).toString('base64')}`,
    `oauth2Auth.expectedAudience = ${audience}`,
    'oauth2Auth.tokenUser = user',
  ]);
  await writeFile(join(directory, 'security.ini'), text);
  const server = await startService(runtime, directory);
  const requests = {
    basic: whoami(`Basic ${btoa('admin:bench')}`),
    bearer: whoami(`Bearer ${signed(key, claims({ user: 'admin' }, Date.now()))}`),
  };
  const rates = { basic: [] as number[], bearer: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    for (const side of ['basic', 'bearer'] as const) {
      const { perSecond } = await load({ port: server.port, connections, seconds, next: () => requests[side] });
      if (round > 0) rates[side].push(perSecond);
    }
  }
  await server.stop();
  await rm(directory, { recursive: true, force: true });
  return [
    {
      name: 'whoami, verified bearer token (static key), against remembered password',
      ratio: median(rates.bearer.map((rate, round) => rate / rates.basic[round]!)),
      floor: 0.8,
      perSecond: median(rates.bearer),
    },
  ];
}
