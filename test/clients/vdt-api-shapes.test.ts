import { expect, it, onTestFinished } from 'vitest';
import { itemRows } from '../assets/shapes/support.ts';
import { registered } from '../support/files.ts';
import { listenFor } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import { worldOf } from '../support/world.ts';

/** A client of this API as others use it, unchanged: its calls about shapes and shape tags, as it sends them. */

type Call = (given?: Record<string, unknown>) => Promise<{ readonly status: number; readonly data: never }>;
type Calls = Readonly<Record<string, Call>>;
interface Client {
  login(given: { baseURL: string; username: string; password: string }): void;
  logout(): void;
  readonly shape: Calls;
  readonly component: Calls;
  readonly shapetag: Calls;
}

// By a name that the compiler does not look up: there is nothing for it to find.
const packageName = '@vidispine/vdt-api';
const client = (await import(packageName)) as Client;

async function open() {
  const world = await worldOf('files');
  await prepare(world, registered('a.mov', 'b.mov'));
  await itemRows(world, 'VX-1', 'VX-2');
  onTestFinished(() => client.logout());
  client.login({ baseURL: `http://127.0.0.1:${await listenFor(world)}`, username: admin[0], password: admin[1] });
  const ask =
    (calls: Calls) =>
    async <T = Record<string, unknown>>(name: string, given: Record<string, unknown> = {}): Promise<T> =>
      (await calls[name]!(given)).data;
  return { shapes: ask(client.shape), components: ask(client.component), tags: ask(client.shapetag) };
}

const itemId = 'VX-1';

it('vdt-api fills a placeholder, and the shape has tags, media types and files', async () => {
  const { shapes, components, tags } = await open();
  const transcodePresetDocument = { format: 'mp4', video: { codec: 'h264', setting: [{ key: 'a', value: 'b' }] } };
  await tags('updateShapeTag', { tagName: 'web', transcodePresetDocument });
  expect(await tags('getShapeTag', { tagName: 'web' })).toEqual(transcodePresetDocument);
  expect(await tags('listShapeTag')).toEqual({ uri: ['lowres', 'original', 'web'] });
  const queryParams = { container: 1, video: 1, tag: 'web' };
  const shapeId = await shapes<string>('createShapePlaceholder', { itemId, queryParams });
  expect(await shapes('listShape', { itemId })).toEqual({});
  expect(await shapes('listShape', { itemId, queryParams: { placeholder: true } })).toEqual({ uri: [shapeId] });
  await components('addComponentFile', { itemId, shapeId, componentId: 'VX-1', fileId: 'VX-1' });
  const simpleMetadataDocument = { field: [{ key: 'video', value: '0' }] };
  await shapes('updateShapePlaceholder', { itemId, shapeId, simpleMetadataDocument });
  expect(await shapes('listShape', { itemId })).toEqual({ uri: [shapeId] });
  await shapes('updateShapeTag', { itemId, shapeId, tagName: 'original' });
  expect(await shapes('getShapeTag', { itemId, shapeId })).toEqual({ uri: ['web', 'original'] });
  await shapes('removeShapeTag', { itemId, shapeId, tagName: 'web' });
  await shapes('updateShapeMime', { itemId, shapeId, mimeType: 'video/mp4' });
  expect(await shapes('getShapeMime', { itemId, shapeId })).toEqual({ uri: ['video/mp4'] });
  expect(await shapes('listShapeFile', { itemId, shapeId })).toMatchObject({ file: [{ id: 'VX-1' }] });
  expect(await shapes('getShape', { itemId, shapeId })).toMatchObject({ id: shapeId, tag: ['original'] });
});

it('vdt-api creates shapes, copies and moves components, and deletes versions', async () => {
  const { shapes, components } = await open();
  const shapeDocument = { containerComponent: { file: [{ id: 'VX-1' }] }, videoComponent: [{ codec: 'h264' }] };
  const made = await shapes<{ id: string }>('createShape', { itemId, shapeDocument });
  const other = await shapes<{ id: string }>('createShape', { itemId: 'VX-2' });
  const from = { itemId, shapeId: made.id, componentId: 'VX-2' };
  expect(await components('getComponent', { ...from, queryParams: { full: true } })).toMatchObject({ codec: 'h264' });
  expect(await components('listComponent', from)).toMatchObject({ component: [{ id: 'VX-1' }, { id: 'VX-2' }] });
  const to = { targetItemId: 'VX-2', targetShapeId: other.id };
  const copied = await components('copyComponentToShape', { ...from, ...to });
  expect(copied).toMatchObject({ id: other.id, videoComponent: [{ id: 'VX-3', codec: 'h264' }] });
  const back = { targetItemId: itemId, targetShapeId: made.id, targetComponentId: 'VX-2' };
  const moved = { itemId: 'VX-2', shapeId: other.id, componentId: 'VX-3', ...back };
  expect(await components('moveComponent', moved)).toMatchObject({ videoComponent: [{ id: 'VX-3' }] });
  const added = await components('createComponentPlaceholder', { ...from, queryParams: { type: 'audio' } });
  expect(added).toEqual({ id: 'VX-4', itemTrack: 'A1' });
  await components('removeComponent', { ...from, componentId: 'VX-4' });
  expect(await shapes('listShapeEssence', { itemId })).toMatchObject({ version: [{ id: 0 }] });
  expect(await shapes('getShapeEssence', { itemId, versionId: 0 })).toMatchObject({ shape: [{ id: made.id }] });
  await shapes('removeShapeEssence', { itemId: 'VX-2', versionId: 0 });
  expect(await shapes('listShape', { itemId: 'VX-2' })).toEqual({});
  await expect(shapes('getShape', { itemId: 'VX-2', shapeId: other.id })).rejects.toThrow('404');
  expect(await shapes('removeShape', { itemId, shapeId: made.id, queryParams: { keepFiles: true } })).toEqual({});
  await shapes('removeShapeAll', { itemId });
});
