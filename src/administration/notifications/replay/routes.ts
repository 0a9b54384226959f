import { ServiceError } from '../../../core/lib/errors.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { badParameter, choice, flag, moment } from '../../../http/parameters/index.ts';
import { type Route, route } from '../../../http/route.ts';
import { subjectOf } from '../../../security/caller.ts';
import { type Replay, replayDocument } from '../documents/notification-state.ts';
import type { NotificationParts } from '../place.ts';
import { type NotificationResource, notificationIn } from '../place.ts';
import { beginning } from './replays.ts';
import { endReplay, findReplay, type ReplayRow } from './store.ts';

export interface ReplayParts extends NotificationParts {
  /** A first step: a short replay is done with its answer. */
  readonly replays: { work(): Promise<unknown> };
}

const noSince = 'Expected the time of the first event to send again: since=2030-01-31T12:00:00Z, or since=6h';

/** Routes for replays, of all events since a time or of parked ones. */
export function replayRoutes(parts: ReplayParts, at: NotificationResource): readonly Route[] {
  const { store, clock } = parts;
  const path = `${at.path}/:notification{opaque}/replay`;
  const entities = notificationIn(parts, at);
  return [
    route({
      method: 'GET',
      path,
      says: 'The progress of the last replay of a notification.',
      entities,
      answers: replayDocument,
      access: at.read,
      async handle(_call, { notification: { id } }) {
        const [row] = await findReplay(store, { id });
        if (!row) throw new ServiceError('no-such-entity', { type: 'Replay', id });
        return documentOf(row);
      },
    }),
    route({
      method: 'POST',
      path,
      says: 'Sends events again, since a time.',
      query: {
        since: moment('Time of the first event to send again, or how long ago. Default with only=parked: all'),
        dryRun: flag('Counts the events and sends none', false),
        only: choice('Only parked events', ['parked']),
      },
      entities,
      answers: replayDocument,
      access: at.write,
      acting: 'allowed',
      async handle(call, { notification: { id } }) {
        const { since, dryRun, only } = call.query;
        const onlyParked = only === 'parked';
        if (!since && !onlyParked) throw badParameter('since', noSince);
        const now = clock.now();
        const request = { id, since: since?.(now) ?? 0, onlyParked, dryRun, user: subjectOf(call).name, now };
        await call.commit(await beginning(store, request));
        await parts.replays.work();
        const [row] = await findReplay(store, { id });
        return documentOf(row!);
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Stops a replay.',
      entities,
      access: at.write,
      acting: 'allowed',
      handle: (call, { notification: { id } }) => call.commit(changing(endReplay({ id, now: clock.now() }))),
    }),
  ];
}

const documentOf = (row: ReplayRow): Replay => ({
  state: row.state,
  dryRun: row.dryRun === 1,
  parked: row.onlyParked === 1,
  since: row.since,
  scanned: row.scanned,
  found: row.found,
  user: row.askedBy,
  started: row.askedAt,
  ended: row.endedAt ?? undefined,
});
