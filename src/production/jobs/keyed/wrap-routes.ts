import { describeError } from '../../../core/lib/log.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { type CommitPlan, systemActor } from '../../../core/store/contract.ts';
import type { Call } from '../../../http/call.ts';
import type { Reply } from '../../../http/reply.ts';
import type { RoomContext, RouteWrapper } from '../../../room/context.ts';
import { goesOn, keptAnswer, keyedAnswer, keyFrom, madeBy } from './rules.ts';
import { findKeyed, insertKeyed, writeAnswer } from './store.ts';

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
