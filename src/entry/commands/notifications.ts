import { parseDateTime } from '../../documents/index.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Service } from '../../service.ts';
import { tell } from '../output.ts';
import { type Command, CommandError, type Given } from './command.ts';
import { withService } from './session.ts';
import { table, timeOf } from './table.ts';

/** For whoever has the database, beside a running server. */
export const notificationCommands: readonly (readonly [string, Command])[] = [
  [
    'deliveries',
    {
      usage: 'deliveries [NOTIFICATION]',
      says: 'Shows how notifications are doing, or the last attempts to deliver one.',
      optional: ['NOTIFICATION'],
      run: (given) =>
        withService(given.settings(), async (service) => {
          await service.store.checkSchema();
          const [name] = given.words;
          if (name === undefined) return showAll(service);
          await showOne(service, await idOf(service, name));
        }),
    },
  ],
  [
    'replay',
    {
      usage: 'replay NOTIFICATION --since TIME [--parked] [--dry-run]',
      says: 'Sends events again: all since a time (2030-01-31T12:00:00Z, or 6h ago), or those that were given up.',
      words: ['NOTIFICATION'],
      flags: ['--parked', '--dry-run'],
      options: ['--since'],
      run: (given) => {
        const since = sinceOf(given, systemClock.now());
        return withService(given.settings(), async (service) => {
          await service.store.checkSchema();
          await replay(service, given, since);
        });
      },
    },
  ],
];

const mostShown = 1_000;
const attemptsShown = 20;

async function showAll({ rooms }: Service): Promise<void> {
  const rows = await rooms.notifications.operator.overview(mostShown);
  if (rows.length === 0) return tell('There are no notifications');
  table([
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

async function showOne({ rooms }: Service, id: string): Promise<void> {
  const rows = await rooms.notifications.operator.attempts(id, attemptsShown);
  if (rows.length === 0) return tell(`Nothing was sent for ${id} yet`);
  table([
    ['started', 'event', 'entity', 'attempt', 'state', 'status', 'error', 'ms', 'explanation'],
    ...rows.map(cellsOf),
  ]);
}

type AttemptRow = Awaited<ReturnType<Service['rooms']['notifications']['operator']['attempts']>>[number];

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

async function replay(service: Service, given: Given, since: number): Promise<void> {
  const id = await idOf(service, given.words[0] ?? '');
  const dryRun = given.has('--dry-run');
  const { found, done } = await service.rooms.notifications.operator.replay({
    id,
    since,
    dryRun,
    onlyParked: given.has('--parked'),
  });
  if (!done) return tell(`${found} events are sent again so far; the servers go on with the others`);
  tell(`${found} events since ${timeOf(since)} ${dryRun ? 'would be' : 'are'} sent again`);
}

async function idOf({ rooms }: Service, name: string): Promise<string> {
  const id = await rooms.notifications.operator.find(name);
  if (id !== undefined) return id;
  throw new CommandError(`Expected the id of a notification: "${name.slice(0, 80)}"`);
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function sinceOf(given: Given, now: number): number {
  const text = given.option('--since').at(-1);
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text ?? '') ?? [];
  const time = unit === undefined ? parseDateTime(text ?? '') : now - Number(count) * units[unit]!;
  if (time !== undefined) return time;
  const found = text === undefined ? 'it is missing' : `"${text.slice(0, 80)}"`;
  throw new CommandError(`Expected a time such as 2030-01-31T12:00:00Z, or 90m, 6h, 2d, after --since: ${found}`);
}
