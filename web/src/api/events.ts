import type { EventType } from 'portico/types';
import { firstView } from './client.ts';

/** An event of the feed: `item/create`, `job/update`. */
export type LiveEvent = EventType;
type Handler = (event: LiveEvent) => void;

interface Subscription {
  readonly names: readonly string[];
  readonly handler: Handler;
}

const subscriptions = new Set<Subscription>();
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('portico-events');
let isListening = false;

/**
 * Calls the handler for events of the person's own jobs and of entities that the person may read. A name may end in `*`:
 * `item/*`. Gives the function that ends it.
 */
export function onEvent(names: string | readonly string[], handler: Handler): () => void {
  const row = { names: typeof names === 'string' ? [names] : names, handler };
  subscriptions.add(row);
  begin();
  return () => subscriptions.delete(row);
}

const fits = (names: readonly string[], name: string): boolean =>
  names.some((each) => each === name || (each.endsWith('*') && name.startsWith(each.slice(0, -1))));

function tell(event: LiveEvent): void {
  for (const { names, handler } of subscriptions) if (fits(names, event.name ?? '')) handler(event);
}

/** One tab of a browser holds the stream and tells the others: the service bounds the streams of a person. */
function begin(): void {
  if (isListening) return;
  isListening = true;
  channel?.addEventListener('message', ({ data }) => tell(data as LiveEvent));
  if (typeof navigator.locks === 'undefined') void hold();
  else void navigator.locks.request('portico-events', hold);
}

/** Resolves never: the lock ends with the tab. */
function hold(): Promise<never> {
  // Names of events are those of the feed. `EventSource` needs each by its name, so the stream is read as it is.
  void read();
  return new Promise<never>(() => undefined);
}

async function read(): Promise<void> {
  let last = '';
  // The stream holds a connection: pictures of the first view go before it.
  await firstView;
  for (let seconds = 1; ; seconds = Math.min(30, seconds * 2)) {
    try {
      const response = await fetch('/API/event?mine=true', {
        headers: { accept: 'text/event-stream', 'portico-ui': '1', ...(last !== '' && { 'last-event-id': last }) },
      });
      if (response.status === 401 || response.status === 403) return;
      if (response.ok && response.body) {
        seconds = 1;
        last = await follow(response.body, last);
      }
    } catch {
      // The connection ended: it begins again after the pause.
    }
    await new Promise((done) => setTimeout(done, seconds * 1000));
  }
}

async function follow(body: ReadableStream<Uint8Array>, since: string): Promise<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let last = since;
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true as const, value: undefined }));
    if (done) return last;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      last = field('id') ?? last;
      const data = field('data');
      if (data === undefined) continue;
      const event = JSON.parse(data) as LiveEvent;
      tell(event);
      channel?.postMessage(event);
    }
  }
}
