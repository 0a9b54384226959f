import { createOutbound, type OutboundParts } from '../../../src/core/outbound/outbound.ts';
import type { Wire, WireAnswer, WireRequest } from '../../../src/core/outbound/wire.ts';
import type { OutboundAnswer, OutboundCall, OutboundStream, OutboundStreamCall } from '../../../src/spi/index.ts';
import { testClock } from '../../support/clock.ts';

export interface Sent {
  readonly address: string | undefined;
  readonly request: WireRequest;
}

export type Answer = (sent: Sent, signal: AbortSignal) => Promise<WireAnswer> | WireAnswer;

/** Never told: their caller must not. */
export const never = new Promise<never>(() => undefined);

export async function* chunks(...texts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield typeof text === 'string' ? new TextEncoder().encode(text) : text;
}

export const ok = (body: WireAnswer['body'] = chunks('fine')): WireAnswer => ({
  status: 200,
  headers: new Headers(),
  body,
});

export interface FakeOptions extends Partial<Omit<OutboundParts, 'wire'>> {
  /** What a name leads to; what it leads to later, by a later look. None: it is not known. */
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly resolve?: Wire['resolve'];
  readonly answer?: Answer;
}

/** The address policy over a network that is made up: nothing leaves, and what would have left is told. */
export function fakeOutbound({ names = {}, answer = () => ok(), ...parts }: FakeOptions = {}) {
  const clock = testClock();
  const sent: Sent[] = [];
  const looked: string[] = [];
  const wire: Wire = {
    resolve: async (host) => {
      const answers = names[host];
      const before = looked.filter((each) => each === host).length;
      looked.push(host);
      const found = answers?.[Math.min(before, answers.length - 1)];
      if (!found) throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
      return found;
    },
    ...('resolve' in parts ? { resolve: parts.resolve } : {}),
    send: async (address, request, signal) => {
      sent.push({ address, request });
      return answer({ address, request }, signal);
    },
  };
  const outcomes: string[] = [];
  const count = (outcome: string) => void outcomes.push(outcome);
  const outbound = createOutbound({ allow: [], clock, count, ...parts, wire });
  const call = (url: string, more: Partial<OutboundCall> = {}): Promise<OutboundAnswer> =>
    outbound.call({ url, method: 'GET', timeout: 5_000, mostBytes: 1_000, ...more });
  const stream = (url: string, more: Partial<OutboundStreamCall> = {}): Promise<OutboundStream> =>
    outbound.stream({ url, method: 'GET', answerWithin: 5_000, idle: 5_000, ...more });
  return { call, stream, clock, sent, looked, outcomes };
}

/** The status, or the kind of the error. */
export const outcomeOf = (answer: Promise<{ readonly status: number }>): Promise<number | string> =>
  answer.then(
    ({ status }) => status,
    (error: Error & { kind: string }) => error.kind,
  );

/** The kind and the sentence. */
export const refusalOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'answered',
    (error: Error & { kind: string }) => `${error.kind}: ${error.message}`,
  );
