import type { Settings } from '../../src/composition/settings.ts';
import { hostPlugins } from '../../src/entry/native/file-storage/scheme.ts';
import { ended, type JobSeen } from './files.ts';
import type { Answer, Entry, Sent, World } from './matrix.ts';
import { ask, done, json } from './requests.ts';
import { admin, type Credentials, testSettings } from './service.ts';
import { importer, type RoomWorld, type WorldOptions, worldOf } from './world.ts';

/** Imports and exports, as several suites start them and see what came of them. */

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

/** The storages VX-1 (sources) and VX-2 in memory, folders of this machine, and somebody who exports. */
export function openExports(
  settings: Partial<Settings> = {},
  options: WorldOptions = {},
  ...open: readonly Entry['open'][]
): Promise<RoomWorld> {
  const plugins = hostPlugins({ ...testSettings, minFreeBytes: 0, ...settings });
  return worldOf('exports', { ...options, settings, plugins }, ...open);
}

/** An item with a shape of one file: its tag is `original` where nothing else is said. */
export async function itemWith(
  world: World,
  path: string,
  { tag = 'original', item, as = admin, bytes = `bytes of ${path}`, metadata = {} as object } = {} as {
    readonly tag?: string;
    readonly item?: string;
    readonly as?: Credentials;
    readonly bytes?: string | Uint8Array<ArrayBuffer>;
    readonly metadata?: object;
  },
): Promise<string> {
  const id = item ?? (await done<{ id: string }>(world, ask('POST /API/import/placeholder', undefined, as))).id;
  const file = await done<{ id: string }>(world, {
    as: admin,
    headers: { ...json, 'content-type': 'application/octet-stream' },
    request: `POST /API/storage/VX-1/file/data?path=${encodeURIComponent(path)}`,
    body: bytes,
  });
  const shape = { containerComponent: { file: [{ id: file.id }] }, ...metadata };
  await done(world, ask(`POST /API/item/${id}/shape/create?tag=${tag}`, shape));
  return id;
}

export const exported = async (world: World, request: string, as: Credentials = admin): Promise<JobSeen> =>
  ended(world, (await done<JobSeen>(world, ask(`POST /API${request}`, undefined, as))).jobId);

export const urisOf = ({ data = [] }: JobSeen): readonly string[] =>
  data.filter(({ key }) => key === 'exportedUris').map(({ value }) => value);

/** Why a job failed: the message of its last task. */
export const whyOf = ({ log }: JobSeen): string | undefined => log?.task.at(-1)?.errorMessage;

/** Template of one file for each shape. */
export const fileTemplate = (name: string, more: object = {}) => ({
  item: [{ shape: [{ componentfile: [{ path: name, ...more }] }] }],
});

const named = (title: string) => ({
  timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: title }] }] }],
});

/** An item with a title, an original, and a shape with the tag `lowres`. */
export async function titled(world: World, title = 'Harbour'): Promise<string> {
  await done(world, ask('PUT /API/shape-tag/lowres', {}));
  const item = await itemWith(world, `in/${title}.mov`, { bytes: 'hello' });
  await itemWith(world, `in/${title}.mp4`, { item, tag: 'lowres', bytes: 'low' });
  await done(world, ask(`PUT /API/item/${item}/metadata`, named(title)));
  return item;
}
