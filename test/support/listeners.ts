import { filterComponents } from '../../filters/index.ts';
import { defaultLimits } from '../../src/core/documents/index.ts';
import { createLog } from '../../src/core/lib/log.ts';
import { Metrics } from '../../src/core/lib/metrics.ts';
import { createApp } from '../../src/http/app.ts';
import { type Bytes, bytesReply } from '../../src/http/bytes.ts';
import type { CallerStore } from '../../src/http/call.ts';
import { createCors } from '../../src/http/cors.ts';
import { createHandler, createRefuser } from '../../src/http/handler.ts';
import { createRender } from '../../src/http/reply.ts';
import { anybody } from '../../src/http/route.ts';
import { tableOf } from '../../src/http/route-table.ts';
import { Traffic } from '../../src/http/traffic.ts';
import type { Credentials } from '../../src/spi/index.ts';
import { ask, make, onlyAlice } from '../filters/support.ts';
import { testClock } from './clock.ts';

/** For services whose routes change nothing. */
export const noStore: CallerStore = {
  actorOf: () => ({ user: 'nobody' }),
  reader: () => ({ isLimited: true, read: () => Promise.reject(new Error('Expected no reads')) }),
  commit: () => Promise.reject(new Error('Expected no commit')),
};

export const content = '0123456789';
const modified = Date.UTC(2030, 0, 31, 12, 0, 0, 500);

interface Opened {
  readonly from: number;
  readonly end: number;
}

/** A handler with one route that answers bytes, and what the route opened. */
export function openBytes(given: Partial<Bytes> = {}) {
  const opened: Opened[] = [];
  const bytes: Bytes = {
    size: content.length,
    type: 'image/jpeg',
    version: 'v1',
    modified,
    open(from, end) {
      opened.push({ from, end });
      return new Blob([content.slice(from, end)]).stream();
    },
    ...given,
  };
  const log = createLog(() => undefined, testClock(), 'error');
  const refuse = createRefuser(log, 'urn:x');
  const row = {
    method: 'GET',
    path: '/bytes',
    says: 'The bytes.',
    access: anybody,
    answers: 'bytes',
    produces: ['image/jpeg', 'application/octet-stream'],
  } as const;
  const handler = createHandler({
    clock: testClock(),
    log,
    metrics: new Metrics(),
    cors: createCors([]),
    maxTargetLength: 8192,
    namespace: 'urn:x',
    instanceId: 'test',
    limits: defaultLimits,
    render: createRender('urn:x'),
    forwarded: (_, arrival) => arrival,
    decide: () => ({ granted: true, subject: undefined }),
    ...createApp(tableOf([{ ...row, handle: (call) => bytesReply(call.request, bytes) }]), refuse),
    refuse,
    answered: () => undefined,
    traffic: new Traffic(),
    callerStore: noStore,
  });
  return { opened, handler };
}

/** The default chain. Tells who got in, and in the header `asked` which credentials the realms were asked about. */
export async function chainListener(): Promise<(request: Request) => Promise<Response>> {
  const [token, bearer, basic] = await Promise.all(
    ['Token', 'OAuth2', 'Basic'].map((name) => make(filterComponents[`portico.${name}Filter`]!)),
  );
  return async ({ headers, method }) => {
    const asked: string[] = [];
    const login = (credentials: Credentials) => {
      asked.push(credentials.kind === 'password' ? credentials.user : credentials.token.reveal());
      return onlyAlice(credentials);
    };
    for (const [filter, words] of [
      [token, ['permissive']],
      [bearer, ['permissive']],
      [basic, undefined],
    ] as const) {
      const verdict = await ask(filter!, words, { headers, method, login });
      const told = { asked: asked.join() };
      if (verdict.verdict === 'accept') return new Response(verdict.account.name, { headers: told });
      if (verdict.verdict !== 'refuse') continue;
      const { status } = verdict.response;
      return new Response(null, { status, headers: { ...verdict.response.headers, ...told } });
    }
    return new Response('nobody', { status: 500 });
  };
}
