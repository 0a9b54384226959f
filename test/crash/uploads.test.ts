import { lstat, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { versionOf } from '../../src/entry/native/file-storage/stored-files.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { temporaryDirectory } from '../support/store.ts';
import { crash } from './crash.ts';
import { bytesFor, leftovers, openFor, send, sha1 } from './uploads-service.ts';

const kills = Math.ceil(Number(process.env['PORTICO_KILLS'] ?? 4) / 3);
const seed = Number(process.env['PORTICO_SEED'] ?? 20_261_122);

test(
  `killed ${kills} times while it receives bytes: no closed file without them, nothing acknowledged is lost`,
  async () => {
    const { path: folder, remove } = await temporaryDirectory();
    const media = join(folder, 'media');
    await mkdir(media);

    /** Checks that each acknowledged file holds the last acknowledged bytes, or later ones of the same sender. */
    async function check(url: string, acknowledged: readonly string[], isLast: boolean): Promise<void> {
      if (isLast) await goOn(url);
      const database = await openDatabase(url);
      const rows = await database.read('SELECT id, path, state, size, content, hash FROM file');
      const publishing = new Set((await database.read('SELECT path FROM publication')).flat());
      const files = new Map(
        rows.map(([id, path, state, size, content, hash]) => [String(id), { path, state, size, content, hash }]),
      );
      for (const { path, state, size, content, hash } of files.values()) {
        if (state !== 'CLOSED') continue;
        const place = join(media, String(path));
        const stats = await lstat(place);
        // The bytes are the new ones, and the row that tells of them is written by the next start.
        if (publishing.has(path!)) continue;
        expect([size, content], String(path)).toEqual([stats.size, versionOf(stats)]);
        if (hash !== null) expect(hash, String(path)).toBe(sha1(await readFile(place)));
      }
      for (const line of acknowledged) {
        const [how, id, name] = line.split(' ') as [string, string, string];
        const file = files.get(id);
        expect(file?.state, line).toBe('CLOSED');
        if (how === 'new')
          expect(sha1(await readFile(join(media, String(file!.path)))), line).toBe(sha1(bytesFor(name)));
      }
      if (isLast) expect(await leftovers(database, media)).toEqual([]);
      await database.close();
    }

    /** A start, and a client that ends what it had begun. */
    async function goOn(url: string): Promise<void> {
      const service = await openFor(url, media);
      const open = await service.store.read(`SELECT name, path FROM transfer WHERE state = 'TRANSFERRING'`);
      for (const [name, path] of open) {
        const bytes = bytesFor(String(name));
        const headers = { size: String(bytes.byteLength), index: '0', 'content-length': String(bytes.byteLength) };
        const request = `POST /API/storage/VX-1/file/data?path=${path}&transferId=${name}`;
        const answer = await send(service, { request, body: bytes, headers });
        expect([name, answer.status, answer.closed]).toEqual([name, 200, true]);
        expect(sha1(await readFile(join(media, String(path))))).toBe(sha1(bytes));
      }
      await service.close();
    }

    try {
      const child = new URL('./uploads-child.ts', import.meta.url);
      const { acknowledged } = await crash({ child, args: [media], seed, kills, within: 1500, least: 10, check });
      expect(acknowledged).toBeGreaterThanOrEqual((kills / 2) * 10);
      console.log(`${kills} kills, ${acknowledged} acknowledged uploads, seed ${seed}`);
    } finally {
      await remove();
    }
  },
  60_000 + kills * 20_000,
);
