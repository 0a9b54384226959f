import type { Description } from '../../documents/index.ts';
import { accountOf, type Call } from '../../http/call.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { whole } from '../../http/parameters/index.ts';
import type { Reply } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import type { Store } from '../../store/store.ts';
import { eventListDocument } from '../documents/event-list.ts';
import { feedEventOf } from './documents.ts';
import { eventEnds, eventsAfter } from './store.ts';
import type { EventStreams } from './streams.ts';

interface Parts {
  readonly store: Store;
  readonly settings: { readonly maxPage: number };
  readonly streams: EventStreams;
  render<T>(type: MediaType, description: Description<T>, value: T): Reply;
}

const usualRows = 100;

/** Everything that happened, in commit order: for receivers that close a gap, or that no delivery can reach. */
export function feedRoutes({ store, settings, streams, render }: Parts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/event',
      says: 'What happened, in the order of the commits: as a page, or as a stream of events.',
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
        const { number: limit } = call.query;
        const [rows, [ends]] = await Promise.all([
          eventsAfter(store.reader(accountOf(call)), { since, limit }),
          eventEnds(store, {}),
        ]);
        return render(type, eventListDocument, {
          oldest: ends?.oldest ?? undefined,
          newest: ends?.newest ?? undefined,
          event: rows.map(feedEventOf),
        });
      },
    }),
  ];

  function stream(call: Call, since: number): Reply {
    const headers = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
    const reply = { status: 200, type: 'text/event-stream', headers };
    // Nobody would read it.
    return call.method === 'HEAD' ? reply : { ...reply, body: streams.start(since) };
  }
}

/** A stream that comes again says itself where it was. */
function sinceOf({ request }: Call, since: number): number {
  const last = request.headers.get('last-event-id') ?? '';
  return /^\d{1,15}$/.test(last) ? Number(last) : since;
}
