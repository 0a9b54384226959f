import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inByteOrder } from '../../src/core/lib/bytes.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { temporaryDirectory } from '../support/store.ts';
import { crash } from './crash.ts';
import { openFor, send } from './uploads-service.ts';

const kills = Math.max(2, Math.ceil(Number(process.env['PORTICO_KILLS'] ?? 4) / 6));
const seed = Number(process.env['PORTICO_SEED'] ?? 20_261_123);
const files = 1500;

test(
  `killed ${kills} times while it scans: no file is new twice, and the next scan goes on behind the cursor`,
  async () => {
    const { path: folder, remove } = await temporaryDirectory();
    const media = join(folder, 'media');
    for (let at = 0; at < 15; at++) await mkdir(join(media, `d${at}`), { recursive: true });
    const paths = Array.from({ length: files }, (_, at) => `d${at % 15}/f${at}`);
    for (const path of paths) await writeFile(join(media, path), 'x');

    async function check(url: string, _told: readonly string[], isLast: boolean): Promise<void> {
      if (isLast) await goOn(url);
      const database = await openDatabase(url);
      const rows = await database.read('SELECT id, path, state FROM file');
      const events = await database.read(
        `SELECT entity_id, COUNT(*) FROM event WHERE name = 'file/new' GROUP BY entity_id`,
      );
      expect(events.map(([, count]) => count)).toEqual(rows.map(() => 1));
      expect(new Set(events.map(([id]) => id))).toEqual(new Set(rows.map(([id]) => id)));
      expect(rows.filter(([, , state]) => state !== 'OPEN')).toEqual([]);
      const cursor = (await database.read('SELECT cursor FROM storage_scan'))[0]?.[0];
      if (typeof cursor === 'string') {
        const done = paths.filter((path) => inByteOrder(path, cursor) <= 0);
        expect(rows.map(([, path]) => path).toSorted()).toEqual(expect.arrayContaining(done));
      }
      if (isLast) expect([rows.length, cursor]).toEqual([files, null]);
      await database.close();
    }

    async function goOn(url: string): Promise<void> {
      const service = await openFor(url, media);
      await send(service, { request: 'POST /API/storage/VX-1/rescan' });
      await service.tick();
      await service.close();
    }

    try {
      await crash({
        child: new URL('./scans-child.ts', import.meta.url),
        args: [media],
        seed,
        kills,
        within: 400,
        least: 0,
        check,
      });
    } finally {
      await remove();
    }
  },
  60_000 + kills * 20_000,
);
