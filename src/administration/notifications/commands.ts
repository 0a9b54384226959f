import { parseDateTime } from '../../core/documents/index.ts';
import { type Clock, parseSpan } from '../../core/lib/clock.ts';
import type { Actor } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import {
  type CommandContext,
  CommandError,
  type CommandLine,
  type RoomCommands,
  tellTable,
  timeOf,
} from '../../room/command.ts';
import { listAttempts } from './attempts/store.ts';
import { listHealth } from './health/store.ts';
import { findAnywhere } from './registration/store.ts';
import type { Replays } from './replay/replays.ts';
import { beginning, type ReplayRequest } from './replay/replays.ts';
import { findReplay } from './replay/store.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly actor: Actor;
  readonly replays: Pick<Replays, 'work'>;
}

const newest = { started: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

/** Operations for an operator with access to the database, without the API. */
export function createOperator({ store, clock, actor, replays }: Parts) {
  return {
    /** Id of a notification, found by its id or an external id. */
    find: async (name: string): Promise<string | undefined> => (await findAnywhere(store, { name }))[0]?.id,

    /** State of the notifications: first those that do not deliver, then those with most parked events. */
    overview: (limit: number) => listHealth(store, { limit }),

    /** Recent attempts of one notification, the newest first. */
    attempts: (notificationId: string, limit: number) =>
      listAttempts(store, { notificationId, since: 0, before: newest, state: undefined, entity: undefined, limit }),

    /** Sends events again, or counts them. Not done: so much waits that the servers have to deliver some of it first. */
    async replay(
      request: Omit<ReplayRequest, 'user' | 'now'>,
    ): Promise<{ readonly found: number; readonly done: boolean }> {
      await store.commit(await beginning(store, { ...request, user: actor.user, now: clock.now() }), actor);
      for (;;) {
        const pause = await replays.work();
        const [row] = await findReplay(store, { id: request.id });
        const done = row?.state === 'done';
        if (done || pause !== 0) return { found: row?.found ?? 0, done };
      }
    },
  };
}

type NotificationCommandContext = CommandContext<{ readonly operator: ReturnType<typeof createOperator> }>;

export const notificationCommands: RoomCommands<NotificationCommandContext> = {
  deliveries: {
    usage: 'deliveries [NOTIFICATION]',
    says: 'Shows the health of notifications, or the last delivery attempts of one.',
    optional: ['NOTIFICATION'],
    about: { NOTIFICATION: 'The id of a notification, or one of its external ids.' },
    run: async ({ words: [name] }, context) =>
      name === undefined ? showAll(context) : showOne(context, await idOf(context, name)),
  },
  replay: {
    usage: 'replay NOTIFICATION --since TIME [--parked] [--dry-run]',
    says: 'Sends events again: all since a time (2030-01-31T12:00:00Z, or 6h for six hours ago), or the parked ones.',
    words: ['NOTIFICATION'],
    flags: ['--parked', '--dry-run'],
    options: ['--since'],
    about: {
      '--since': 'The time from which events are sent again.',
      '--parked': 'Sends only the events that were given up.',
      '--dry-run': 'Counts the events and sends none.',
    },
    run: (line, context) => replay(context, line, sinceOf(line, context.now())),
  },
};

const maxShown = 1_000;
const attemptsShown = 20;

async function showAll({ provides, tell }: NotificationCommandContext): Promise<void> {
  const rows = await provides.operator.overview(maxShown);
  if (rows.length === 0) return tell('There are no notifications');
  tellTable(tell, [
    ['notification', 'at', 'state', 'delivered', 'failed', 'parked', 'waits', 'reason'],
    ...rows.map(({ id, resource, entity, state, delivered, failed, parked, waits, reason }) => [
      id,
      entity === '' ? resource : `${resource}/${entity}`,
      state,
      String(delivered),
      String(failed),
      String(parked),
      waits === 1 ? 'yes' : '',
      reason ?? '',
    ]),
  ]);
  if (rows.length === maxShown) tell(`The first ${maxShown} are shown`);
}

async function showOne({ provides, tell }: NotificationCommandContext, id: string): Promise<void> {
  const rows = await provides.operator.attempts(id, attemptsShown);
  if (rows.length === 0) return tell(`Nothing was sent for ${id} yet`);
  tellTable(tell, [
    ['started', 'event', 'entity', 'attempt', 'state', 'status', 'error', 'ms', 'explanation'],
    ...rows.map(cellsOf),
  ]);
}

type AttemptRow = Awaited<ReturnType<NotificationCommandContext['provides']['operator']['attempts']>>[number];

const cellsOf = ({ started, event, entityId, number, state, status, error, ended, says }: AttemptRow): string[] => [
  timeOf(started),
  event,
  entityId,
  String(number),
  state,
  String(status ?? ''),
  error ?? '',
  String(ended - started),
  says ?? '',
];

async function replay(context: NotificationCommandContext, line: CommandLine, since: number): Promise<void> {
  const id = await idOf(context, line.words[0] ?? '');
  const dryRun = line.has('--dry-run');
  const { found, done } = await context.provides.operator.replay({
    id,
    since,
    dryRun,
    onlyParked: line.has('--parked'),
  });
  if (!done) return context.tell(`${found} events are sent again so far; the servers go on with the others`);
  context.tell(`${found} events since ${timeOf(since)} ${dryRun ? 'would be' : 'are'} sent again`);
}

async function idOf({ provides }: NotificationCommandContext, name: string): Promise<string> {
  const id = await provides.operator.find(name);
  if (id !== undefined) return id;
  throw new CommandError(`Expected the id of a notification: "${name.slice(0, 80)}"`);
}

function sinceOf(line: CommandLine, now: number): number {
  const text = line.option('--since').at(-1);
  const span = parseSpan(text ?? '');
  const time = span === undefined ? parseDateTime(text ?? '') : now - span;
  if (time !== undefined) return time;
  const problem = text === undefined ? 'it is missing' : `"${text.slice(0, 80)}"`;
  throw new CommandError(`Expected a time such as 2030-01-31T12:00:00Z, or 90m, 6h, 2d, after --since: ${problem}`);
}
