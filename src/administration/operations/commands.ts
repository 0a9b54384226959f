import { ServiceError } from '../../core/lib/errors.ts';
import { type CommandContext, CommandError, type RoomCommands, tellTable, timeOf } from '../../room/command.ts';
import type { RoomContext } from '../../room/context.ts';
import type { adminsSample } from './sample-routes.ts';
import { planUpgrade, type UpgradePlan } from './upgrade-plan.ts';

type OperationCommandContext = CommandContext<{
  readonly work: RoomContext['work']['list'];
  keyDefect(): Promise<string | undefined>;
  acceptKey(): Promise<void>;
  readonly sample: ReturnType<typeof adminsSample>;
}>;

export const operationCommands: RoomCommands<OperationCommandContext> = {
  'upgrade-plan': {
    usage: 'upgrade-plan FROM TO',
    says: 'Shows the steps of an upgrade from one release of the original to another, in order.',
    words: ['FROM', 'TO'],
    async run({ words: [from = '', to = ''] }, { tell }) {
      const { step } = planned(from, to);
      if (step.length === 0) return tell('Nothing has to be done');
      const rows = step.map(({ task, release, says, command = '' }) => [task, release, says, command]);
      tellTable(tell, [['task', 'release', 'why', 'how'], ...rows]);
    },
  },
  'accept-key': {
    usage: 'accept-key',
    says: 'Takes the present secret key for the right one, where the former is lost. Secrets that are stored have to be stored again.',
    async run(_line, { provides, tell }) {
      if ((await provides.keyDefect()) === undefined) return tell('The key is the one that the database knows');
      await provides.acceptKey();
      tell('The key is accepted. Secrets that were stored under another one stay unreadable: store them again');
    },
  },
  'sample remove': {
    usage: 'sample remove',
    says: 'Removes the library that serve --sample made, and nothing else.',
    opensStorages: true,
    async run(_line, { provides, tell }) {
      if (!(await provides.sample.isThere())) return tell('The sample is removed already, or was never made');
      const { removed, kept: inUse } = await provides.sample.remove();
      tell([`Removed ${removed} entities`, ...inUse.map((path) => `  in use by others, and kept: ${path}`)].join('\n'));
    },
  },
  /** Work in the database. Running and failed work of an instance is shown by that instance at `GET /work`. */
  work: {
    usage: 'work',
    says: 'Shows waiting background work in the database, and what servers are running.',
    async run(_line, { provides, tell }) {
      const statuses = await provides.work();
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

function planned(from: string, to: string): UpgradePlan {
  try {
    return planUpgrade(from, to);
  } catch (error) {
    if (error instanceof ServiceError) throw new CommandError(String(error.detail.explanation));
    throw error;
  }
}
