import { crc32 } from '../../../core/lib/crc32.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { Store } from '../../../core/store/store.ts';
import type { Call } from '../../../http/call.ts';
import { raw } from '../../../http/forms.ts';
import { documentTypes, type MediaType, preferred } from '../../../http/negotiation.ts';
import { flag, list, type QueryOf, text, whole } from '../../../http/parameters/index.ts';
import { notStored, type Reply } from '../../../http/reply.ts';
import { access, anyCaller, type Route, role, route } from '../../../http/route.ts';
import { bytesOfOne } from '../../../room/entities/page-weight.ts';
import { accountOf, subjectOf } from '../../../security/caller.ts';
import type { Subject } from '../../../security/subject.ts';
import { eventListDocument, feedEventOf } from './documents.ts';
import { progressNow } from './progress.ts';
import { type EventFilter, filterFor, withItemNames } from './readable.ts';
import { type EventRow, eventsAfter, feedState } from './store.ts';
import type { EventStreams } from './streams.ts';
import type { Rights } from './watch.ts';

interface Parts {
  readonly store: Store;
  readonly settings: { readonly maxPage: number; readonly maxPageValues: number };
  readonly streams: EventStreams;
}

const defaultRows = 100;
const readsEvents = '_event_read';
const reading = role(readsEvents);
const withFeed = access(
  { ...anyCaller.needs, besides: 'the role _event_read, or asks with mine=true' },
  (call, params) => anyCaller(call, params),
);

const narrowing = {
  mine: flag('Events of the own jobs and of entities that the caller may read. Needs no role for events', false),
  allJobs: flag('With mine=true: also events of jobs of others, for callers with _job_read', false),
  name: list(text('Only events with any of these names, such as item/create')),
  entityType: list(text('Only events of entities of any of these kinds')),
  entity: list(text('Only events of entities with any of these ids')),
  itemName: flag('Adds the name of its item to each event, as far as the caller may read it', false),
};

/** Limits of events that are read for a caller without all rights, in total and between two yields. */
const [maxLooked, slice] = [5000, 250];

