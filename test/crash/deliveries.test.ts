import { expect, test } from 'vitest';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { expectPromised, nothingSeen } from '../simulation/history.ts';
import { openReceiver } from '../support/receiver.ts';
import { crash } from './crash.ts';
import { deliverAll, deliveriesIn, lanes, undelivered } from './deliveries-service.ts';

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

    async function check(url: string, acknowledged: readonly string[], isLast: boolean): Promise<void> {
      if (isLast) await deliverAll(url);
      const database = await openDatabase(url);
      const deliveries = await deliveriesIn(database, receiver, ['group/create']);
      expect(deliveries.lanes).toHaveLength(lanes);
      const groups = await database.read(`SELECT entity_id FROM event WHERE name = 'group/create'`);
      expectPromised({
        ...nothingSeen,
        ...deliveries,
        operations: acknowledged.map((key, at) => ({ kind: 'create', key, id: key, invoked: at, answered: at })),
        made: groups.map(([group]) => ({ key: String(group), id: String(group) })),
      });
      if (isLast) expect(undelivered(deliveries)).toEqual([]);
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
      console.log(
        `${kills} kills, ${acknowledged} acknowledged commits, ${receiver.received.length} calls, seed ${seed}`,
      );
    } finally {
      await receiver.close();
    }
  },
  60_000 + kills * 15_000,
);
