import { ServiceError } from '../../core/lib/errors.ts';
import { describeError } from '../../core/lib/log.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { type CommitPlan, type EventRecord, systemActor } from '../../core/store/contract.ts';
import type { Call } from '../../http/call.ts';
import { inParts, type Reply } from '../../http/reply.ts';
import type { RoomContext, RouteWrapper } from '../../room/context.ts';
import { findKeyed, insertKeyed, type KeyedRow, writeAnswer } from './store.ts';

const context = 'header Idempotency-Key';
const maxLength = 255;
/** Answers of requests that make something are short. */
const maxAnswerLength = 64 * 1024;

function keyFrom(text: string): string {
  const key = text.trim();
  if (key !== '' && key.length <= maxLength && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new ServiceError('bad-header', {
    context,
    explanation: `Expected 1 to ${maxLength} visible characters without blanks`,
    value: key.slice(0, 80),
  });
}

/** Job or item created by a commit. An import creates both, and its answer is the job. */
function madeBy(events: readonly EventRecord[]): string | undefined {
  const first = (name: string) => events.find((event) => event.name === name);
  const creation = first('job/create') ?? first('item/create');
  return creation && `${creation.entityType} ${creation.entityId}`;
}

const repeated = (explanation: string, id?: string): ServiceError =>
  new ServiceError('request-repeated', { context, explanation, ...(id !== undefined && { id }) });

const goesOn = (): ServiceError => repeated('Expected the first request with this key to end first: ask again soon');

/** The answer of the first request. */
function keyedAnswer({ request, made, answer }: KeyedRow, sentRequest: string): Reply {
  const id = made.slice(made.indexOf(' ') + 1);
  if (request !== sentRequest) throw repeated('Expected the same request as before, or another key', id);
  if (answer === null) throw repeated(`Expected the answer of the first request to be kept: it made ${made}`, id);
  const reply = JSON.parse(answer) as Reply;
  return { ...reply, headers: { ...reply.headers, 'idempotency-replayed': 'true' } };
}

/** Stored form of an answer. Undefined: too long, or no text. */
function keptAnswer({ status, type, headers, body }: Reply): string | undefined {
  if (status >= 300) return undefined;
  const text = inParts(body) ? body.join('') : body;
  if (text !== undefined && typeof text !== 'string') return undefined;
  if ((text?.length ?? 0) > maxAnswerLength) return undefined;
  return JSON.stringify({ status, type, headers, body: text });
}

const header = 'idempotency-key';

/** Key with its user: answers are never shared between users. Undefined: no key, or no authenticated user. */
function nameOf({ request, subject }: Call): { user: string; key: string } | undefined {
  const text = request.headers.get(header);
  return text === null || !subject ? undefined : { user: subject.name, key: keyFrom(text) };
}

/** Fingerprint of the request. Uses the length of the body instead of its content, which is not read for this. */
function requestOf({ method, path, parameters, request }: Call): string {
  const length = request.headers.get('content-length') ?? '';
  return `${method} ${path} ${JSON.stringify([...parameters])} ${length}`.slice(0, 8_192);
}

/** A request that makes a job or an item makes it once, however often a client sends it with the same key. */
export function requestKeys({ store, clock, log }: Pick<RoomContext, 'store' | 'clock' | 'log'>): RouteWrapper {
  /** The work with the key of its request. Undefined: the work makes no job and no item. */
  function keyed(work: CommitPlan, call: Call): CommitPlan | undefined {
    const created = call.trace.keyed === true ? undefined : madeBy(work.events);
    const name = created === undefined ? undefined : nameOf(call);
    if (created === undefined || !name) return undefined;
    const row = { ...name, request: requestOf(call), made: created, createdAt: clock.now() };
    return { ...work, changes: [insertKeyed(row, goesOn()), ...work.changes] };
  }

  async function commit(work: CommitPlan, call: Call): Promise<void> {
    const plan = keyed(work, call);
    await call.commit(plan ?? work);
    if (plan) call.trace.keyed = true;
  }

  /** Without the answer the client is told the created entity, so a failure here loses nothing. */
  async function keepAnswer(call: Call, reply: Reply): Promise<Reply> {
    const name = call.trace.keyed === true ? nameOf(call) : undefined;
    const answer = name && keptAnswer(reply);
    if (!name || answer === undefined) return reply;
    try {
      await store.commit(changing(writeAnswer({ ...name, answer })), systemActor);
    } catch (error) {
      log.write('warn', 'answer-not-kept', describeError(error));
    }
    return reply;
  }

  return {
    around(route) {
      if (route.method === 'GET' || route.method === 'OPTIONS') return route;
      return {
        ...route,
        handle(call, params) {
          if (!call.request.headers.has(header)) return route.handle(call, params);
          const keeping = { ...call, commit: (work: CommitPlan) => commit(work, call) };
          return repeatable(call, () => route.handle(keeping, params));
        },
      };
    },
  };

  async function repeatable(call: Call, answer: () => Reply | Promise<Reply>): Promise<Reply> {
    const name = nameOf(call);
    const answered = name && (await findKeyed(store, name));
    if (answered) return keyedAnswer(answered, requestOf(call));
    return keepAnswer(call, await answer());
  }
}