/** Routes of the event feed, in commit order: for receivers that close a gap, or that no delivery can reach. */
export function feedRoutes({ store, settings, streams }: Parts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/event',
      says: 'The event feed of entities that the caller may read, in commit order: a page, or a stream of server-sent events. With mine=true a stream also has `job/progress` of own jobs, once a second at most, without a sequence of its own. On an edge, callers that also take a document get one in place of the stream. It has an `ETag`, and is 304 while nothing is new.',
      query: {
        since: whole('Only the events after this sequence. Default: 0, and the newest with mine=true'),
        ...narrowing,
        number: whole(`Maximum number of events, up to ${settings.maxPage}`, {
          defaultValue: defaultRows,
          atMost: settings.maxPage,
        }),
      },
      answers: raw([eventListDocument, 'events'], [...documentTypes, 'text/event-stream']),
      access: withFeed,
      ahead: () => feedState(store, {}),
      async handle(call, params) {
        const { mine } = call.query;
        if (!mine) await reading(call, params);
        const feed = (await feedState(store, {}))!;
        const newest = feed.newest ?? 0;
        const since = sinceOf(call, call.query.since ?? (mine ? newest : 0));
        if (call.type !== 'text/event-stream') return page(call, call.type, { ...feed, since });
        const type = streams.areCheap ? undefined : preferred(call.request.headers.get('accept'), documentTypes);
        if (type === undefined) return stream(call, since);
        const isFollowed = mine && feed.isRunning === 1;
        const progress = isFollowed ? await progressNow(store, subjectOf(call).name, call.came) : [];
        const wanted = progress.filter(wantedBy(call));
        const tag = tagOf(newest, wanted);
        if (call.request.headers.get('if-none-match') === tag) return conditional(tag, { status: 304 });
        return page(call, type, { ...feed, since }, wanted);
      },
    }),
  ];

  /** `besides`: events that are not stored, of a page in place of a stream. */
  async function page(
    call: Call<{ readonly number: number } & Narrowing>,
    type: MediaType,
    { oldest, newest, since }: FeedFrom,
    besides?: readonly EventRow[],
  ): Promise<Reply> {
    const { rows, until } = await pageAfter(call, since, newest ?? 0);
    const reply = call.render(type, eventListDocument, {
      oldest: oldest ?? undefined,
      newest: newest ?? undefined,
      until,
      event: [...rows, ...(besides ?? [])].map(feedEventOf),
    });
    return besides ? conditional(tagOf(until ?? newest ?? 0, besides), reply) : reply;
  }

  /** `until`: last event that was read, if the caller may not see all of them, or gets fewer than fit. */
  async function pageAfter(call: Call<{ readonly number: number } & Narrowing>, since: number, newest: number) {
    const { number: limit } = call.query;
    const { reader } = call;
    const isTold = await narrowed(reader, call);
    let bytes = settings.maxPageValues * bytesOfOne;
    if (!isTold) {
      const rows = await eventsAfter(reader, { since, limit, bytes });
      const last = rows.at(-1)?.sequence ?? newest;
      return { rows, until: rows.length < limit && last < newest ? last : undefined };
    }
    const events: EventRow[] = [];
    let until = since;
    let isFull = limit === 0;
    for (let looked = 0; looked < maxLooked && !isFull && until < newest; ) {
      const rows = await eventsAfter(reader, { since: until, limit: slice, bytes });
      for (const row of await isTold(rows)) {
        bytes -= row.payload.length;
        if (bytes < 0 && events.length > 0) isFull = true;
        else events.push(row);
        isFull ||= events.length === limit;
        if (isFull) break;
      }
      until = (isFull ? events.at(-1) : rows.at(-1))?.sequence ?? newest;
      looked += rows.length;
    }
    return { rows: events, until };
  }

  /** Rights of the caller of a stream by now. Undefined: the caller has ended, or may not read events any more. */
  async function rightsNow(call: Call<Narrowing>): Promise<Rights | undefined> {
    const before = subjectOf(call);
    const subject = await before.again();
    if ('ended' in subject || !(call.query.mine || (await subject.has(readsEvents)))) return undefined;
    const filter = await narrowed(call.reader, { ...call, subject });
    return { filter, ends: Math.min(...[before, subject].flatMap(endsOf), Number.POSITIVE_INFINITY) };
  }

  async function stream(call: Call<Narrowing>, since: number): Promise<Reply> {
    const headers = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
    const reply = { status: 200, type: 'text/event-stream', headers };
    // An answer to HEAD has no body.
    return call.method === 'HEAD'
      ? reply
      : {
          ...reply,
          body: streams.start(since, {
            rightsNow: () => rightsNow(call),
            holder: { account: accountOf(call), isPage: subjectOf(call).proof?.kind === 'session' },
            jobsOf: call.query.mine ? { user: subjectOf(call).name, isWanted: wantedBy(call) } : undefined,
          }),
        };
  }
}

type Narrowing = QueryOf<typeof narrowing>;

const conditional = (etag: string, reply: Reply): Reply => notStored({ ...reply, headers: { ...reply.headers, etag } });

/** `last`: sequence of the last event that the caller has. Progress that goes on makes another tag, and no sequence. */
const tagOf = (last: number, progress: readonly EventRow[]): string =>
  progress.length === 0
    ? `"${last}"`
    : `"${last}-${crc32(new TextEncoder().encode(progress.map(({ payload }) => payload).join('\n')))}"`;

interface FeedFrom {
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly since: number;
}

/** Ends of the logins of a caller: those of its token or session, and of what a realm or a filter accepted. */
const endsOf = ({ ends, actor }: Subject): readonly number[] => [ends, actor?.ends].filter((end) => end !== undefined);

/** Filter by the rights of the caller, and by what the caller asks for. */
async function narrowed(reader: Reader, call: Call<Narrowing>): Promise<EventFilter | undefined> {
  const { name, entityType, entity, itemName } = call.query;
  const rights = await filterFor(reader, call, call.query);
  if (!name && !entityType && !entity && !itemName) return rights;
  const isWanted = wantedBy(call);
  return async (rows) => {
    const wanted = rows.filter(isWanted);
    const readable = rights && wanted.length > 0 ? await rights(wanted) : wanted;
    return itemName ? withItemNames(reader, call, readable) : readable;
  };
}

function wantedBy({ query: { name, entityType, entity } }: Call<Narrowing>): (row: EventRow) => boolean {
  const isAmong = (wanted: readonly string[] | undefined, value: string) => wanted?.includes(value) ?? true;
  return (row) => isAmong(name, row.name) && isAmong(entityType, row.entityType) && isAmong(entity, row.entityId);
}

/** A reconnecting stream sends its last position. */
function sinceOf({ request }: Pick<Call, 'request'>, since: number): number {
  const last = request.headers.get('last-event-id') ?? '';
  return /^\d{1,15}$/.test(last) ? Number(last) : since;
}
