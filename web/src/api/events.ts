import type { EventListDocument, EventType } from 'portico/types';
import { changes, firstView } from './client.ts';

/** An event of the feed: `item/create`, `job/update`. */
export type LiveEvent = EventType;
type Handler = (event: LiveEvent) => void;

interface Subscription {
  readonly names: readonly string[];
  readonly handler: Handler;
}

const subscriptions = new Set<Subscription>();
let isListening = false;

/**
 * Calls the handler for events of jobs and of entities that the person may read. A name may end in `*`: `item/*`. Gives
 * the function that ends it.
 */
export function onEvent(names: string | readonly string[], handler: Handler): () => void {
  const row = { names: typeof names === 'string' ? [names] : names, handler };
  subscriptions.add(row);
  if (!isListening) void listen();
  return () => subscriptions.delete(row);
}

const fits = (names: readonly string[], name: string): boolean =>
  names.some((each) => each === name || (each.endsWith('*') && name.startsWith(each.slice(0, -1))));

function tell(event: LiveEvent): void {
  for (const { names, handler } of subscriptions) if (fits(names, event.name ?? '')) handler(event);
}

/** Number of the last event, and tag of the last answer that had news. */
let last = '';
let tag = '';

/** Seconds until the next question: where the connection fails, and where the service has no streams. Both double. */
const [shortest, maxAway, maxIdle] = [2, 30, 60];

/** A hidden tab asks for nothing. It goes on where it was when it is shown again. */
async function listen(): Promise<void> {
  isListening = true;
  // The stream holds a connection: pictures of the first view go before it.
  await firstView;
  for (let seconds = 1; ; ) {
    while (document.hidden) await turned();
    const gone = new AbortController();
    void turned().then(() => gone.abort());
    const isNew = await ask(gone.signal).catch(() => undefined);
    if (isNew === null) break;
    if (isNew) seconds = shortest;
    const before = changes.value;
    if (!gone.signal.aborted) await Promise.race([rest(seconds * 1000), turned()]);
    const isAwaited = gone.signal.aborted || changes.value !== before;
    seconds = isAwaited ? shortest : Math.min(seconds * 2, isNew === undefined ? maxAway : maxIdle);
  }
  isListening = false;
}

/** Resolves when the tab is shown or hidden. */
const turned = (): Promise<void> =>
  new Promise((done) => document.addEventListener('visibilitychange', () => done(), { once: true }));

/** Ends early after a change that this tab made. */
const rest = (milliseconds: number): Promise<void> =>
  new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      stop();
      done();
    };
    const timer = setTimeout(end, milliseconds);
    const before = changes.value;
    const stop = changes.subscribe((now) => now !== before && setTimeout(end, shortest * 1000));
  });

/** Whether there was something new. Null: the person may not ask. */
async function ask(signal: AbortSignal): Promise<boolean | null> {
  const response = await fetch('/API/event?mine=true&allJobs=true', {
    headers: {
      // Names of events are those of the feed. `EventSource` needs each by its name, so the stream is read as it is.
      accept: 'text/event-stream, application/json;q=0.9',
      'portico-ui': '1',
      ...(last !== '' && { 'last-event-id': last }),
      ...(tag !== '' && { 'if-none-match': tag }),
    },
    cache: 'no-store',
    signal,
  });
  if (response.status === 304) return false;
  if (response.status === 401 || response.status === 403) return null;
  if (!response.ok || !response.body) throw new Error(String(response.status));
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await follow(response.body);
    return true;
  }
  const { event = [], newest, until } = (await response.json()) as EventListDocument;
  last = String(until ?? newest ?? 0);
  tag = response.headers.get('etag') ?? '';
  for (const each of event) tell(each);
  return event.length > 0 || last !== String(newest ?? 0);
}

async function follow(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let left = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (left + value).split('\n\n');
    left = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      last = field('id') ?? last;
      const data = field('data');
      if (data !== undefined) tell(JSON.parse(data) as LiveEvent);
    }
  }
}
