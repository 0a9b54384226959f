import type { Desk, RoomCommands } from '../room/command.ts';
import type { House } from '../room/house.ts';
import { tellTable, timeOf } from '../room/table.ts';

type OperationDesk = Desk<{ readonly work: House['work']['list'] }>;

export const workCommands: RoomCommands<OperationDesk> = {
  /** What the database tells. What runs and failed in an instance, that instance tells at `GET /work`. */
  work: {
    usage: 'work',
    says: 'Shows what work beside requests waits in the database, and what servers do just now.',
    async run(_line, { offers, tell }) {
      const statuses = await offers.work();
      tellTable(tell, [
        ['kind', 'waiting', 'leased', 'oldest', 'does'],
        ...statuses.map(({ kind, waiting, leased, oldest, says }) => [
          kind,
          String(waiting),
          String(leased ?? ''),
          oldest === undefined ? '' : timeOf(oldest),
          says,
        ]),
      ]);
    },
  },
};
