import { probers, soundReader } from '../../../plugins/probers/index.ts';
import { probingHere } from '../../../src/composition/media.ts';
import { ownProbersHook } from '../../../src/production/checking/probing/probers.ts';
import { Hooks, hooked } from '../../../src/room/hook.ts';
import type { LeasedJob } from '../../../src/room/jobs/job-type.ts';
import type { MediaHost } from '../../../src/spi/index.ts';
import { openPlacing } from '../../assets/placing/world.ts';
import { done, type JobsOptions, type JobsWorld, ask as jobAsk } from '../../storage/jobs/world.ts';
import { admin } from '../../support/service.ts';

export const ask = (request: string, body?: string) => jobAsk(request, admin, body);

/** Storages in memory, and the items VX-100 and VX-101 without shapes. */
export const openChecking = (options: JobsOptions = {}): Promise<JobsWorld> => openPlacing(options);

/** A file of the storage VX-1 with these bytes. */
export async function fileWith(world: JobsWorld, path: string, bytes: Uint8Array): Promise<string> {
  const { id } = await done<{ id: string }>(world, {
    as: admin,
    headers: { accept: 'application/json', 'content-type': 'application/octet-stream' },
    request: `POST /API/storage/VX-1/file/data?path=${encodeURIComponent(path)}`,
    body: bytes as Uint8Array<ArrayBuffer>,
  });
  return id;
}

export interface ShapeSeen {
  readonly id: string;
  readonly tag: readonly string[];
  readonly mimeType?: readonly string[];
  readonly containerComponent?: Readonly<Record<string, unknown>>;
  readonly videoComponent?: readonly Readonly<Record<string, unknown>>[];
  readonly audioComponent?: readonly Readonly<Record<string, unknown>>[];
  readonly binaryComponent?: readonly Readonly<Record<string, unknown>>[];
  readonly metadata?: { readonly field: readonly unknown[] };
}

export const shapeOf = (world: JobsWorld, id: string, item = 'VX-100'): Promise<ShapeSeen> =>
  done(world, ask(`GET /API/item/${item}/shape/${id}?includePlaceholder=true`));

/** A new shape of an item. */
export async function shapeWith(world: JobsWorld, body: object, tag = 'original', item = 'VX-100'): Promise<string> {
  const path = `/API/item/${item}/shape/create${tag === '' ? '' : `?tag=${tag}`}`;
  return (await done<{ id: string }>(world, ask(`POST ${path}`, JSON.stringify(body)))).id;
}

/** The stored metadata of an item, by field. */
export async function fieldsOf(world: JobsWorld, item = 'VX-100'): Promise<Readonly<Record<string, string>>> {
  const { metadata } = await done<{
    metadata: { timespan: { field: { name: string; value?: { value: string }[] }[] }[] };
  }>(world, ask(`GET /API/item/${item}?content=metadata`));
  const fields = metadata.timespan.flatMap(({ field }) => field);
  return Object.fromEntries(
    fields
      .filter(({ name }) => !name.startsWith('__'))
      .map(({ name, value = [] }) => [name, value.map((each) => each.value).join('|')]),
  );
}

/** Opens media in this process, as on an edge. */
export function shippedHere(): MediaHost {
  const hooks = new Hooks();
  hooks.join([hooked(ownProbersHook, { probers, sound: soundReader })]);
  return probingHere(hooks);
}

/** A job that this test has in its hands. */
export const heldJob = (id = 'VX-9999'): LeasedJob => ({
  id,
  type: 'TEST',
  user: 'admin',
  actor: { user: 'admin' },
  data: [],
  memo: {},
  signal: new AbortController().signal,
  mine: { sql: 'SELECT 1', args: [] },
  progress: () => undefined,
  tells: () => undefined,
  subStep: () => undefined,
  begins: async () => undefined,
  subTask: () => undefined,
  done: async () => undefined,
});
