import { onTestFinished } from 'vitest';
import { createCallerStore } from '../../src/composition/commit.ts';
import type { Settings } from '../../src/composition/settings.ts';
import { defaultLimits } from '../../src/core/documents/index.ts';
import { createLog } from '../../src/core/lib/log.ts';
import { Metrics } from '../../src/core/lib/metrics.ts';
import type { Database, Outcome, Statement } from '../../src/core/store/contract.ts';
import { openStore, type Store } from '../../src/core/store/store.ts';
import { createApp } from '../../src/http/app.ts';
import { createCors } from '../../src/http/cors.ts';
import { createHandler, createRefuser } from '../../src/http/handler.ts';
import { createRender } from '../../src/http/reply.ts';
import { tableOfGroups } from '../../src/http/route-table.ts';
import { Traffic } from '../../src/http/traffic.ts';
import type { RoomContext } from '../../src/room/context.ts';
import type { OpenRoom } from '../../src/room/define-room.ts';
import { Hooks, hooked } from '../../src/room/hook.ts';
import { mergeEntities } from '../../src/room/merge-rooms.ts';
import type { Subject } from '../../src/security/subject.ts';
import { fileDeletableHook } from '../../src/storage/public.ts';
import { type TestClock, testClock } from './clock.ts';
import { triggers } from './declared.ts';
import { type Answer, requestOf, type Sent } from './matrix.ts';
import { migratedDatabase, migrations } from './migrated.ts';
import { testSettings } from './service.ts';

export interface RoomWorld {
  readonly store: Store;
  /** The SQL of every read and every statement of a commit so far, with its values. */
  readonly asked: Pick<Statement, 'sql' | 'args'>[];
  /** Warnings and errors in the log. */
  readonly lines: readonly string[];
  readonly clock: TestClock;
  /** `roles`: those of the caller. `actsFor`: the caller only acts for the user that has them. */
  send(sent: Omit<Sent, 'as'> & { readonly roles?: readonly string[]; readonly actsFor?: true }): Promise<Answer>;
  /** Is done between the reads and the commit of the next request that changes something. */
  beforeNextCommit(action: () => Promise<unknown>): void;
}

/**
 * A room of a test behind the pure Fetch entry, without the rooms of the context. `tables`: what it keeps its entities in.
 */
export async function openRoom(
  tables: readonly string[],
  open: (context: RoomContext<Settings>) => OpenRoom,
): Promise<RoomWorld> {
  const asked: Pick<Statement, 'sql' | 'args'>[] = [];
  let meanwhile: (() => Promise<unknown>) | undefined;
  const inner = await migratedDatabase();
  const read: Database['read'] = (sql, args = [], max) => {
    asked.push({ sql, args });
    return inner.read(sql, args, max);
  };
  const database: Database = {
    ...inner,
    kind: inner.kind,
    grouped: inner.grouped,
    pending: 0,
    figures: inner.figures,
    guardGroups: (guard) => inner.guardGroups(guard),
    read,
    query: (_caller, ...given) => read(...given),
    async write(statements, share): Promise<Outcome> {
      const action = meanwhile;
      meanwhile = undefined;
      await action?.();
      asked.push(...statements);
      return inner.write(statements, share);
    },
    close: () => inner.close(),
  };
  const clock = testClock();
  const own = { number: migrations.length + 1, name: 'a room of a test', statements: tables };
  const store = openStore(database, { clock, site: 'VX', migrations: [...migrations, own] });
  await store.migrate();
  onTestFinished(() => store.close());

  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), clock, 'warn');
  const metrics = new Metrics();
  const namespace = 'urn:portico:schema';
  const entities = {};
  const render = createRender(namespace);
  const hooks = new Hooks();
  hooks.join([hooked(fileDeletableHook, () => [])]);
  const room = open({
    settings: testSettings,
    clock,
    log,
    metrics,
    store,
    limits: defaultLimits,
    triggers,
    entities,
    render,
    fingerprint: (text: string) => text,
    uncallable: () => undefined,
    security: { storages: new Map() } as unknown as RoomContext['security'],
    hooks,
  } satisfies Partial<RoomContext<Settings>> as unknown as RoomContext<Settings>);
  Object.assign(entities, mergeEntities(new Map([['test', room]])));

  const refuse = createRefuser(log, namespace);
  const handle = createHandler({
    clock,
    log,
    metrics,
    cors: createCors([]),
    maxTargetLength: 8192,
    namespace: 'urn:x',
    instanceId: 'test',
    limits: defaultLimits,
    render,
    forwarded: (_, arrival) => arrival,
    decide: ({ headers }) => ({ granted: true, subject: callerWith(headers) }),
    ...createApp(
      tableOfGroups(room.routes ?? [], (route) => route),
      refuse,
    ),
    refuse,
    callerStore: createCallerStore({
      store,
      metrics,
      clock,
      services: { depthOf: () => 0 },
    }),
    answered: () => undefined,
    traffic: new Traffic(),
  });
  return {
    store,
    asked,
    lines,
    clock,
    async send({ roles = [], actsFor, ...sent }) {
      const headers = { ...sent.headers, roles: roles.join(' '), ...(actsFor && { runas: 'ann' }) };
      const response = await handle(requestOf('http://portico.test', { ...sent, headers }));
      return { status: response.status, headers: response.headers, body: await response.text() };
    },
    beforeNextCommit(action) {
      meanwhile = action;
    },
  };
}

function callerWith(headers: Headers): Subject {
  const roles = new Set(headers.get('roles')?.split(' '));
  const subject = { name: 'ann', roles: () => roles, has: async (role: string) => roles.has(role) };
  const actor = headers.has('runas')
    ? { name: 'portal', roles: () => new Set<string>(), has: async () => false }
    : undefined;
  return { ...subject, actor } as unknown as Subject;
}
