import { writeJson } from '../../../core/documents/index.ts';
import { type Clock, createWaker, noLongerAwaited, untilBeat, type Waker } from '../../../core/lib/clock.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { describeError, type Log } from '../../../core/lib/log.ts';
import type { Store } from '../../../core/store/store.ts';
import { bytesOfOne } from '../../../room/entities/page-weight.ts';
import { eventDocument, feedEventOf } from './documents.ts';
import { createProgress } from './progress.ts';
import { type EventRow, eventsAfter, feedState } from './store.ts';
import { createWatch, type Rights } from './watch.ts';

interface Limits {
  readonly maxEventStreams: number;
  readonly maxUserEventStreams: number;
}

export interface Holder {
  /** Account whose credentials the request had. */
  readonly account: string;
  /** Whether the request came with a session of the web page. */
  readonly isPage: boolean;
}

/** Share of all streams that only sessions of the web page get. */
const share = 5;

/** Places for open streams. No account takes those of others, and no program those of the web page. */
function createPlaces({ maxEventStreams: max, maxUserEventStreams: maxOfUser }: Limits) {
  const taken = new Map<AbortController, Holder>();
  const forPrograms = max - Math.floor(max / share);

  /** Refuses a stream that finds no place. The place is free again when the stream ends. */
  function take(stream: AbortController, holder: Holder): void {
    const holders = [...taken.values()];
    if (holders.filter(({ account }) => account === holder.account).length >= maxOfUser)
      throw tooMany(maxOfUser, 'of one user', 'maxUserEventStreams');
    if (holders.length >= max) throw tooMany(max, 'of all callers', 'maxEventStreams');
    if (!holder.isPage && holders.filter(({ isPage }) => !isPage).length >= forPrograms)
      throw tooMany(forPrograms, 'without a session of the web page', 'maxEventStreams');
    taken.set(stream, holder);
    stream.signal.addEventListener('abort', () => taken.delete(stream), { once: true });
  }

  return {
    take,
    get size() {
      return taken.size;
    },
    /** Streams that are open now. */
    streams: (): readonly AbortController[] => [...taken.keys()],
  };
}

function tooMany(max: number, whose: string, setting: string): ServiceError {
  const explanation = `Expected at most ${max} connections that wait for events ${whose} (setting ${setting})`;
  return new ServiceError('busy', { explanation }, { 'Retry-After': '10' });
}

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly waker: Waker;
  /** Wakes on commits that may end the login of a caller or take its roles. */
  readonly callers: Waker;
  readonly settings: {
    readonly maxEventStreams: number;
    readonly maxUserEventStreams: number;
    readonly eventStreamSeconds: number;
    readonly maxPageValues: number;
  };
  /** False on an edge, where no request may wake another: each stream looks for itself. */
  readonly sharesWork: boolean;
}

export type EventStreams = ReturnType<typeof createEventStreams>;

/** Milliseconds between polls for commits of other instances. */
const poll = 1_000;
/** Milliseconds between the looks of an idle stream that looks for itself: they double up to this. */
const maxPoll = 8_000;
/** Milliseconds between heartbeats, which keep proxies from closing an idle stream. */
const heartbeat = 15_000;
const page = 100;
const stopping = 'Expected a service that is not about to stop';
const utf8 = new TextEncoder();

