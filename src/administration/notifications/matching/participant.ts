import type { Triggers } from '../../../core/events/event-kinds.ts';
import { Recent } from '../../../core/lib/cache.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import type { Maybe } from '../../../core/lib/maybe.ts';
import type { Actor, Committing, EventRecord, Participant, Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { mailOnly } from '../mail/kinds.ts';
import { followName } from '../mail/user-sql.ts';
import { buryEntity } from '../registration/store.ts';
import { resourceEnding } from '../resources.ts';
import { accepts, type Filters, filtersOf, selectorsOfEvent } from '../trigger/subscriptions.ts';
import {
  type EventKey,
  type EventOffset,
  matchChosen,
  matchOne,
  matchRest,
  matchSeveral,
  parkChosen,
  parkRest,
  selectAsked,
  selectDocuments,
  trimLoops,
} from './store.ts';

/** A synchronous notification that an event of the commit fires. */
export interface Foreseen {
  readonly event: EventRecord;
  readonly notificationId: string;
  readonly actor: Actor;
  readonly now: number;
}

export interface MatchingParts {
  readonly reader: Reader;
  readonly log: Log;
  readonly triggers: Triggers;
  readonly settings: { readonly maxParked: number; readonly maxNotificationDepth: number };
  /**
   * Delivers synchronous notifications before the commit, in this order. Throws to refuse it. Returns those that may be
   * delivered afterwards. Undefined: all are delivered afterwards. Each is delivered once, whatever the number of
   * attempts of the commit.
   */
  readonly before?: (foreseen: readonly Foreseen[]) => Promise<readonly Foreseen[]>;
  /** Something came into the outbox, or into the feed. */
  committed(events: readonly EventRecord[]): void;
}

/** A notification that has to be asked. */
interface Candidate {
  readonly id: string;
  readonly version: number;
  readonly synchronous: boolean;
  readonly createdAt: number;
  readonly filters: Filters;
}

/** Events whose last commit had to ask: they ask at once for a while, instead of being refused first. */
const rememberFor = 60_000;
const maxRemembered = 1_000;
const maxCandidates = 10_000;

const none: readonly Statement[] = [];

/**
 * Adds to each commit an outbox row for each notification that its events match. SQL in the same transaction does this,
 * so no instance needs to know a notification beforehand. Where a filter or a receiver has to be asked, the statement
 * refuses the commit and names them. The participant then reads and asks those.
 */
export function createMatching(parts: MatchingParts): Participant {
  const { reader, log, settings, triggers, before } = parts;
  const { maxParked, maxNotificationDepth } = settings;
  const asking = new Recent<string, true>(maxRemembered);
  const compiled = new Recent<string, Candidate>(maxCandidates);
  const marks = new WeakMap<readonly EventRecord[], Map<string, 'told' | 'waits'>>();
  const stale = new ServiceError(
    'busy',
    { explanation: 'Notifications changed repeatedly during this request: try again' },
    { 'Retry-After': '1' },
  );

  function after(commit: Committing): Maybe<readonly Statement[]> {
    const careful =
      commit.attempt > 1 || circles(commit) || commit.events.some(({ name }) => asking.get(name, commit.now));
    if (careful) return afterAsking(commit);
    return forEachEvent(commit, (event, place) => {
      const own = ownStatements(event, place);
      if (own) return own;
      return isMatched(event) ? [matchAll(event, place), ...ending(event, place.now)] : none;
    });
  }

  const isMatched = ({ name }: EventRecord): boolean => triggers.has(name) || mailOnly.includes(name);

  const circles = ({ actor }: Committing): boolean => (actor.depth ?? 0) >= maxNotificationDepth;

  function matchAll(event: EventRecord, place: TimedOffset): Statement {
    const selectors = selectorsOfEvent(event);
    const { name, entityId: entity } = event;
    if (selectors.length === 1) return matchOne({ event: name, entity, ...place }, stale);
    return matchSeveral({ event: name, entity, selectors, ...place }, stale);
  }

  function ending({ name, entityId: entity }: EventRecord, now: number): readonly Statement[] {
    const resource = resourceEnding(name);
    return resource === undefined ? none : buryEntity({ resource, entity, now });
  }

  async function afterAsking(commit: Committing): Promise<readonly Statement[]> {
    const { events, now } = commit;
    const candidates = await Promise.all(events.map((event) => candidatesFor(event, now)));
    const meant = events.map((event, index) => candidates[index]!.filter(({ filters }) => accepts(filters, event)));
    if (before !== undefined) await (circles(commit) ? refuseUnasked(commit, meant) : tell(commit, meant));
    // In a circle no receiver is asked, so all candidates stay.
    const later = (index: number) => (candidate: Candidate) =>
      !candidate.synchronous || marks.get(events)?.get(`${index} ${candidate.id}`) !== 'told';
    return forEachEvent(commit, (event, place, index) => {
      const own = ownStatements(event, place);
      if (own) return own;
      if (!isMatched(event)) return none;
      const alreadyAsked = candidates[index]!.map(({ id, version }) => `${id} ${version}`);
      const rest = { ...eventKey(event), ...place, alreadyAsked };
      const chosen = { ids: meant[index]!.filter(later(index)).map(({ id }) => id), ...place };
      const rows = circles(commit)
        ? [parkRest(rest, stale), parkChosen(chosen), ...trimLoops({ max: maxParked, behind: place.behind })]
        : [matchRest(rest, stale), matchChosen(chosen)];
      return [...rows, ...ending(event, now)];
    });
  }

  async function candidatesFor(event: EventRecord, now: number): Promise<readonly Candidate[]> {
    if (!triggers.has(event.name)) return [];
    const rows = await selectAsked(reader, eventKey(event));
    if (rows.length === 0) asking.delete(event.name);
    else asking.set(event.name, true, now + rememberFor);
    const cached = rows.flatMap(({ id, version }) => compiled.get(`${id} ${version}`, 0) ?? []);
    if (cached.length === rows.length) return cached;
    const ready = new Set(cached.map(({ id }) => id));
    return [...cached, ...(await compile(rows.map(({ id }) => id).filter((id) => !ready.has(id))))];
  }

  async function compile(ids: readonly string[]): Promise<readonly Candidate[]> {
    const rows = await selectDocuments(reader, { ids });
    return rows.map(({ id, version, document, createdAt, synchronous }) => {
      const filters = filtersOf(triggers, id, document, log);
      const candidate = { id, version, createdAt, synchronous: synchronous === 1, filters };
      compiled.set(`${id} ${version}`, candidate, Number.POSITIVE_INFINITY);
      return candidate;
    });
  }

  /** Refuses changes in a circle of notifications: a synchronous receiver may veto them, but is not asked again. */
  function refuseUnasked({ events }: Committing, meant: readonly (readonly Candidate[])[]): void {
    const index = events.findIndex(
      ({ name }, at) => !triggers.isFact(name) && meant[at]!.some((each) => each.synchronous),
    );
    if (index === -1) return;
    const { id } = meant[index]!.find((each) => each.synchronous)!;
    const explanation = `Expected a change that no more than ${maxNotificationDepth} deliveries have led to, one from the other: the receiver of the notification ${id} has to be asked`;
    throw new ServiceError('vetoed', { type: 'Notification', id, explanation });
  }

  async function tell({ events, actor, now }: Committing, meant: readonly (readonly Candidate[])[]): Promise<void> {
    const already = marks.get(events) ?? new Map<string, 'told' | 'waits'>();
    marks.set(events, already);
    const foreseen = new Map<Foreseen, string>();
    for (const [index, event] of events.entries()) {
      for (const { id, synchronous } of meant[index]!.toSorted((a, b) => a.createdAt - b.createdAt)) {
        const key = `${index} ${id}`;
        // A fact cannot be vetoed, so it is delivered after the commit only.
        if (!synchronous || triggers.isFact(event.name) || already.has(key)) continue;
        already.set(key, 'told');
        foreseen.set({ event, notificationId: id, actor, now }, key);
      }
    }
    if (foreseen.size === 0) return;
    for (const each of (await before?.([...foreseen.keys()])) ?? []) already.set(foreseen.get(each)!, 'waits');
  }

  return {
    name: 'notifications',
    concerns: ['event'],
    after,
    stale,
    committed: ({ events }) => parts.committed(events),
  };
}

type TimedOffset = EventOffset & { readonly now: number };

/** The statements of all events of a commit. The last event has none behind it. */
function forEachEvent(
  { events, now }: Committing,
  statementsOf: (event: EventRecord, place: TimedOffset, index: number) => readonly Statement[],
): readonly Statement[] {
  return events.flatMap((event, index) => statementsOf(event, { behind: events.length - 1 - index, now }, index));
}

/** Events that no subscription is looked for: of one notification, and new names of users. */
function ownStatements({ name, entityId, payload }: EventRecord, place: TimedOffset): readonly Statement[] | undefined {
  if (name === 'notification/test' || name === 'mail/confirm') return [matchChosen({ ids: [entityId], ...place })];
  if (name !== 'user/modify') return undefined;
  const { formerName } = payload as { readonly formerName?: string };
  return formerName === undefined ? none : followName(formerName, entityId);
}

function eventKey(event: EventRecord): EventKey {
  return { event: event.name, entity: event.entityId, selectors: selectorsOfEvent(event) };
}
