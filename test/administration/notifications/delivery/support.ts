import { expect, onTestFinished } from 'vitest';
import type { ActionOrder, DeliveryResult } from '../../../../src/administration/notifications/actions/order.ts';
import { deliveriesKind } from '../../../../src/administration/notifications/delivery/delivery-work.ts';
import { createLane } from '../../../../src/administration/notifications/delivery/lane.ts';
import type { Patience } from '../../../../src/administration/notifications/delivery/rules.ts';
import {
  type Notification,
  notificationDocument,
} from '../../../../src/administration/notifications/documents/notification.ts';
import { measureOutbox } from '../../../../src/administration/notifications/outbox-sql.ts';
import type { Settings } from '../../../../src/composition/settings.ts';
import { readJson, writeJson } from '../../../../src/core/documents/index.ts';
import { createLog } from '../../../../src/core/lib/log.ts';
import type { Database } from '../../../../src/core/store/contract.ts';
import type { Store } from '../../../../src/core/store/store.ts';
import { createWork } from '../../../../src/core/work/work.ts';
import { type TestClock, testClock } from '../../../support/clock.ts';
import { outliving } from '../../../support/databases.ts';
import { triggers } from '../../../support/declared.ts';
import { requestOf } from '../../../support/matrix.ts';
import { migratedDatabase } from '../../../support/migrated.ts';
import { testRandom } from '../../../support/random.ts';
import { type FakeNet, fakeNet } from '../../../support/receiver.ts';
import { admin, openService, type TestService } from '../../../support/service.ts';
import { memoryStore } from '../../../support/store.ts';
import { dueTimesIn } from '../../../support/work.ts';

export const patience: Patience = {
  retries: 3,
  retryFor: 0,
  pauseFirst: 1_000,
  pauseMost: 60_000,
  aloneFor: 15 * 60_000,
  blockedFor: 4 * 3_600_000,
  restAfter: 10,
  restFirst: 60_000,
  restMost: 1_800_000,
  disableAfter: 5 * 24 * 3_600_000,
};

export const delivered: DeliveryResult = { verdict: 'delivered', status: 200 };
export const down: DeliveryResult = {
  verdict: 'again',
  status: 503,
  error: 'http',
  says: 'Expected a status from 200 to 299: "503"',
};

export const http = (more: object = {}, trigger: object = { group: { create: {} } }): Notification =>
  readJson(
    notificationDocument,
    JSON.stringify({ action: { http: { url: 'https://hooks.example.net/', ...more } }, trigger }),
  );

/** Says what became of a call; may take its time. */
type Receiver = (order: ActionOrder, signal: AbortSignal) => Promise<DeliveryResult> | DeliveryResult;

interface InstanceOptions {
  readonly receiver: Receiver;
  readonly clock: TestClock;
  readonly patience?: Partial<Patience>;
  readonly concurrency?: number;
  readonly lease?: number;
  readonly grace?: number;
  readonly owner?: string;
}

/** Instance that delivers what is in the store, to receivers that the test plays. */
export function instanceOn(store: Store, options: InstanceOptions) {
  const { receiver, clock, concurrency = 100, lease = 20_000, grace = 5_000, owner = 'a' } = options;
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), clock, 'debug');
  const counted: string[] = [];
  let lost = 0;
  const lane = createLane({
    store,
    clock,
    random: testRandom(1),
    log,
    telling: { triggers, namespace: 'urn:test' },
    patience: { ...patience, ...options.patience },
    settings: { maxParked: 100, deliveryAnswerBytes: 100 },
    open: async ({ document }) => ({ sent: readJson(notificationDocument, document), keys: [] }),
    mayTell: async () => true,
    tellPerson: async () => delivered,
    perform: async (order, signal) => receiver(order, signal),
    count: (outcome) => counted.push(outcome),
  });
  const kind = deliveriesKind({
    store,
    clock,
    lane,
    firing: triggers.names,
    owner,
    concurrency,
    lease,
    lost: () => void lost++,
    held: () => undefined,
    measure: () => measureOutbox(store, 100, clock.now()),
  });
  const work = createWork({ clock, log, host: 'loop', dueTimes: dueTimesIn(store), poll: 1_000, grace });
  work.join([kind]);
  return {
    ...work,
    lines,
    counted,
    get lost() {
      return lost;
    },
  };
}