/** Streams of committed events, as server-sent events. */
export function createEventStreams({ store, clock, log, waker, callers, settings, sharesWork }: Parts) {
  const places = createPlaces(settings);
  const progress = createProgress(store, () => clock.now());
  let polling = false;
  const stopped = new AbortController();

  /** Stream of all events after `since`, until its time limit, the end of the caller or reader, or a stop of the service. */
  function start(
    since: number,
    {
      rightsNow,
      holder,
      jobsOf,
    }: {
      /** Undefined: the caller has ended, or may not read events any more. */
      rightsNow(): Promise<Rights | undefined>;
      readonly holder: Holder;
      /** User whose jobs the stream tells the progress of, and which of these messages it has. */
      jobsOf?: { readonly user: string; isWanted(row: EventRow): boolean } | undefined;
    },
  ): ReadableStream<Uint8Array> {
    if (stopped.signal.aborted) throw new ServiceError('busy', { explanation: stopping }, { 'Retry-After': '10' });
    const over = new AbortController();
    places.take(over, holder);
    // Limits the life of a stream, since filters of plugins see its request only at its beginning.
    const life = clock.sleep(settings.eventStreamSeconds * 1000, over.signal).then(
      () => over.abort(noLongerAwaited),
      () => undefined,
    );
    if (sharesWork) void pollForAll();
    const watch = createWatch({ clock, callers, ask: rightsNow });
    const news = createWaker(clock);
    const jobs = jobsOf && progress.follow(jobsOf.user, jobsOf.isWanted, () => news.wake());
    over.signal.addEventListener('abort', () => jobs?.end(), { once: true });
    let at = since;
    let quiet = clock.now();
    /** Turn of the last look at the feed. Undefined: there may be more than one look could read. */
    let seen: number | undefined;
    let pause = poll;
    return new ReadableStream<Uint8Array>({
      start(controller) {
        // Sends the head of the answer, so that a client knows that it is connected, and where it would go on.
        controller.enqueue(utf8.encode(`: connected\nid: ${since}\n\n`));
      },
      async pull(controller) {
        try {
          while (!over.signal.aborted) {
            const turns = [waker, callers, ...(jobs ? [news] : [])].map((each) => [each, each.turn] as const);
            const text = await next();
            if (text !== undefined) return controller.enqueue(utf8.encode(text));
            const left = Math.min(quiet + heartbeat, watch.due) - clock.now();
            if (sharesWork) await firstOf(turns, Math.max(0, left), over.signal);
            else await clock.sleep(Math.max(0, Math.min(left, pause)), over.signal).catch(() => undefined);
            pause = Math.min(2 * pause, maxPoll);
          }
          controller.close();
        } catch (error) {
          over.abort(noLongerAwaited);
          controller.error(error);
        }
        await life;
      },
      cancel: () => over.abort(noLongerAwaited),
    });

    /** Next messages of the stream. Undefined: nothing to send. */
    async function next(): Promise<string | undefined> {
      const [rows] = await Promise.all([newRows(), jobs && !sharesWork ? progress.look() : undefined]);
      const far = jobs?.take() ?? '';
      const isNothing = rows.length === 0 && far === '' && clock.now() < quiet + heartbeat;
      if (isNothing && clock.now() < watch.due) return undefined;
      if (!(await watch.goesOn())) over.abort(noLongerAwaited);
      if (isNothing || over.signal.aborted) return undefined;
      quiet = clock.now();
      if (rows.length > 0 || far !== '') pause = poll;
      at = rows.at(-1)?.sequence ?? at;
      const accepted = watch.filter ? await watch.filter(rows) : rows;
      const text = far + accepted.map(messageOf).join('');
      return text === '' ? ':\n\n' : text;
    }

    /** Commits of this process, and the poll for those of others, tell when there is something to read. */
    async function newRows(): Promise<readonly EventRow[]> {
      const { turn } = waker;
      if (sharesWork && turn === seen) return [];
      const rows = await eventsAfter(store, { since: at, limit: page, bytes: settings.maxPageValues * bytesOfOne });
      seen = rows.length === 0 ? turn : undefined;
      return rows;
    }
  }

  /** Polls for commits of other instances, once for all streams. */
  async function pollForAll(): Promise<void> {
    if (polling) return;
    polling = true;
    let seen = Number.POSITIVE_INFINITY;
    while (places.size > 0 && !stopped.signal.aborted) {
      try {
        const { newest: last, isRunning } = (await feedState(store, {}))!;
        const newest = last ?? 0;
        if (newest > seen) waker.wake();
        seen = newest;
        if (isRunning === 1 && progress.isFollowed) await progress.look();
      } catch (error) {
        log.write('warn', 'event-stream-poll', describeError(error));
      }
      await clock.sleep(untilBeat(clock, poll), stopped.signal).catch(() => undefined);
    }
    polling = false;
  }

  return {
    start,
    /** Whether a stream that waits asks the database for nothing: one look serves all of them. */
    areCheap: sharesWork,
    get open() {
      return places.size;
    },
    /** Before a stop waits for requests in flight: these would never end. */
    end(): void {
      stopped.abort(noLongerAwaited);
      for (const each of places.streams()) each.abort(noLongerAwaited);
    },
  };
}

/** Waits until one of the wakers wakes after its turn, for so long at most. */
async function firstOf(turns: readonly (readonly [Waker, number])[], left: number, end: AbortSignal): Promise<void> {
  const first = new AbortController();
  const signal = AbortSignal.any([end, first.signal]);
  await Promise.race(turns.map(([waker, turn]) => waker.wait(turn, left, signal)));
  first.abort(noLongerAwaited);
}

function messageOf(row: EventRow): string {
  // JSON has no line breaks of its own, which would end the message.
  return `id: ${row.sequence}\nevent: ${row.name}\ndata: ${writeJson(eventDocument, feedEventOf(row))}\n\n`;
}
