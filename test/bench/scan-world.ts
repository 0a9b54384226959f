import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAllIn } from '../../src/core/lib/bytes.ts';
import { systemClock } from '../../src/core/lib/clock.ts';
import { systemActor } from '../../src/core/store/contract.ts';
import { openStore, type Store } from '../../src/core/store/store.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import type { StorageDriver, StoredFile } from '../../src/spi/index.ts';
import { filesBetween } from '../../src/storage/scanning/merging/store.ts';
import { createScans } from '../../src/storage/scanning/turns/scan.ts';
import { fillStorages } from '../support/many-rows.ts';
import { migrations } from '../support/store.ts';
import { held } from '../support/work.ts';

const storage = 'VX-1';
const quiet = { write: () => undefined, writes: () => false };

const pathOf = (at: number): string =>
  `folder-${String(Math.floor(at / 100)).padStart(5, '0')}/file-${String(at).padStart(7, '0')}.mov`;

/** Closed files as a scan has left them, written by the engine. */
async function fill(store: Store, count: number): Promise<void> {
  await fillStorages(store, 1);
  const sql = `WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
    INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, size, modified, content, identity, hash,
      changed_at, timestamp, version)
    SELECT 'VX-' || (i + 1), i + 1, '${storage}', printf('folder-%05d/file-%07d.mov', i / 100, i),
      printf('folder-%05d/', i / 100), printf('file-%07d.mov', i), 'mov', 'CLOSED', i, i * 1000, 'v' || i, 'i' || i,
      printf('%040d', i), 0, 0, 1 FROM n`;
  const batch = 100_000;
  for (let at = 0; at < count; at += batch) {
    await store.commit({ changes: [{ sql, args: [at, Math.min(at + batch, count) - 1] }], events: [] }, systemActor);
  }
}

/** Lists the same files. */
function listing(count: number, onPage: () => void): StorageDriver {
  const fileAt = (at: number): StoredFile => ({
    path: pathOf(at),
    size: at,
    modified: at * 1000,
    version: `v${at}`,
    identity: `i${at}`,
  });
  return {
    can: { list: true, write: false, parts: false, createOnly: false, sign: false },
    check: async () => ({}),
    stat: async (path) => fileAt(Number(path.slice(-11, -4))),
    read: () => Promise.reject(new Error('Nobody reads')),
    async list({ after, limit }) {
      onPage();
      const from = after === undefined ? 0 : Number(after.slice(-11, -4)) + 1;
      const files = Array.from({ length: Math.min(limit, count - from) }, (_, at) => fileAt(from + at));
      return from + limit < count ? { files, next: files.at(-1)!.path } : { files };
    },
  };
}

const due = `INSERT INTO storage_scan (storage_id, due, instance, lease_until, fence, found) VALUES ('${storage}', 0, '', 0, 0, '{}')
  ON CONFLICT (storage_id) DO UPDATE SET due = 0`;

/** A storage whose files are as their rows say. */
export interface ScanWorld {
  /** Runs one scan, which writes nothing of the files. */
  scan(): Promise<void>;
  /** Reads the same rows by pages. */
  select(): Promise<void>;
  /** Throws where a scan has written a file. */
  close(): Promise<void>;
}

/** `onPage` is told of each page that a scan or a read asks for. */
export async function scanWorld(count: number, onPage: () => void = () => undefined): Promise<ScanWorld> {
  const root = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const store = openStore(await openDatabase(`file:${join(root, 'portico.db')}`), {
    clock: systemClock,
    site: 'B',
    migrations,
  });
  await store.migrate();
  await fill(store, count);
  const driver = listing(count, onPage);
  const scans = createScans({
    store,
    clock: systemClock,
    log: quiet,
    places: {
      of: async () => driver,
      schemeFor: () => undefined,
      unread: () => undefined,
      close: async () => undefined,
    },
    instanceId: 'bench',
    sharesWork: true,
    settings: { closeLimit: 15, maxLostPercent: 10 },
  });
  return {
    async scan() {
      await store.commit({ changes: [{ sql: due, args: [] }], events: [] }, systemActor);
      await scans.turn({ key: storage, held: undefined }, held);
    },
    async select() {
      const reader = store.reader('bench');
      for (let after = ''; ; ) {
        onPage();
        const rows = await filesBetween(reader, { id: storage, after, upTo: afterAllIn(), limit: 1000 });
        if (rows.length === 0) return;
        after = rows.at(-1)!.path;
      }
    },
    async close() {
      const written = await store.read('SELECT COUNT(*) FROM file WHERE version > 1');
      await store.close();
      await rm(root, { recursive: true, force: true });
      if (written[0]![0] !== 0) throw new Error(`Expected no file to be written: ${written[0]![0]}`);
    },
  };
}
