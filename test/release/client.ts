import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { gunzipSync, gzipSync } from 'node:zlib';

/** Sources of the typed client of each release. */
const folder = 'test/release/clients';
const sources = ['client/calls.ts', 'types.ts'];

export const keptClients: readonly string[] = readdirSync(folder).map((name) => name.replace('.json.gz', ''));

export const clientNow = (): readonly string[] => sources.map((path) => readFileSync(`src/${path}`, 'utf8'));

export const clientOf = (version: string): readonly string[] =>
  JSON.parse(gunzipSync(readFileSync(`${folder}/${version}.json.gz`)).toString());

export const keepClient = (version: string): void =>
  writeFileSync(`${folder}/${version}.json.gz`, gzipSync(JSON.stringify(clientNow()), { level: 9 }));

const program = (now: string) => `import type { Calls as Now } from '${now}';
import type { Calls as Before } from './client/calls.ts';
type Lost = {
  [K in keyof Before]: K extends keyof Now
    ? [Before[K]['query'], Before[K]['body'], Now[K]['answer']] extends [Now[K]['query'], Now[K]['body'], Before[K]['answer']]
      ? never
      : K
    : K;
}[keyof Before];
export const lost: Record<Lost, never> = {};
`;

const options = [
  ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--allowImportingTsExtensions'],
  ...['--target', 'es2023', '--lib', 'es2023,dom', '--module', 'nodenext', '--types', ''],
];

/** Words of the compiler on calls that a program written with this client can no longer make. Empty: none. */
export function lostCalls(client: readonly string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'portico-client-'));
  try {
    mkdirSync(join(directory, 'client'));
    for (const [at, path] of sources.entries()) writeFileSync(join(directory, path), client[at]!);
    writeFileSync(join(directory, 'program.ts'), program(resolve('src/client/calls.ts')));
    const words = [resolve('node_modules/typescript/bin/tsc'), ...options, 'program.ts'];
    const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: directory, encoding: 'utf8' });
    return `${stdout}${stderr}`;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
