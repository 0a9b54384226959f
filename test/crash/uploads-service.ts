import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createService, type Service } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import type { Database } from '../../src/core/store/contract.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { requestOf, type Sent } from '../support/matrix.ts';
import { admin } from '../support/service.ts';
import { storageRows } from '../support/world.ts';

/** A service on a database file whose storage VX-1 is a real folder, as `serve` makes one. */
export async function openFor(url: string, media: string): Promise<Service> {
  const settings = readSettings({
    PORTICO_DATABASE: url,
    PORTICO_ADMIN_PASSWORD: admin[1],
    PORTICO_STORAGE_ROOTS: media,
    PORTICO_MIN_FREE_BYTES: '0',
    PORTICO_LOG_LEVEL: 'error',
    PORTICO_STOP_TIMEOUT: '1',
  });
  const service = createService(settings, await hostPlatform(settings, (line) => process.stderr.write(`${line}\n`)));
  await service.prepare();
  const there = await service.store.read(`SELECT 1 FROM storage WHERE id = 'VX-1'`);
  if (there.length === 0) await storageRows({ service }, { uri: `${pathToFileURL(media).href}/` });
  // Finishes what a killed process had begun.
  await service.start();
  return service;
}

export interface Answered {
  readonly status: number;
  readonly id: string;
  readonly closed: boolean;
}

export async function send(service: Service, sent: Sent): Promise<Answered> {
  const headers = { accept: 'application/json', ...sent.headers };
  const response = await service.fetch(requestOf('http://x', { as: admin, ...sent, headers }));
  const body = await response.text();
  const [, id = ''] = /"(?:id|fileId)":"(VX-\d+)"/.exec(body) ?? [];
  return { status: response.status, id, closed: body.includes('"state":"CLOSED"') };
}

/** The bytes of a name: a test that knows the name knows what has to be there. */
export function bytesFor(name: string): Uint8Array<ArrayBuffer> {
  const seed = createHash('sha256').update(name).digest();
  const bytes = new Uint8Array(20_000 + seed[0]! * 1000);
  for (let at = 0; at < bytes.byteLength; at += seed.byteLength) bytes.set(seed.subarray(0, bytes.byteLength - at), at);
  return bytes;
}

/** The same as text, which no prober takes for media. */
export const textFor = (name: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(`${name}\n`.repeat(2_000));

export const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');

/** Publications and temporary files left behind once a start has ended, except bytes of uploads that can be resumed. */
export async function leftovers(database: Pick<Database, 'read'>, media: string): Promise<readonly string[]> {
  const publications = await database.read('SELECT path FROM publication');
  const live = await database.read(`SELECT token FROM transfer WHERE state = 'TRANSFERRING'`);
  const known = live.map(([token]) => String(token));
  const temporary = await readdir(join(media, '.portico', 'tmp')).catch(() => []);
  return [
    ...publications.map(([path]) => `publication of ${path}`),
    ...temporary.filter((name) => !known.some((token) => token.includes(name))).map((name) => `temporary file ${name}`),
  ];
}
