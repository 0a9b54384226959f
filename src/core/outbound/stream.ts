import type { OutboundStream, OutboundStreamCall } from '../../spi/index.ts';
import type { Clock } from '../lib/clock.ts';
import { downloadOf, emptyBody, isBodiless } from './download.ts';
import { type CallProgress, watchProgress } from './progress.ts';
import { readRequest } from './request.ts';
import { wireUpload } from './upload.ts';
import type { WireAnswer, WireRequest } from './wire.ts';
import { OutboundError } from './wire.ts';

/** Sends a request to an address that the policy permits. */
type Dispatch = (
  call: { readonly trusted?: boolean },
  request: WireRequest,
  signal: AbortSignal,
) => Promise<WireAnswer>;

/** Exchange with streamed bodies. `ended` is called once, when the last byte has moved or none will. */
export async function streamed(
  dispatch: Dispatch,
  clock: Clock,
  call: OutboundStreamCall,
  ended: (error: OutboundError | undefined) => void,
): Promise<OutboundStream> {
  // Closes the connection if the answer ends before the body of the request.
  const cut = new AbortController();
  const progress = watchProgress(clock, call.signal, (error) => {
    if (error) cut.abort(error);
    ended(error);
  });
  try {
    return await exchanged(dispatch, call, progress, cut);
  } catch (error) {
    const host = hostOf(call.url);
    progress.fail(
      error instanceof OutboundError ? error : new OutboundError('answer', `Expected an answer${host}`, error),
    );
    if (call.body instanceof ReadableStream && !call.body.locked) call.body.cancel(error).catch(() => undefined);
    throw progress.signal.reason ?? error;
  }
}

async function exchanged(
  dispatch: Dispatch,
  call: OutboundStreamCall,
  progress: CallProgress,
  cut: AbortController,
): Promise<OutboundStream> {
  const { answerWithin, idle, method, mostBytes } = call;
  const { fail } = progress;
  const moved = () => progress.within(idle, 'a byte to move');
  let [isSent, isAnswered] = [false, false];
  const upload = wireUpload(call, {
    signal: cut.signal,
    fail,
    moved,
    sent() {
      isSent = true;
      if (!isAnswered) progress.within(answerWithin, 'an answer');
    },
  });
  const request = readRequest(call, upload);
  progress.within(answerWithin, 'an answer');
  const answer = await progress.race(dispatch(call, request, cut.signal));
  isAnswered = true;
  moved();

  const done = (whole: boolean) => {
    progress.end();
    if (!whole || (upload && !isSent))
      cut.abort(new OutboundError('aborted', 'Expected the caller to read the answer'));
  };
  const { status, headers, address } = answer;
  const answerParts = { status, headers, ...(address === undefined ? {} : { address }) };
  if (isBodiless(method, answer)) {
    await progress.race(drained(answer));
    done(true);
    return { ...answerParts, body: emptyBody() };
  }
  const limits = { host: request.url.hostname, mostBytes };
  return { ...answerParts, body: downloadOf(answer, limits, { signal: progress.signal, fail, moved, done }) };
}

/** A connection is free for the next call when its answer was read, even an empty one. */
async function drained({ body }: WireAnswer): Promise<void> {
  for await (const _nothing of body ?? []);
}

/** Never more of the address: it may hold a password. */
const hostOf = (url: string): string => (URL.canParse(url) ? ` from "${new URL(url).hostname}"` : '');
