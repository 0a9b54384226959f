import { expect, test } from 'vitest';
import type { Database } from '../../src/core/store/contract.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { expectWholeAssets } from '../assets/items/invariants.ts';
import { expectPromised, type History, madeIn } from '../simulation/history.ts';
import { openReceiver } from '../support/receiver.ts';
import { crash } from './crash.ts';
import { deliverAll, deliveriesIn, undelivered } from './deliveries-service.ts';
import { gone, limit, readLines } from './history-service.ts';

const kills = Math.ceil(Number(process.env['PORTICO_KILLS'] ?? 3) / 3);
const seed = Number(process.env['PORTICO_SEED'] ?? 20_261_129);

test(
  `killed ${kills} times under clients, who tell of each request: their history is one that the service promises`,
  async () => {
    const receiver = await openReceiver();
    let count = 0;
    receiver.always(async () => (++count % 13 === 0 ? { status: 503 } : {}));

    async function historyOf(database: Database, lines: readonly string[]): Promise<History> {
      const { operations, quotas } = readLines(lines);
      const [[used] = []] = await database.read('SELECT count(*) FROM item');
      const sql = `SELECT item.id, doc FROM item LEFT JOIN metadata_state ON owner_type = 'item' AND owner_id = item.id`;
      const titles = new Map(
        (await database.read(sql)).map(([id, doc]) => [String(id), /"(t\d[\w.]*)"/.exec(String(doc))?.[1]]),
      );
      const items = new Set(operations.flatMap(({ kind, key }) => (kind === 'write' ? key : [])));
      const now = { kind: 'read', invoked: lines.length, answered: lines.length + 1 } as const;
      const seen = [...items].map((key) => ({ ...now, key, value: titles.has(key) ? titles.get(key) : gone }));
      return {
        ...(await deliveriesIn(database, receiver, ['item/create', 'item/delete'])),
        operations: [...operations, ...seen],
        quotas: [...quotas, { limit, used: Number(used) }],
        made: await madeIn((sql) => database.read(sql)),
      };
    }

    async function check(url: string, lines: readonly string[], isLast: boolean): Promise<void> {
      if (isLast) await deliverAll(url);
      const database = await openDatabase(url);
      try {
        const history = await historyOf(database, lines);
        expectPromised(history);
        await expectWholeAssets(database);
        if (isLast) expect(undelivered(history)).toEqual([]);
      } finally {
        await database.close();
      }
    }

    try {
      const child = new URL('./history-child.ts', import.meta.url);
      const { acknowledged } = await crash({
        child,
        args: [receiver.address],
        seed,
        kills,
        within: 1_500,
        least: 120,
        check,
      });
      expect(acknowledged).toBeGreaterThanOrEqual((kills / 2) * 120);
      console.log(`${kills} kills, ${acknowledged} lines of clients, ${receiver.received.length} calls, seed ${seed}`);
    } finally {
      await receiver.close();
    }
  },
  60_000 + kills * 30_000,
);
