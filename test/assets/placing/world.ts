import type { MemoryFolder } from '../../../src/kit/testing/storage/memory-storage.ts';
import {
  ask,
  done,
  type JobsOptions,
  type JobsWorld,
  openJobs,
  rowsOf,
  sqlIn,
  upload,
} from '../../storage/jobs/world.ts';
import type { Entry } from '../../support/matrix.ts';
import { storageRows } from '../../support/media.ts';
import { admin } from '../../support/service.ts';

export interface PlacingWorld extends JobsWorld {
  /** What lies in the storage VX-3. */
  readonly third: MemoryFolder;
}

/** Three storages in memory, and the items VX-100 and VX-101 without shapes. */
export async function openPlacing(options: JobsOptions = {}, open?: Entry['open']): Promise<PlacingWorld> {
  const world = await openJobs({ ...options, settings: { deleteGraceHours: 0, ...options.settings } }, open);
  await storageRows(world, { id: 'VX-3', uri: 'memory:///third/' });
  await sqlIn(world, "INSERT INTO item (id, serial, created_at) VALUES ('VX-100', 100, 0), ('VX-101', 101, 0)");
  return { ...world, third: world.storage.place('memory:///third/') };
}

export const rule = (world: JobsWorld, body: object, place = 'shape-tag/storage-rule') =>
  done(world, ask(`PUT /API/${place}`, admin, JSON.stringify(body)));

/** A shape whose one component has a file of its own. */
export async function shapeWith(
  world: JobsWorld,
  path: string,
  { item = 'VX-100', tag = 'original', storage = 'VX-1', bytes = `bytes of ${path}` } = {},
): Promise<{ readonly fileId: string; readonly shapeId: string; readonly componentId: string }> {
  const { id: fileId } = await done<{ id: string }>(world, upload(path, bytes, storage));
  const body = JSON.stringify({ containerComponent: { file: [{ id: fileId }] } });
  const made = await done<{ id: string; containerComponent: { id: string } }>(
    world,
    ask(`POST /API/item/${item}/shape/create?tag=${tag}`, admin, body),
  );
  return { fileId, shapeId: made.id, componentId: made.containerComponent.id };
}

/** Lets work go on while time passes. */
export async function work(world: JobsWorld, seconds = 60): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    await world.service.tick();
    await world.clock.advance(10_000);
  }
  await world.service.tick();
}

/** Where a component has its files, with their states. */
export async function copiesOf(world: JobsWorld, componentId: string): Promise<readonly string[]> {
  const rows = await world.service.store.read(
    `SELECT storage_id, state FROM file JOIN file_use ON file_id = file.id WHERE component_id = '${componentId}'
      ORDER BY storage_id, file.serial`,
  );
  return rows.map((row) => row.join(' '));
}

export const jobsOf = async (world: JobsWorld): Promise<readonly string[]> =>
  (await rowsOf(world, 'job')).map(({ type, status }) => `${type} ${status}`);
