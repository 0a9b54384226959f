import type { Settings } from '../../../src/composition/settings.ts';
import { hostPlugins } from '../../../src/entry/native/file-storage/scheme.ts';
import { memoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import { done, ended, type JobSeen, type JobsOptions, type JobsWorld, json } from '../../storage/jobs/world.ts';
import { newUser } from '../../support/cast.ts';
import { testClock } from '../../support/clock.ts';
import { openWorld, type Sent } from '../../support/matrix.ts';
import { storageRows } from '../../support/media.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials, memoryPlugin, testSettings } from '../../support/service.ts';

/** May export, and sees only its own items. */
export const exporter: Credentials = ['exporter', 'password of exporter'];
const viewer: Credentials = ['viewer', 'password of viewer'];

/** The storages VX-1 (sources) and VX-2 in memory, folders of this machine, and somebody who exports. */
export async function openExports(
  settings: Partial<Settings> = {},
  options: Omit<JobsOptions, 'settings'> = {},
): Promise<JobsWorld> {
  const clock = testClock();
  const storage = memoryStorage(() => clock.now());
  const all = { ...testSettings, minFreeBytes: 0, ...settings };
  const plugins = [memoryPlugin(storage), ...hostPlugins(all)];
  const world = await openWorld('fetch', { ...options, clock, plugins, settings: all });
  await storageRows(world);
  await storageRows(world, { id: 'VX-2', uri: 'memory:///out/' });
  const roles = [
    '_export',
    '_import',
    '_item_read',
    '_item_shape_read',
    '_item_shape_write',
    '_job_read',
    '_file_write',
  ];
  await prepare(world, [newUser(exporter, roles), newUser(viewer, ['_job_read'])]);
  return { ...world, storage, from: storage.place('memory:///in/'), to: storage.place('memory:///out/') };
}

export const by = (request: string, body?: Sent['body'], as: Credentials = admin): Sent => ({
  as,
  headers: json,
  request,
  ...(body !== undefined && { body }),
});

/** An item with a shape of one file: its tag is `original` where nothing else is said. */
export async function itemWith(
  world: JobsWorld,
  path: string,
  { tag = 'original', item, as = admin, bytes = `bytes of ${path}`, metadata = {} as object } = {} as {
    readonly tag?: string;
    readonly item?: string;
    readonly as?: Credentials;
    readonly bytes?: string;
    readonly metadata?: object;
  },
): Promise<string> {
  const id = item ?? (await done<{ id: string }>(world, by('POST /API/import/placeholder', undefined, as))).id;
  const file = await done<{ id: string }>(world, {
    as: admin,
    headers: { ...json, 'content-type': 'application/octet-stream' },
    request: `POST /API/storage/VX-1/file/data?path=${encodeURIComponent(path)}`,
    body: bytes,
  });
  const shape = { containerComponent: { file: [{ id: file.id }] }, ...metadata };
  await done(world, by(`POST /API/item/${id}/shape/create?tag=${tag}`, shape));
  return id;
}

export const exported = async (world: JobsWorld, request: string, as: Credentials = admin): Promise<JobSeen> =>
  ended(world, (await done<JobSeen>(world, by(`POST /API${request}`, undefined, as))).jobId);

export const urisOf = ({ data = [] }: JobSeen): readonly string[] =>
  data.filter(({ key }) => key === 'exportedUris').map(({ value }) => value);

/** Why a job failed: the message of its last task. */
export const whyOf = ({ log }: JobSeen): string | undefined => log?.task.at(-1)?.errorMessage;
