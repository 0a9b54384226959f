import { afterAll, beforeAll } from 'vitest';
import { done, type JobSeen, type JobsOptions, type JobsWorld, openJobs } from '../../storage/jobs/world.ts';
import { newUser } from '../../support/cast.ts';
import { type Answer, type Entry, openBehind, type Sent, type World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import type { Credentials } from '../../support/service.ts';
import { admin } from '../../support/service.ts';

export const importer: Credentials = ['importer', 'password of importer'];
export const outsider: Credentials = ['outsider', 'password of outsider'];
const roles = ['_import', '_item_read', '_item_shape_read', '_item_shape_write', '_metadata_read', '_metadata_write'];

/** Storages in memory, somebody who imports, and somebody else who does. */
export async function openImports(options: JobsOptions = {}, open?: Entry['open']): Promise<JobsWorld> {
  const world = await openJobs(options, open);
  await prepare(world, [newUser(importer, [...roles, '_file_read', '_file_write']), newUser(outsider, roles)]);
  return world;
}

/** The same for all tests of a block. */
export function sharedImports(): () => JobsWorld {
  const ends: (() => Promise<unknown>)[] = [];
  let world: JobsWorld;
  beforeAll(async () => {
    world = await openImports({}, (given) => openBehind('fetch', given ?? {}, (end) => ends.push(end)));
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return () => world;
}

export const ask = (request: string, body?: Sent['body'], as: Credentials = importer): Sent => ({
  as,
  headers: { accept: 'application/json' },
  request,
  ...(body !== undefined && { body }),
});

/** Bytes in the body. */
export const sent = (request: string, body: string, headers: Record<string, string> = {}, as = importer): Sent => ({
  as,
  headers: { accept: 'application/json', 'content-type': 'application/octet-stream', ...headers },
  request,
  body,
});

export const start = (world: World, request: Sent): Promise<JobSeen> => done<JobSeen>(world, request);

export const dataOf = ({ data = [] }: JobSeen, key: string): string | undefined =>
  data.find((each) => each.key === key)?.value;

export interface ItemSeen {
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly shape: readonly {
    readonly id: string;
    readonly tag: readonly string[];
    readonly essenceVersion: number;
    readonly mimeType?: readonly string[];
    readonly containerComponent?: { readonly file: readonly { readonly id: string; readonly path: string }[] };
    readonly binaryComponent?: readonly { readonly file: readonly { readonly id: string; readonly path: string }[] }[];
  }[];
}

export async function itemOf(world: World, id: string, as: Credentials = admin): Promise<ItemSeen> {
  const found = await done<{
    id: string;
    shape?: ItemSeen['shape'];
    metadata: { timespan?: { field: { name: string; value?: { value: string }[] }[] }[] };
  }>(world, ask(`GET /API/item/${id}?content=metadata,shape`, undefined, as));
  const fields = (found.metadata.timespan ?? []).flatMap(({ field }) => field);
  return {
    id: found.id,
    shape: found.shape ?? [],
    fields: Object.fromEntries(
      fields
        .filter(({ name }) => !name.startsWith('__'))
        .map(({ name, value = [] }) => [name, value.map((each) => each.value).join('|')]),
    ),
  };
}

export const explained = ({ body }: Answer): string =>
  (JSON.parse(body) as { invalidInput?: { explanation?: string } }).invalidInput?.explanation ?? body;
