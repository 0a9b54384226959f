import {
  type MemoryFolder,
  type MemoryStorage,
  memoryStorage,
} from '../../../src/kit/testing/storage/memory-storage.ts';
import type { StorageScheme } from '../../../src/spi/index.ts';
import { newUser } from '../../support/cast.ts';
import { testClock } from '../../support/clock.ts';
import { type Answer, type Entry, openWorld, type Sent, type World } from '../../support/matrix.ts';
import { storageRows } from '../../support/media.ts';
import { prepare } from '../../support/scenario.ts';
import type { Credentials, ServiceOptions } from '../../support/service.ts';
import { memoryPlugin } from '../../support/service.ts';

export interface JobsWorld extends World {
  readonly storage: MemoryStorage;
  /** What lies in the storages VX-1 and VX-2. */
  readonly from: MemoryFolder;
  readonly to: MemoryFolder;
}

export const mover: Credentials = ['mover', 'password of mover'];
export const stranger: Credentials = ['stranger', 'password of stranger'];
export const viewer: Credentials = ['viewer', 'password of viewer'];

export interface JobsOptions extends ServiceOptions {
  /** The storage in memory, as the service gets it. */
  scheme?(inner: StorageScheme): StorageScheme;
}

/** The storages VX-1 and VX-2 in memory, somebody who writes files, and two who may do less. */
export async function openJobs(
  { scheme = (inner) => inner, ...options }: JobsOptions = {},
  open: Entry['open'] = (given) => openWorld('fetch', given),
): Promise<JobsWorld> {
  const clock = options.clock ?? testClock();
  const storage = memoryStorage(() => clock.now());
  const world = await open({ ...options, clock, plugins: [memoryPlugin(scheme(storage))] });
  await storageRows(world);
  await storageRows(world, { id: 'VX-2', uri: 'memory:///out/' });
  await prepare(world, [
    newUser(mover, ['_file_write', '_file_read']),
    newUser(stranger, []),
    newUser(viewer, ['_file_read', '_job_read', '_job_write']),
  ]);
  return { ...world, storage, from: storage.place('memory:///in/'), to: storage.place('memory:///out/') };
}

export const json = { accept: 'application/json' };

export const ask = (request: string, as: Credentials = mover, body?: Sent['body']): Sent => ({
  as,
  headers: json,
  request,
  ...(body !== undefined && { body }),
});

export const upload = (path: string, body: string, storage = 'VX-1'): Sent => ({
  as: mover,
  headers: { ...json, 'content-type': 'application/octet-stream' },
  request: `POST /API/storage/${storage}/file/data?path=${encodeURIComponent(path)}`,
  body,
});

export const bodyOf = <T = Record<string, unknown>>(answer: Answer): T => JSON.parse(answer.body) as T;

/** The answer of a request that must succeed. */
export async function done<T = Record<string, unknown>>(world: World, sent: Sent): Promise<T> {
  const answer = await world.send(sent);
  if (answer.status >= 300) throw new Error(`${sent.request}: ${answer.status} ${answer.body}`);
  return (answer.body === '' ? {} : bodyOf(answer)) as T;
}

export interface JobSeen {
  readonly jobId: string;
  readonly status: string;
  readonly type: string;
  readonly user?: string;
  readonly waiting?: { readonly resourceType: string; readonly resourceId: string; readonly requirement: string };
  readonly currentStep?: { readonly number: number; readonly description: string; readonly status: string };
  readonly data?: readonly { readonly key: string; readonly value: string }[];
  readonly log?: {
    readonly task: readonly {
      readonly step: number;
      readonly attempts: number;
      readonly status: string;
      readonly description: string;
      readonly errorMessage?: string;
      readonly progress?: { readonly value: number; readonly total: number; readonly unit: string };
      readonly subStep?: readonly { readonly description: string }[];
    }[];
  };
}

export const jobOf = (world: World, id: string): Promise<JobSeen> => done(world, ask(`GET /API/job/${id}`, viewer));

/** Lets work go on, and time pass for what waits, until the job has ended. */
export async function ended(world: World, id: string, seconds = 600): Promise<JobSeen> {
  for (let passed = 0; ; passed += 5) {
    await world.service.tick();
    const job = await jobOf(world, id);
    if (/^(FINISHED|FAILED|ABORTED$)/.test(job.status)) return job;
    if (passed >= seconds) throw new Error(`Expected ${id} to end: ${JSON.stringify(job)}`);
    await world.clock.advance(5_000);
  }
}

export const textAt = (place: MemoryFolder, path: string): string | undefined => {
  const kept = place.files.get(path);
  return kept && new TextDecoder().decode(kept.bytes);
};

export const rowsOf = async (world: Pick<World, 'service'>, table: string) => {
  const { store } = world.service;
  const columns = (await store.read(`SELECT name FROM pragma_table_info('${table}')`)).map(([name]) => String(name));
  const rows = await store.read(`SELECT * FROM ${table}`);
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
};

/** Changes rows behind the back of the service. */
export const sqlIn = (world: Pick<World, 'service'>, sql: string, ...args: readonly (string | number)[]) =>
  world.service.store.commit({ changes: [{ sql, args: [...args] }], events: [] }, { user: 'test' });

/** Events as `name entity`, those of the file or the job that is named. */
export const told = async (world: World, after = 0, pattern = /^(file|job)\//): Promise<readonly string[]> =>
  (await world.events(after)).filter(({ name }) => pattern.test(name)).map(({ name, entity }) => `${name} ${entity}`);
