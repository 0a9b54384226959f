import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { temporaryDirectory } from '../support/store.ts';
import { leftovers, openFor } from './copies-service.ts';
import { crash } from './crash.ts';
import { bytesFor, sha1 } from './uploads-service.ts';

const kills = Math.max(2, Math.ceil(Number(process.env['PORTICO_KILLS'] ?? 4) / 6));
const seed = Number(process.env['PORTICO_SEED'] ?? 20_261_122);

const hashAt = (...path: readonly string[]) => readFile(join(...path)).then(sha1, () => undefined);

test(
  `killed ${kills} times while it copies and moves: each job ends once, and no bytes are lost`,
  async () => {
    const { path: folder, remove } = await temporaryDirectory();
    const media = join(folder, 'media');

    async function check(url: string, acknowledged: readonly string[], isLast: boolean): Promise<void> {
      if (isLast) await goOn(url);
      const database = await openDatabase(url);
      const jobs = await database.read('SELECT id, status FROM job');
      if (isLast) expect(new Set(jobs.map(([, status]) => status))).toEqual(new Set(['FINISHED']));
      for (const line of acknowledged) {
        const [how, , name = ''] = line.split(' ');
        const expected = sha1(bytesFor(name.slice(name.indexOf('/') + 1)));
        const [source, copy] = [await hashAt(media, 'in', name), await hashAt(media, 'out', name)];
        expect([source, copy], line).toContain(expected);
        if (!isLast) continue;
        expect([source, copy], line).toEqual([how === 'move' ? undefined : expected, expected]);
      }
      const ends = await database.read("SELECT count(*), count(DISTINCT entity_id) FROM event WHERE name = 'job/stop'");
      expect(ends[0]![0]).toBe(ends[0]![1]);
      await database.close();
    }

    /** A start, and its work until nothing is left. */
    async function goOn(url: string): Promise<void> {
      const service = await openFor(url, media);
      const open = () =>
        service.store.read(
          "SELECT 1 FROM job WHERE finished_at IS NULL UNION SELECT 1 FROM file WHERE state = 'TO_BE_DELETED'",
        );
      while ((await open()).length > 0) await service.tick(1000);
      expect(await leftovers(service, media)).toEqual([]);
      await service.close();
    }

    try {
      const child = new URL('./copies-child.ts', import.meta.url);
      const { acknowledged } = await crash({ child, args: [media], seed, kills, within: 1500, least: 2, check });
      expect(acknowledged).toBeGreaterThanOrEqual((kills / 2) * 2);
      console.log(`${kills} kills, ${acknowledged} acknowledged jobs, seed ${seed}`);
    } finally {
      await remove();
    }
  },
  60_000 + kills * 20_000,
);
