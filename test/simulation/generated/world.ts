import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { measureTurns } from '../../../src/core/lib/turn.ts';
import type { Database } from '../../../src/core/store/contract.ts';
import { type MemoryStorage, memoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import { newUser } from '../../support/cast.ts';
import { type TestClock, testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { requestOf, type Sent } from '../../support/matrix.ts';
import { testRandom } from '../../support/random.ts';
import { by } from '../../support/requests.ts';
import { admin, type Credentials, memoryPlugin, openService, type TestService } from '../../support/service.ts';
import { databaseAfter, storageRows } from '../../support/world.ts';
import { type ProcessModel, processModel } from '../process.ts';
import { receivers, type Seen } from '../receivers.ts';
import type { Setting } from './steps.ts';

export const ann: Credentials = ['ann', 'password of ann'];
export const ben: Credentials = ['ben', 'password of ben'];
export const people = [ann, ben, admin] as const;

/** Items that `ann` may have. */
export const quota = 3;
/** Files that imports read. */
export const files = ['f0.txt', 'f1.txt', 'f2.txt'] as const;

export const roles = [
  ...['_share_read', '_share_write', '_item_read', '_item_write', '_import', '_metadata_read', '_metadata_write'],
  ...['_collection_read', '_collection_write', '_accesscontrol_read', '_accesscontrol_write', '_item_shape_read'],
  ...['_file_read', '_file_write', '_item_shape_write', '_job_read'],
];
const told = (host: string) => ({
  action: { http: { url: `https://${host}/hook`, contentType: 'application/json', retry: 4 } },
  trigger: { item: { create: '', delete: '' } },
});
/** A third notification, which comes and goes. */
export const third = told('three');

const settings = { logLevel: 'error' as const, deliveryLease: 20, deleteGraceHours: 0, minFreeBytes: 0 };

const given: readonly Sent[] = [
  newUser(ann, roles),
  newUser(ben, roles),
  by('POST /API/quota', { user: 'ann', enforce: true, resource: [{ name: 'item', limit: quota }] }),
  by('POST /API/item/notification', told('one')),
  by('POST /API/item/notification', told('two')),
];

const copies = databaseAfter(async ({ service }) => {
  await storageRows({ service });
  await storageRows({ service }, { id: 'VX-2', uri: 'memory:///out/' });
  for (const sent of given) {
    const answer = await service.fetch(requestOf('http://portico.test', sent));
    if (answer.status >= 300) throw new Error(`${sent.request}: ${answer.status} ${await answer.text()}`);
  }
});

/** Calls of the platform's cryptography that have not ended: threads carry them out, in no order. */
let underWay = 0;
for (const name of ['digest', 'encrypt', 'decrypt', 'sign', 'verify', 'importKey', 'deriveBits'] as const) {
  const call = crypto.subtle[name] as (...given: readonly unknown[]) => Promise<unknown>;
  Object.defineProperty(crypto.subtle, name, {
    configurable: true,
    value: (...args: readonly unknown[]) => {
      underWay++;
      return call.apply(crypto.subtle, args as unknown[]).finally(() => underWay--);
    },
  });
}

/** Until nothing goes on but what waits for its turn. */
async function quiet(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (underWay > 0);
}

export interface Member {
  readonly process: ProcessModel;
  readonly opened: TestService;
}

/** Instances on one database. Each of their calls waits for its turn. */
export interface World {
  readonly clock: TestClock;
  readonly database: Database;
  readonly storage: MemoryStorage;
  readonly seen: readonly Seen[];
  readonly members: readonly Member[];
  /** Gives turns until the work has ended. */
  drive<T>(work: Promise<T>): Promise<T>;
  /** Gives turns until nobody waits for one. */
  calm(): Promise<void>;
  restart(at: number): Promise<void>;
  /** Calls are made at once from now on. */
  hurry(): void;
  trace(line: string): void;
  /** Digest of all calls and answers, in their order. */
  digest(): string;
  close(): Promise<void>;
}

export async function openWorld({ instances, order, readsWait, receivers: statuses }: Setting): Promise<World> {
  measureTurns(() => 0);
  const clock = testClock();
  const inner = await copies();
  const database = outliving(inner);
  const storage = memoryStorage(() => clock.now());
  for (const name of files) storage.place('memory:///in/').put(name, `text of ${name}`);
  const [scheduler] = fc.sample(fc.scheduler(), { seed: order, numRuns: 1 }) as [fc.Scheduler];
  const hash = createHash('sha1');
  const repeated = Array.from({ length: 200 }, (_, at) => statuses[at % statuses.length]!);
  const net = receivers({ one: repeated, two: repeated, three: repeated }, clock);
  let waits = false;
  let lives = 0;
  const trace = (line: string) => void hash.update(`${line}\n`);

  async function open(at: number): Promise<Member> {
    const life = ++lives;
    const process = processModel(undefined, (kind) => {
      if (!waits || (kind === 'read' && !readsWait)) return undefined;
      const label = `${at} ${kind}`;
      return scheduler.schedule(Promise.resolve(), label).then(() => trace(label));
    });
    const opened = await openService({
      clock,
      settings,
      random: testRandom(order + life),
      database: process.database(database),
      wire: process.wire(net.wire),
      plugins: [memoryPlugin(process.scheme(storage))],
    });
    return { process, opened };
  }

  const members: Member[] = [];
  for (let at = 0; at < instances; at++) members.push(await open(at));
  waits = true;

  async function drive<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    work.then(end, end);
    for (let idle = 0; ; ) {
      await quiet();
      if (isDone) return work;
      if (scheduler.count() > 0) {
        idle = 0;
        await scheduler.waitOne();
      } else if (++idle > 200) throw new Error('Expected work to end: nothing goes on');
      else if (idle > 2) await clock.advance(1_000);
    }
  }

  return {
    clock,
    database,
    storage,
    seen: net.seen,
    members,
    drive,
    async calm() {
      for (await quiet(); scheduler.count() > 0; await quiet()) await scheduler.waitOne();
    },
    async restart(at) {
      const before = waits;
      waits = false;
      members[at] = await open(at);
      waits = before;
    },
    hurry() {
      waits = false;
    },
    trace,
    digest: () => hash.copy().digest('hex'),
    async close() {
      waits = false;
      for (const { opened, process } of members) if (!process.stopped) await opened.service.close();
      await inner.close();
      measureTurns(() => performance.now());
    },
  };
}
