import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import { type RuntimeName, startService } from '../bench/runtimes.ts';
import { serveOpenSearch } from '../support/opensearch/serve.ts';
import { admin } from '../support/service.ts';
import { sqldBinary, startPreparedSqld } from '../support/sqld.ts';
import { hasMiniflare, startWorkerd } from '../support/workerd.ts';

/** A service that requests are sent to. */
export interface Place {
  readonly name: string;
  readonly origin: string;
  close(): Promise<unknown>;
}

type Opened = Omit<Place, 'name'>;
type Settings = Readonly<Record<string, string>>;

const settings: Settings = {
  PORTICO_ADMIN_PASSWORD: admin[1],
  PORTICO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  PORTICO_LOG_LEVEL: 'error',
  PORTICO_DELIVER: 'false',
  // The platform of an edge compresses by itself.
  PORTICO_GZIP_FROM: '0',
  PORTICO_LOGIN_DELAY_MOST: '0',
};

/** A folder for one place, and what ends with it, the last first. */
async function within(open: (root: string, atEnd: (end: () => unknown) => void) => Promise<string>): Promise<Opened> {
  const root = await mkdtemp(join(tmpdir(), 'portico-differential-'));
  const ends: (() => unknown)[] = [() => rm(root, { recursive: true, force: true })];
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    return { origin: await open(root, (end) => ends.push(end)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function served(runtime: RuntimeName, root: string, more: Settings, atEnd: (end: () => unknown) => void) {
  const { port, stop } = await startService(runtime, root, { ...settings, ...more });
  atEnd(stop);
  return `http://127.0.0.1:${port}`;
}

const on =
  (runtime: RuntimeName, more: Settings = {}) =>
  () =>
    within((root, atEnd) => served(runtime, root, more, atEnd));

const onEngine = () =>
  within(async (root, atEnd) => {
    const engine = await serveOpenSearch();
    atEnd(() => engine.stop());
    const lines = ['search = portico.OpenSearchEngine', `search.url = ${engine.url}`].join('\n');
    await writeFile(
      join(root, 'security.ini'),
      defaultIni.replace(/^\[urls\]$/m, () => `${lines}\n[urls]`),
    );
    return served('node', root, { PORTICO_SEARCH_INDEX: 'engine' }, atEnd);
  });

const onLibsql = () =>
  within(async (root, atEnd) => {
    const database = await startPreparedSqld(settings);
    atEnd(() => database.stop());
    return served('node', root, { PORTICO_DATABASE: database.url }, atEnd);
  });

const onWorkerd = () =>
  within(async (root, atEnd) => {
    const database = await startPreparedSqld(settings);
    atEnd(() => database.stop());
    const worker = await startWorkerd(root, { ...settings, PORTICO_DATABASE: database.url });
    atEnd(worker.stop);
    return worker.origin;
  });

const noBinary = sqldBinary() === undefined && 'there is no libSQL server for this machine';
const noMiniflare = !hasMiniflare && 'npm run test:runtimes installs it';

/** Places by name, the first of which the others are compared with. A text says why a place cannot be opened here. */
const places: ReadonlyMap<string, (() => Promise<Opened>) | string> = new Map([
  ['file', on('node')],
  ['memory', on('node', { PORTICO_DATABASE: 'memory:' })],
  ['engine', onEngine],
  ['deno', on('deno')],
  ['libsql', noBinary || onLibsql],
  ['workerd', noBinary || noMiniflare || onWorkerd],
]);

export const placeNames = [...places.keys()];

/** Opens places, and tells with a line each that is left out. */
export async function openPlaces(names: readonly string[]): Promise<readonly Place[]> {
  const opened: Place[] = [];
  for (const name of names) {
    const open = places.get(name);
    if (typeof open === 'function') opened.push({ name, ...(await open()) });
    else console.log(`${name} is left out: ${open}`);
  }
  return opened;
}
