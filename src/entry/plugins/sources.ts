import { createHash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import process from 'node:process';
import { isHidden, type Unit } from './units.ts';

/** Files of a plugin, read at one moment. */
export interface Sources {
  /** The folder that holds all of its files. */
  readonly base: string;
  /** By path relative to the base. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly hash: string;
}

/** Beyond this a folder is no plugin, and copying it would cost more than it gives. */
const mostBytes = 64 * 1024 * 1024;
const maxFiles = 5000;

export async function sourcesOf({ entry, folder }: Unit): Promise<Sources> {
  const fileBytes = new Map<string, Uint8Array>();
  if (folder !== undefined) await addFolder(folder, fileBytes);
  await addImports(entry, fileBytes);
  let base = folder ?? dirname(entry);
  for (const path of fileBytes.keys()) while (!path.startsWith(withSeparator(base))) base = dirname(base);
  await addManifests(base, fileBytes);
  const files = new Map([...fileBytes].map(([path, bytes]) => [relative(base, path), bytes] as const).sort(byPath));
  return { base, files, hash: hashOf(files) };
}

const withSeparator = (folder: string): string => (folder.endsWith(sep) ? folder : folder + sep);
const byPath = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

function hashOf(files: ReadonlyMap<string, Uint8Array>): string {
  const hash = createHash('sha256');
  for (const [path, bytes] of files) hash.update(`${path.length}:${path}:${bytes.length}:`).update(bytes);
  return hash.digest('hex').slice(0, 32);
}

async function addFolder(folder: string, found: Map<string, Uint8Array>): Promise<void> {
  for (const name of (await readdir(folder)).sort()) {
    if (isHidden(name)) continue;
    const path = join(folder, name);
    const kind = await stat(path);
    if (kind.isDirectory()) await addFolder(path, found);
    else if (kind.isFile()) await add(path, found);
  }
}

async function add(path: string, found: Map<string, Uint8Array>): Promise<Uint8Array> {
  const bytes = await readFile(path);
  found.set(path, bytes);
  const total = [...found.values()].reduce((sum, each) => sum + each.length, 0);
  if (found.size > maxFiles || total > mostBytes) {
    throw new Error(`it has more than ${maxFiles} files or ${mostBytes / 1024 / 1024} MiB`);
  }
  return bytes;
}

const code = /\.[cm]?[jt]s$/;
const types = /\b(?:import|export)\s+type\b[^'";]*(['"])[^'"]*\1/g;
/** Relative imports, and files found by `new URL`. */
const relativeImports = /\b(?:from|import|new\s+URL)\s*\(?\s*(['"])(\.\.?\/[^'"?#]+)\1/g;

/**
 * Adds files imported by relative paths, recursively. Found by pattern: a match in a comment adds a file at most, and
 * files that are missed are imported from their original location.
 */
async function addImports(entry: string, found: Map<string, Uint8Array>): Promise<void> {
  const open = [entry, ...[...found.keys()].filter((path) => code.test(path))];
  const seen = new Set<string>();
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const text = new TextDecoder().decode(found.get(path) ?? (await add(path, found)));
    if (!code.test(path)) continue;
    for (const [, , target] of text.replace(types, '').matchAll(relativeImports)) {
      const imported = await fileAt(resolve(dirname(path), target!));
      if (imported !== undefined) open.push(imported);
    }
  }
}

/** The file that a path of an import means: TypeScript may be called by the name of what it would become. */
async function fileAt(path: string): Promise<string | undefined> {
  for (const candidate of [path, path.replace(/js$/, 'ts'), `${path}.ts`, `${path}.js`]) {
    const kind = await stat(candidate).catch(() => undefined);
    if (kind?.isFile()) return candidate;
  }
  return undefined;
}

/** A package.json says how the modules beside it are read. */
async function addManifests(base: string, found: Map<string, Uint8Array>): Promise<void> {
  for (const folder of new Set([...found.keys()].map((path) => dirname(path)))) {
    for (let each = folder; each.startsWith(base); each = dirname(each)) {
      const path = join(each, 'package.json');
      if (!found.has(path) && (await stat(path).catch(() => undefined))?.isFile()) await add(path, found);
      if (each === base || dirname(each) === each) break;
    }
  }
}

const mark = `.portico-${randomBytes(6).toString('hex')}`;
const written = new Set<string>();

/**
 * A module is read once per path, on every runtime, so changed code needs a path of its own. The copy lies below the
 * original, where it finds the packages of its surroundings. Where nothing may be written, it is a temporary file. It goes when the process does. Undefined: nothing can be written anywhere.
 */
export async function copySources(sources: Sources, name: string): Promise<string | undefined> {
  const { base } = sources;
  try {
    return await copyTo(join(base, mark), name, sources);
  } catch {
    const elsewhere = join(tmpdir(), mark);
    return copyTo(elsewhere, name, sources, await packagesAbove(base)).catch(() => undefined);
  }
}

async function copyTo(folder: string, name: string, { base, files }: Sources, packages?: string): Promise<string> {
  const target = join(folder, name);
  await mkdir(target, { recursive: true });
  noteForRemoval(folder);
  for (const [path, bytes] of withManifest(files)) {
    const copy = join(target, path);
    await mkdir(dirname(copy), { recursive: true });
    await writeFile(copy, bytes);
  }
  if (packages !== undefined) await link(packages, target);
  for (const inner of new Set([...files.keys()].map((path) => dirname(path)))) {
    const below = join(base, inner, 'node_modules');
    if (inner !== '.' && (await isFolder(below))) await link(below, join(target, inner));
  }
  return target;
}

/** Plugins are modules: without a word in a package.json, Node 20 would take TypeScript for CommonJS. */
function withManifest(files: Sources['files']): Sources['files'] {
  const name = 'package.json';
  const bytes = files.get(name);
  let manifest: Record<string, unknown> = {};
  try {
    if (bytes) manifest = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return files;
  }
  if (typeof manifest['type'] === 'string' || !areModules(files)) return files;
  return new Map([...files, [name, new TextEncoder().encode(JSON.stringify({ ...manifest, type: 'module' }))]]);
}

function areModules(files: Sources['files']): boolean {
  const scripts = [...files].filter(([path]) => /\.[jt]s$/.test(path));
  return scripts.every(([, bytes]) => !/^\s*(?:module\.)?exports\b/m.test(new TextDecoder().decode(bytes)));
}

/** Links may be forbidden. An import that needs one reports it. */
const link = (packages: string, folder: string): Promise<void> =>
  symlink(packages, join(folder, 'node_modules'), 'junction').catch(() => undefined);

export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function packagesAbove(folder: string): Promise<string | undefined> {
  const packages = join(folder, 'node_modules');
  if (await isFolder(packages)) return packages;
  return dirname(folder) === folder ? undefined : packagesAbove(dirname(folder));
}

function noteForRemoval(folder: string): void {
  if (written.size === 0) process.once('exit', removeCopies);
  written.add(folder);
}

function removeCopies(): void {
  for (const folder of written) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Left behind: nothing reads it.
    }
  }
}
