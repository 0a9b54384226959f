import { readFile, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { isRecord } from '../../core/lib/checks.ts';
import { sentenceOf } from '../../core/lib/messages.ts';
import { databaseCode } from '../../core/store/faults.ts';
import { Defect } from './plugin-finding.ts';

/** Conditions of `exports` that hold where a plugin is to run. */
export type ExportConditions = ReadonlySet<string>;

/** Without `deno`: packages map it to TypeScript, which Deno does not read in `node_modules`. */
export const hostConditions: ExportConditions = new Set(['node', 'import', 'module-sync', 'default']);
export const edgeConditions: ExportConditions = new Set(['workerd', 'worker', 'browser', 'import', 'default']);

const indexFiles = ['index.ts', 'index.mts', 'index.js', 'index.mjs'];

/** The module that a folder stands for: by its package.json, else its index. Undefined: it stands for none. */
export async function packageEntry(
  folder: string,
  conditions: ExportConditions,
  subpath = '.',
): Promise<string | undefined> {
  const manifest = await readManifest(folder);
  const target = manifest && targetOf(manifest, conditions, subpath);
  if (target === undefined && subpath !== '.') return isFile(join(folder, subpath));
  if (target === undefined) return firstFile(indexFiles.map((name) => join(folder, name)));
  const path = resolve(folder, target);
  if (!path.startsWith(folder + sep)) {
    throw new Defect('plugin-package', `Expected an entry inside the package: "${target}" in its package.json`);
  }
  const file = await firstFile([path, `${path}.js`, ...indexFiles.map((name) => join(path, name))]);
  if (file !== undefined) return file;
  throw new Defect('plugin-package', `Expected the module that package.json names: there is no "${target}"`);
}

interface Manifest {
  readonly exports?: unknown;
  readonly main?: unknown;
}

async function readManifest(folder: string): Promise<Manifest | undefined> {
  const path = join(folder, 'package.json');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(databaseCode(error))) return undefined;
    throw new Defect('plugin-unreadable', `Expected a package.json that can be read: ${sentenceOf(error)}`);
  }
  try {
    const manifest: unknown = JSON.parse(text);
    if (isRecord(manifest)) return manifest;
  } catch {
    // The error below reports it.
  }
  throw new Defect('plugin-package', 'Expected a JSON object in package.json: something else');
}

function targetOf({ exports, main }: Manifest, conditions: ExportConditions, subpath: string): string | undefined {
  if (exports === undefined || exports === null) {
    return subpath === '.' && typeof main === 'string' && main !== '' ? main : undefined;
  }
  const byPath = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  const table: Record<string, unknown> = byPath ? exports : { '.': exports };
  const target = Object.hasOwn(table, subpath) ? pick(table[subpath], conditions) : undefined;
  if (target !== undefined) return target;
  const what = subpath === '.' ? 'an entry' : `an entry for "${subpath}"`;
  throw new Defect('plugin-package', `Expected ${what} among the exports of package.json: no entry applies`);
}

/** The first that applies, in the order of the file, as every runtime does it. */
function pick(target: unknown, conditions: ExportConditions): string | undefined {
  if (typeof target === 'string') return target;
  if (Array.isArray(target)) return target.map((each) => pick(each, conditions)).find((each) => each !== undefined);
  if (!isRecord(target)) return undefined;
  for (const [condition, inner] of Object.entries(target)) {
    const picked = conditions.has(condition) ? pick(inner, conditions) : undefined;
    if (picked !== undefined) return picked;
  }
  return undefined;
}

async function firstFile(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await isFile(path)) return path;
  return undefined;
}

const isFile = (path: string): Promise<string | undefined> =>
  stat(path).then(
    (found) => (found.isFile() ? path : undefined),
    () => undefined,
  );
