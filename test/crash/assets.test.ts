import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { expectWholeAssets } from '../assets/items/invariants.ts';
import { temporaryDirectory } from '../support/store.ts';
import { crash } from './crash.ts';

const kills = Math.ceil(Number(process.env['PORTICO_KILLS'] ?? 3) / 3);
const seed = Number(process.env['PORTICO_SEED'] ?? 20_261_121);

test(
  `killed (${kills}) among items, metadata and collections: what was answered is there, and nothing is half there`,
  async () => {
    const { path: folder, remove } = await temporaryDirectory();
    const media = join(folder, 'media');
    await mkdir(media);

    async function check(url: string, told: readonly string[]): Promise<void> {
      const database = await openDatabase(url);
      await expectWholeAssets(database);
      const idsOf = (word: string) => told.flatMap((line) => (line.startsWith(`${word} `) ? [line.split(' ')] : []));
      const [going, gone] = [new Set(idsOf('going').map(([, id]) => id)), new Set(idsOf('gone').map(([, id]) => id))];
      const items = new Set((await database.read('SELECT id FROM item')).flat());
      for (const [, item] of idsOf('made')) if (!going.has(item)) expect(items, item).toContain(item);
      for (const item of gone) expect(items).not.toContain(item);
      for (const [, item, title] of idsOf('put')) {
        if (going.has(item)) continue;
        const [doc] = await database.read(`SELECT doc FROM metadata_state WHERE owner_type = 'item' AND owner_id = ?`, [
          item!,
        ]);
        expect(doc?.[0], item).toContain(title);
      }
      await database.close();
    }

    try {
      const child = new URL('./assets-child.ts', import.meta.url);
      const { acknowledged } = await crash({ child, args: [media], seed, kills, within: 1500, least: 4, check });
      expect(acknowledged).toBeGreaterThan(0);
    } finally {
      await remove();
    }
  },
  60_000 + kills * 20_000,
);
