import { ServiceError } from '../../../core/lib/errors.ts';
import type { EventRecord } from '../../../core/store/contract.ts';
import { inParts, type Reply } from '../../../http/reply.ts';
import type { KeyedRow } from './store.ts';

const context = 'header Idempotency-Key';
const longest = 255;
/** Answers of requests that make something are short. */
const longestAnswer = 64 * 1024;

export function keyFrom(text: string): string {
  const key = text.trim();
  if (key !== '' && key.length <= longest && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new ServiceError('bad-header', {
    context,
    explanation: `Expected 1 to ${longest} visible characters without blanks`,
    value: key.slice(0, 80),
  });
}

/** Job or item created by a commit. An import creates both, and its answer is the job. */
export function madeBy(events: readonly EventRecord[]): string | undefined {
  const first = (name: string) => events.find((event) => event.name === name);
  const creation = first('job/create') ?? first('item/create');
  return creation && `${creation.entityType} ${creation.entityId}`;
}

const repeated = (explanation: string, id?: string): ServiceError =>
  new ServiceError('request-repeated', { context, explanation, ...(id !== undefined && { id }) });

export const goesOn = (): ServiceError =>
  repeated('Expected the first request with this key to end first: ask again soon');

/** The answer of the first request. */
export function keyedAnswer({ request, made, answer }: KeyedRow, asked: string): Reply {
  const id = made.slice(made.indexOf(' ') + 1);
  if (request !== asked) throw repeated('Expected the same request as before, or another key', id);
  if (answer === null) throw repeated(`Expected the answer of the first request to be kept: it made ${made}`, id);
  const reply = JSON.parse(answer) as Reply;
  return { ...reply, headers: { ...reply.headers, 'idempotency-replayed': 'true' } };
}

/** Stored form of an answer. Undefined: too long, or no text. */
export function keptAnswer({ status, type, headers, body }: Reply): string | undefined {
  if (status >= 300) return undefined;
  const text = inParts(body) ? body.join('') : body;
  if (text !== undefined && typeof text !== 'string') return undefined;
  if ((text?.length ?? 0) > longestAnswer) return undefined;
  return JSON.stringify({ status, type, headers, body: text });
}