interface OutboxWorld {
  readonly store: Store;
  readonly clock: TestClock;
  /** A notification in a lane. */
  notify(id: string, document?: Notification, lane?: string): Promise<void>;
  /** An event that these wait for; gives its sequence. */
  happen(group: string, ...notifications: string[]): Promise<number>;
  rows<T extends readonly unknown[]>(sql: string, ...args: (string | number)[]): Promise<T[]>;
}

/** Rows as a commit with notifications leaves them. */
export async function outboxWorld(): Promise<OutboxWorld> {
  const clock = testClock();
  const store = await memoryStore({ clock });
  onTestFinished(() => store.close());
  const write = (sql: string, ...args: (string | number)[]) => ({ sql, args });
  const commit = (...changes: { sql: string; args: (string | number)[] }[]) =>
    store.commit({ changes, events: [] }, { user: 'test' });
  return {
    store,
    clock,
    async notify(id, document = http(), lane = id) {
      await commit(
        write('INSERT INTO lane (name, fence) VALUES (?, 0) ON CONFLICT DO NOTHING', lane),
        write(
          `INSERT INTO notification (id, resource, entity, document, synchronous, version, created_at, created_by, changed_at)
            VALUES (?, '/group', '', ?, 0, 1, 0, 'test', 0)`,
          id,
          writeJson(notificationDocument, document),
        ),
        write(`INSERT INTO queue (notification_id, lane, state, state_since) VALUES (?, ?, 'active', 0)`, id, lane),
      );
    },
    async happen(group, ...notifications) {
      const [rows = []] = await store.commit(
        {
          changes: [
            {
              sql: `INSERT INTO event (name, entity_type, entity_id, payload, user, at)
                VALUES ('group/create', 'group', ?1, json_object('group', ?1), 'test', ?2) RETURNING sequence`,
              args: [group, clock.now()],
              returns: true,
            },
            ...notifications.map((id) => ({
              sql: 'INSERT INTO outbox (notification_id, sequence, at) VALUES (?, (SELECT max(sequence) FROM event), ?)',
              args: [id, clock.now()],
            })),
          ],
          events: [],
        },
        { user: 'test' },
      );
      return Number(rows[0]![0]);
    },
    rows: async <T extends readonly unknown[]>(sql: string, ...args: (string | number)[]) =>
      (await store.read(sql, args)) as unknown as T[],
  };
}

/** Name of the group in the body of an order. */
export const groupOf = ({ fields }: ActionOrder): string => fields.find(([key]) => key === 'group')![1];

/** A request by `admin`, which must succeed. */
export const ask = async (
  world: Pick<TestService, 'service'>,
  request: string,
  body?: object,
  accept = 'application/json',
) => {
  const response = await world.service.fetch(
    requestOf('http://portico.test', { as: admin, request, body, headers: { accept } }),
  );
  const text = await response.text();
  expect(response.status, `${request}: ${text}`).toBe(200);
  return accept === 'application/json' && text !== '' ? JSON.parse(text) : text.trim();
};
export const register = (world: Pick<TestService, 'service'>, url: string, more: object = {}): Promise<string> => {
  const http = { url, contentType: 'application/json', ...more };
  const trigger = { group: { create: '', modify: '', delete: '' } };
  return ask(world, 'POST /API/group/notification', { action: { http }, trigger }, 'text/plain');
};
export const groupIn = (body: string): string =>
  JSON.parse(body).field.find((each: { key: string }) => each.key === 'group').value;
export const sequenceOf = ({ headers }: FakeNet['sent'][number]) => Number(headers['webhook-id']!.split('_')[1]);

/** A service whose network and time belong to the test. */
export async function openNet(settings: Partial<Settings> = {}) {
  const clock = testClock();
  const net = fakeNet(clock);
  const world = await openService({ clock, wire: net.wire, settings: { logLevel: 'error', ...settings } });
  onTestFinished(() => world.close());
  return { ...world, net };
}

/** The sizes that the specification names take minutes: `npm run acceptance`. */
export const inFull = (import.meta as { env?: { MODE?: string } }).env?.MODE === 'full';

/** Database that outlives the services on it, until the test ends. */
export async function lastingDatabase(): Promise<Database> {
  const inner = await migratedDatabase();
  onTestFinished(() => inner.close());
  return outliving(inner);
}
