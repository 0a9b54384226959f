import type { Command } from './command.ts';
import { withService } from './session.ts';
import { table, timeOf } from './table.ts';

/** What the database tells of the work beside requests. What runs and failed in an instance, it tells at `GET /work`. */
export const workCommand: Command = {
  usage: 'work',
  says: 'Shows what work beside requests waits in the database, and what servers do just now.',
  run: (given) =>
    withService(given.settings(), async ({ store, rooms }) => {
      await store.checkSchema();
      const statuses = await rooms.operations.work();
      table([
        ['kind', 'waiting', 'leased', 'oldest', 'does'],
        ...statuses.map(({ kind, waiting, leased, oldest, says }) => [
          kind,
          String(waiting),
          String(leased ?? ''),
          oldest === undefined ? '' : timeOf(oldest),
          says,
        ]),
      ]);
    }),
};
