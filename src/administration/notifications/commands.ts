import { parseDateTime } from '../../core/documents/index.ts';
import { parseSpan } from '../../core/lib/clock.ts';
import { CommandError, type CommandLine, type Desk, type RoomCommands, tellTable, timeOf } from '../../room/command.ts';
import type { createOperator } from './operator.ts';

type NotificationDesk = Desk<{ readonly operator: ReturnType<typeof createOperator> }>;

export const notificationCommands: RoomCommands<NotificationDesk> = {
  deliveries: {
    usage: 'deliveries [NOTIFICATION]',
    says: 'Shows the health of notifications, or the last delivery attempts of one.',
    optional: ['NOTIFICATION'],
    about: { NOTIFICATION: 'The id of a notification, or one of its external ids.' },
    run: async ({ words: [name] }, desk) =>
      name === undefined ? showAll(desk) : showOne(desk, await idOf(desk, name)),
  },
  replay: {
    usage: 'replay NOTIFICATION --since TIME [--parked] [--dry-run]',
    says: 'Sends events again: all since a time (2030-01-31T12:00:00Z, or 6h ago), or the parked ones.',
    words: ['NOTIFICATION'],
    flags: ['--parked', '--dry-run'],
    options: ['--since'],
    about: {
      '--since': 'The time from which events are sent again.',
      '--parked': 'Sends only the events that were given up.',
      '--dry-run': 'Counts the events and sends none.',
    },
    run: (line, desk) => replay(desk, line, sinceOf(line, desk.now())),
  },
};

const mostShown = 1_000;
const attemptsShown = 20;

async function showAll({ offers, tell }: NotificationDesk): Promise<void> {
  const rows = await offers.operator.overview(mostShown);
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
  if (rows.length === mostShown) tell(`The first ${mostShown} are shown`);
}

async function showOne({ offers, tell }: NotificationDesk, id: string): Promise<void> {
  const rows = await offers.operator.attempts(id, attemptsShown);
  if (rows.length === 0) return tell(`Nothing was sent for ${id} yet`);
  tellTable(tell, [
    ['started', 'event', 'entity', 'attempt', 'state', 'status', 'error', 'ms', 'explanation'],
    ...rows.map(cellsOf),
  ]);
}

type AttemptRow = Awaited<ReturnType<NotificationDesk['offers']['operator']['attempts']>>[number];

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

async function replay(desk: NotificationDesk, line: CommandLine, since: number): Promise<void> {
  const id = await idOf(desk, line.words[0] ?? '');
  const dryRun = line.has('--dry-run');
  const { found, done } = await desk.offers.operator.replay({
    id,
    since,
    dryRun,
    onlyParked: line.has('--parked'),
  });
  if (!done) return desk.tell(`${found} events are sent again so far; the servers go on with the others`);
  desk.tell(`${found} events since ${timeOf(since)} ${dryRun ? 'would be' : 'are'} sent again`);
}

async function idOf({ offers }: NotificationDesk, name: string): Promise<string> {
  const id = await offers.operator.find(name);
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
