import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import type { Sources } from './sources.ts';

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

const isFolder = (path: string): Promise<boolean> =>
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
