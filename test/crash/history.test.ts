import { expect, test } from 'vitest';
import type { Database } from '../../src/core/store/contract.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { complaintsAbout, type History } from '../simulation/history.ts';
import { openReceiver } from '../support/receiver.ts';
import { crash } from './crash.ts';
import { openFor } from './deliveries-service.ts';
import { limit, readLines } from './history-service.ts';

const kills = Math.ceil(Number(process.env['PORTICO_KILLS'] ?? 3) / 3);
const seed = Number(process.env['PORTICO_SEED'] ?? 20_261_129);

test(
  `killed ${kills} times under clients, who tell of each request: their history is one that the service promises`,
  async () => {
    const receiver = await openReceiver();
    let count = 0;
    receiver.always(async () => (++count % 13 === 0 ? { status: 503 } : {}));

    async function historyOf(database: Database, lines: readonly string[]): Promise<History> {
      const numbers = async (sql: string) => (await database.read(sql)).map(([number]) => Number(number));
      const made = (await database.read('SELECT key, made FROM keyed_request')).map(([key, id]) => ({
        key: String(key),
        id: String(id),
      }));
      const [[lane = ''] = []] = await database.read('SELECT id FROM notification');
      const heard = receiver.received.map(({ headers }) => ({
        lane: String(lane),
        sequence: Number(String(headers['webhook-id']).split('_')[1]),
      }));
      const lanes = [
        {
          lane: String(lane),
          events: await numbers(`SELECT sequence FROM event WHERE name IN ('item/create', 'item/delete')`),
          waiting: await numbers('SELECT sequence FROM outbox'),
          parked: await numbers('SELECT sequence FROM parked'),
          delivered: await numbers(`SELECT DISTINCT sequence FROM attempt WHERE state = 'delivered'`),
          dropped: await numbers(`SELECT DISTINCT sequence FROM attempt WHERE state = 'dropped'`),
        },
      ];
      const { operations, quotas } = readLines(lines);
      const used = (await numbers('SELECT count(*) FROM item'))[0]!;
      return { operations, heard, lanes, quotas: [...quotas, { limit, used }], made };
    }

    async function check(url: string, lines: readonly string[], isLast: boolean): Promise<void> {
      if (isLast) await goOn(url);
      const database = await openDatabase(url);
      try {
        const history = await historyOf(database, lines);
        const complaints = complaintsAbout(history);
        if (complaints.length > 0) throw new Error(complaints.slice(0, 10).join('\n'));
        const there = new Set((await database.read('SELECT id FROM item')).flat());
        const { deleted } = readLines(lines);
        expect(
          deleted.filter((id) => there.has(id)),
          'deleted, but there',
        ).toEqual([]);
        if (isLast) expect(history.lanes[0]!.waiting, 'never delivered').toEqual([]);
      } finally {
        await database.close();
      }
    }

    /** A start, and its deliveries until nothing waits. */
    async function goOn(url: string): Promise<void> {
      const service = await openFor(url);
      const isWaiting = async () => (await service.store.read('SELECT 1 FROM outbox LIMIT 1')).length > 0;
      for (let next = 0; await isWaiting(); next = (await service.tick())!)
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - Date.now())));
      await service.close();
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
