import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Database } from '../../src/core/store/contract.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { temporaryDirectory } from '../support/store.ts';
import { leftovers, openFor } from './copies-service.ts';
import { crash } from './crash.ts';
import { sha1, textFor } from './uploads-service.ts';

const kills = Math.max(2, Math.ceil(Number(process.env['PORTICO_KILLS'] ?? 4) / 6));
const seed = Number(process.env['PORTICO_SEED'] ?? 20_261_122);

/** Tables whose rows an import keeps as long as it goes on. */
const kept = ['import_claim', 'import_upload_key', 'import_sidecar', 'transcode_output'];

const wholeWithoutFile = `SELECT shape.id FROM shape WHERE placeholder = 0 AND NOT EXISTS (
  SELECT 1 FROM file_use CROSS JOIN file ON file.id = file_id WHERE shape_id = shape.id AND state IN ('CLOSED', 'BEING_READ'))`;

/** Each item with its only file: the storage, the path, and the hash. */
const filesOfItems = `SELECT item.id, group_concat(DISTINCT storage_id || ' ' || path || ' ' || hash) FROM item
  LEFT JOIN file_use ON item_id = item.id LEFT JOIN file ON file.id = file_id GROUP BY item.id`;

test(
  `killed ${kills} times while it imports: each job ends once, and no item, shape or file is there twice`,
  async () => {
    const { path: folder, remove } = await temporaryDirectory();
    const media = join(folder, 'media');

    async function check(url: string, acknowledged: readonly string[], isLast: boolean): Promise<void> {
      if (isLast) await goOn(url);
      const database = await openDatabase(url);
      try {
        expect(await database.read(wholeWithoutFile), 'shapes without a file').toEqual([]);
        const ends = await database.read("SELECT entity_id FROM event WHERE name = 'job/stop'");
        expect(new Set(ends.flat()).size, 'ends of jobs').toBe(ends.length);
        if (isLast) await checkEnd(database, acknowledged);
      } finally {
        await database.close();
      }
    }

    async function checkEnd(database: Database, acknowledged: readonly string[]): Promise<void> {
      const bad = "SELECT id, type, status, data FROM job WHERE status <> 'FINISHED'";
      expect(await database.read(bad), 'jobs that ended badly').toEqual([]);
      const jobs = await database.read('SELECT status, count(*) FROM job GROUP BY status');
      const items = await database.read(filesOfItems);
      // A request makes both in one commit.
      expect(jobs).toEqual([['FINISHED', items.length]]);
      expect(await database.read("SELECT count(*) FROM event WHERE name = 'job/stop'")).toEqual([[items.length]]);
      const files = items.map(([, file]) => String(file));
      expect(new Set(files).size, 'files of items').toBe(items.length);
      const hashes = new Set(files.map((file) => file.split(' ')[2]));
      for (const line of acknowledged) {
        const [how, name = ''] = line.split(' ');
        const hash = sha1(textFor(name.slice(name.indexOf('/') + 1)));
        if (how === 'place') expect(files, line).toContain(`VX-1 ${name} ${hash}`);
        expect(hashes, line).toContain(hash);
      }
      for (const file of files) {
        const [storage, path = '', hash] = file.split(' ');
        expect(sha1(await readFile(join(media, storage === 'VX-1' ? 'in' : 'out', path))), file).toBe(hash);
      }
      const entries = await readdir(join(media, 'out'), { recursive: true, withFileTypes: true });
      const written = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes('.portico'));
      const rows = await database.read("SELECT path FROM file WHERE storage_id = 'VX-2' AND state = 'CLOSED'");
      expect(written.length, 'files that no row has').toBe(rows.length);
      // Bytes of a request that was killed go: a client that heard nothing asks again.
      const ofItems = files.filter((file) => file.startsWith('VX-2'));
      expect(ofItems, 'files that no item has').toHaveLength(rows.length);
    }

    /** A start, and its work until nothing is left. */
    async function goOn(url: string): Promise<void> {
      const service = await openFor(url, media);
      const open = () =>
        service.store.read(
          `SELECT 1 FROM job WHERE finished_at IS NULL UNION SELECT 1 FROM file
            WHERE state = 'TO_BE_DELETED' OR (state = 'CLOSED' AND hash IS NULL)`,
        );
      while ((await open()).length > 0) await service.tick(1000);
      expect(await leftovers(service, media)).toEqual([]);
      for (const table of kept) expect(await service.store.read(`SELECT * FROM ${table}`), table).toEqual([]);
      await service.close();
    }

    try {
      const child = new URL('./imports-child.ts', import.meta.url);
      const { acknowledged } = await crash({ child, args: [media], seed, kills, within: 3000, least: 2, check });
      expect(acknowledged).toBeGreaterThanOrEqual((kills / 2) * 2);
      console.log(`${kills} kills, ${acknowledged} acknowledged imports, seed ${seed}`);
    } finally {
      await remove();
    }
  },
  60_000 + kills * 30_000,
);
