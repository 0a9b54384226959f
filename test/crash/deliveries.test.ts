import { expect, test } from 'vitest';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { openReceiver } from '../support/receiver.ts';
import { crash } from './crash.ts';
import { lanes, openFor } from './deliveries-service.ts';

const kills = Math.ceil(Number(process.env['PORTICO_KILLS'] ?? 4) / 3);
const seed = Number(process.env['PORTICO_SEED'] ?? 20_261_121);

test(
  `killed ${kills} times while it commits and delivers: nothing committed is lost, nothing is told that did not happen`,
  async () => {
    const receiver = await openReceiver();
    let count = 0;
    // Slow now and then, and out of order now and then.
    receiver.always(async () => {
      count++;
      if (count % 29 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      return count % 31 === 0 ? { status: 503 } : {};
    });
    const idsSeen = () => receiver.received.map(({ headers }) => String(headers['webhook-id']));

    async function check(url: string, acknowledged: readonly string[], isLast: boolean): Promise<void> {
      if (isLast) {
        const service = await openFor(url);
        const isWaiting = async () => (await service.store.read('SELECT 1 FROM outbox LIMIT 1')).length > 0;
        for (let next = 0; await isWaiting(); next = (await service.tick())!) {
          await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - Date.now())));
        }
        await service.close();
      }
      const database = await openDatabase(url);
      const rows = async (sql: string) => (await database.read(sql)).map((row) => row.join('_'));
      const events = new Map(
        (await database.read(`SELECT sequence, entity_id FROM event WHERE name = 'group/create'`)).map(
          ([sequence, group]) => [String(sequence), String(group)],
        ),
      );
      const groups = new Set(events.values());
      expect(
        acknowledged.filter((group) => !groups.has(group)),
        'acknowledged, but not there',
      ).toEqual([]);
      const notifications = await rows('SELECT id FROM notification');
      expect(notifications).toHaveLength(lanes);
      const waiting = new Set(await rows('SELECT notification_id, sequence FROM outbox'));
      const told = new Set(await rows(`SELECT notification_id, sequence FROM attempt WHERE state = 'delivered'`));
      const all = notifications.flatMap((id) => [...events.keys()].map((sequence) => `${id}_${sequence}`));
      expect(
        all.filter((id) => waiting.has(id) === told.has(id)),
        'neither waiting nor delivered, or both',
      ).toEqual([]);
      const seen = new Set(idsSeen());
      expect(
        [...told].filter((id) => !seen.has(id)),
        'delivered without a call',
      ).toEqual([]);
      expect(
        [...seen].filter((id) => !events.has(id.split('_')[1]!)),
        'told, but never happened',
      ).toEqual([]);
      if (isLast)
        expect(
          all.filter((id) => !seen.has(id)),
          'never told',
        ).toEqual([]);
      await database.close();
    }

    try {
      const child = new URL('./deliveries-child.ts', import.meta.url);
      const { acknowledged } = await crash({
        child,
        args: [receiver.address],
        seed,
        kills,
        within: 800,
        least: 40,
        check,
      });
      expect(acknowledged).toBeGreaterThanOrEqual((kills / 2) * 40);
      for (const order of firstDeliveries(idsSeen())) expect(order).toEqual([...order].sort((a, b) => a - b));
      console.log(
        `${kills} kills, ${acknowledged} acknowledged commits, ${receiver.received.length} calls, seed ${seed}`,
      );
    } finally {
      await receiver.close();
    }
  },
  60_000 + kills * 15_000,
);

/** The sequences of each notification, in the order in which they came first. */
function firstDeliveries(ids: readonly string[]): number[][] {
  const orders = new Map<string, number[]>();
  for (const id of new Set(ids)) {
    const [notification = '', sequence] = id.split('_');
    orders.set(notification, [...(orders.get(notification) ?? []), Number(sequence)]);
  }
  return [...orders.values()];
}
