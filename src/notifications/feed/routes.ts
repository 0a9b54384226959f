import type { Description } from '../../documents/index.ts';
import { accountOf, type Call } from '../../http/call.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { whole } from '../../http/parameters/index.ts';
import type { Reply } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import type { Store } from '../../store/store.ts';
import { eventListDocument } from '../documents/event-list.ts';
import { feedEventOf } from './documents.ts';
import { filterFor } from './readable.ts';
import { type EventRow, eventEnds, eventsAfter } from './store.ts';
import type { EventStreams } from './streams.ts';

interface Parts {
  readonly store: Store;
  readonly settings: { readonly maxPage: number };
  readonly streams: EventStreams;
  render<T>(type: MediaType, description: Description<T>, value: T): Reply;
}

const usualRows = 100;
/** Events that are looked at for one who may not be told all, and those of one turn. */
const [mostLooked, slice] = [5000, 250];

/** Everything that happened, in commit order: for receivers that close a gap, or that no delivery can reach. */
export function feedRoutes({ store, settings, streams, render }: Parts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/event',
      says: 'What happened to what the caller may read, in the order of the commits: as a page, or as a stream of events.',
      query: {
        since: whole('Only the events after this sequence', { usual: 0 }),
        number: whole(`How many events to answer: ${settings.maxPage} at most`, {
          usual: usualRows,
          atMost: settings.maxPage,
        }),
      },
      answers: [eventListDocument, 'events'],
      access: role('_event_read'),
      produces: [...documentTypes, 'text/event-stream'],
      async handle(call, type) {
        const since = sinceOf(call, call.query.since);
        if (type === 'text/event-stream') return stream(call, since);
        const [{ rows, until }, [ends]] = await Promise.all([pageAfter(call, since), eventEnds(store, {})]);
        return render(type, eventListDocument, {
          oldest: ends?.oldest ?? undefined,
          newest: ends?.newest ?? undefined,
          until,
          event: rows.map(feedEventOf),
        });
      },
    }),
  ];

  /** `until`: for a caller who may not be told all of them, the last that was looked at. */
  async function pageAfter(call: Call<{ readonly number: number }>, since: number) {
    const { number: limit } = call.query;
    const reader = store.reader(accountOf(call));
    const isTold = await filterFor(reader, call);
    if (!isTold) return { rows: await eventsAfter(reader, { since, limit }), until: undefined };
    const found: EventRow[] = [];
    let until = since;
    for (let looked = 0; looked < mostLooked && found.length < limit; looked += slice) {
      const rows = await eventsAfter(reader, { since: until, limit: slice });
      for (const row of await isTold(rows)) {
        if (found.length === limit) break;
        found.push(row);
      }
      until = (found.length === limit ? found.at(-1) : rows.at(-1))?.sequence ?? until;
      if (rows.length < slice) break;
    }
    return { rows: found, until };
  }

  async function stream(call: Call, since: number): Promise<Reply> {
    const headers = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
    const reply = { status: 200, type: 'text/event-stream', headers };
    // Nobody would read it.
    return call.method === 'HEAD'
      ? reply
      : { ...reply, body: streams.start(since, await filterFor(store.reader(accountOf(call)), call)) };
  }
}

/** A stream that comes again says itself where it was. */
function sinceOf({ request }: Call, since: number): number {
  const last = request.headers.get('last-event-id') ?? '';
  return /^\d{1,15}$/.test(last) ? Number(last) : since;
}
