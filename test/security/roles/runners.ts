import { systemClock } from '../../../src/core/lib/clock.ts';
import { createAddresses } from '../../../src/extensions/runners/addresses.ts';
import { insertRunner, insertTask } from '../../../src/extensions/runners/store.ts';
import { findLogin } from '../../../src/identity/public.ts';
import type { World } from '../../support/matrix.ts';
import { testSecretKey } from '../../support/service.ts';
import { byteRowsOf, ownOf } from './bytes.ts';
import type { Rule } from './rule.ts';

/** Runners of a caller, each with a task that it has claimed. */

interface OwnRunner {
  readonly runner: string;
  readonly claim: string;
  readonly source: string;
  readonly target: string;
}

const owned = new Map<string, OwnRunner>();
const of = (who: string) => owned.get(who)!;
const expires = 9_000_000_000;
let last = 0;

async function rowsOf(world: World, who: string, caller = 'admin'): Promise<void> {
  const { store } = world.service;
  await byteRowsOf(world, who, caller);
  const userId = (await findLogin(store, { name: caller }))?.id ?? (await findLogin(store, { name: 'admin' }))!.id;
  const [runner, claim] = [`VX-${980_000 + ++last}`, `claim-${last}`];
  const about = {
    name: `box ${last}`,
    version: '1',
    labels: '[]',
    offers: '[]',
    createdAt: 1,
    seenAt: 1,
    pausedAt: null,
    stoppedAt: null,
  };
  const task = {
    ...{ key: `VX-1 part ${last}`, jobId: 'VX-1', kind: 'stills', needs: '["kind:none"]', state: 'CLAIMED' },
    ...{ request: '{"seconds":[0],"type":"image/jpeg"}', fileId: ownOf(who).file, storageId: null, createdAt: 1 },
    ...{ claim, runnerId: runner, leaseUntil: 9e15, claimedAt: 1, claims: 1, reported: 0, progress: 0, result: null },
  };
  const changes = [insertRunner({ ...about, id: runner, serial: 980_000 + last, userId }), insertTask(task)];
  await store.commit({ changes, events: [] }, { user: 'test' });
  const addresses = createAddresses({ secretKey: testSecretKey, clock: systemClock });
  const call = { request: new Request('http://portico.test/'), authority: 'portico.test', root: '', secure: false };
  const at = async (bytes: 'source' | 'target') =>
    (await addresses.make(call, claim, bytes, expires)).slice('http://portico.test'.length);
  owned.set(who, { runner, claim, source: await at('source'), target: await at('target') });
}

const row = (
  route: string,
  needs: Rule['needs'],
  target: (own: OwnRunner) => string,
  body?: (own: OwnRunner) => object | string,
): Rule => ({
  route,
  needs,
  rows: rowsOf,
  request: (who) => ({
    request: `${route.slice(0, route.indexOf(' '))} ${target(of(who))}`,
    ...(body && { body: body(of(who)) }),
  }),
});

export const runnerRules: readonly Rule[] = [
  row('GET /runner', '_administrator', () => '/API/runner'),
  row('GET /runner/:runner', '_administrator', ({ runner }) => `/API/runner/${runner}`),
  row('DELETE /runner/:runner', '_administrator', ({ runner }) => `/API/runner/${runner}`),
  row('POST /runner/:runner/pause', '_administrator', ({ runner }) => `/API/runner/${runner}/pause`),
  row('POST /runner/:runner/resume', '_administrator', ({ runner }) => `/API/runner/${runner}/resume`),
  row(
    'POST /runner',
    '_runner',
    () => '/API/runner',
    ({ runner }) => ({ name: `new ${runner}` }),
  ),
  row('POST /runner/:runner/claim', '_runner', ({ runner }) => `/API/runner/${runner}/claim`),
  row('PUT /runner/task/:claim', '_runner', ({ claim }) => `/API/runner/task/${claim}`),
  row('DELETE /runner/task/:claim', '_runner', ({ claim }) => `/API/runner/task/${claim}`),
  row(
    'POST /runner/task/:claim/done',
    '_runner',
    ({ claim }) => `/API/runner/task/${claim}/done`,
    () => ({}),
  ),
  row(
    'POST /runner/task/:claim/failed',
    '_runner',
    ({ claim }) => `/API/runner/task/${claim}/failed`,
    () => ({}),
  ),
  row('GET /APInoauth/runner/task/:claim/source', 'nothing', ({ source }) => source),
  row(
    'PUT /APInoauth/runner/task/:claim/target',
    'nothing',
    ({ target }) => `${target}&still=0`,
    () => 'bytes',
  ),
];
