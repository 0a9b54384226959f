import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server whose files are never told to be durable: `unsynced-server.ts serve`. Its database is durable as ever. */
const folder = await mkdtemp(join(tmpdir(), 'portico-unsynced-'));
const handle = await open(join(folder, 'any'), 'w');
const handles = Object.getPrototypeOf(handle) as Pick<FileHandle, 'sync' | 'datasync'>;
handles.sync = async () => undefined;
handles.datasync = async () => undefined;
await handle.close();
await rm(folder, { recursive: true });
await import('../../src/entry/cli.ts');
