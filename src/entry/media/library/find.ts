import { readFile, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { isRecord } from '../../../core/lib/is-record.ts';
import { hostConditions, packageEntry } from '../../plugins/package-entry.ts';
import type { LibraryModules } from '../child/library-calls.ts';

export interface InstalledLibrary {
  readonly place: LibraryModules;
  /** Folders that a process reads to load it. */
  readonly reads: readonly string[];
  readonly version: string;
}

const server = join('@mediabunny', 'server');

/** The library that an operator installed in `node_modules` of a folder, with its decoders and encoders. */
export async function findMediaLibrary(folder: string): Promise<InstalledLibrary | undefined> {
  const modules = join(folder, 'node_modules');
  try {
    // A package may lie elsewhere, behind a link: what it needs lies beside it there.
    const own = await realpath(join(modules, server));
    const beside = own.endsWith(sep + server) ? dirname(dirname(own)) : modules;
    const place = {
      server: await entryOf(own),
      library: await entryOf(join(beside, 'mediabunny')),
    };
    const reads = [...new Set([await realpath(modules), beside])];
    return { place, reads, version: await versionOf(own) };
  } catch {
    return undefined;
  }
}

async function entryOf(folder: string): Promise<string> {
  const entry = await packageEntry(folder, hostConditions);
  if (entry === undefined) throw new Error(`Expected a package in "${folder}"`);
  return entry;
}

async function versionOf(folder: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return isRecord(manifest) && typeof manifest['version'] === 'string' ? manifest['version'] : 'unknown';
}
