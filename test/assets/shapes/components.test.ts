import { expect, it } from 'vitest';
import { describeMatrix } from '../../support/matrix.ts';
import { ask } from '../../support/requests.ts';
import { playScenario, prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { shaper, stranger, worldOf } from '../../support/world.ts';
import { files, made, shapeOf, stateOf, told } from './support.ts';

const shape = '/API/item/VX-1/shape/VX-1';
const modified = [['shape/modify', 'VX-1', { itemId: 'VX-1', shapeId: 'VX-1' }]] as const;

describeMatrix('components of shapes', (entry) => {
  it('a component is told as its files, and as itself with full=true', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, files(2));
    await made(world, {
      containerComponent: { file: [{ id: 'VX-1' }], format: 'mov' },
      videoComponent: [{ file: [{ id: 'VX-1' }, { id: 'VX-2' }], codec: 'h264' }],
    });
    expect(await told(world, `GET ${shape}/component/VX-2`)).toMatchObject({
      hits: 2,
      file: [{ id: 'VX-1', size: 0 }, { id: 'VX-2' }],
    });
    expect(await told(world, `GET ${shape}/component/VX-2?full=true`)).toMatchObject({ id: 'VX-2', codec: 'h264' });
    expect(await told(world, `GET ${shape}/component`)).toMatchObject({
      component: [
        { id: 'VX-1', format: 'mov' },
        { id: 'VX-2', itemTrack: 'V1' },
      ],
    });
    const text = await world.send({
      as: admin,
      request: `GET ${shape}/component/VX-2`,
      headers: { accept: 'text/plain' },
    });
    expect(text.body).toBe('memory:///in/f1.mov\r\nmemory:///in/f2.mov\r\n');
    await playScenario(world, {
      ...ask(`GET ${shape}/component/VX-9`),
      name: 'not there',
      status: 404,
      says: { jsonPart: { notFound: { type: 'component', id: 'VX-9' } } },
    });
  });

  it('takes a file that is free, or with allowReimport any that is not deleted', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, files(3));
    await made(world, { containerComponent: { file: [{ id: 'VX-1' }] }, videoComponent: [{}] });
    const put = (file: string, query = '') => ask(`PUT ${shape}/component/VX-2/file/${file}${query}`);
    await playScenario(world, {
      ...put('VX-1'),
      name: 'taken',
      status: 400,
      says: { jsonPart: { invalidInput: { id: 'VX-1' } }, contains: ['no component has'] },
    });
    await playScenario(world, { ...put('VX-1', '?allowReimport=true'), name: 'again', status: 200, events: modified });
    await playScenario(world, { ...put('VX-1'), name: 'the same file again', status: 200 });
    await playScenario(world, { ...put('VX-2'), name: 'free', status: 200, events: modified });
    await playScenario(world, { ...put('VX-9'), name: 'no file', status: 404, says: { contains: ['"File"'] } });
    await told(world, 'PUT /API/file/VX-3/state/TO_BE_DELETED');
    await playScenario(world, { ...put('VX-3', '?allowReimport=true'), name: 'deleted', status: 400 });
    const entity = { ...ask('DELETE /API/file/VX-2/entity'), name: 'entity', status: 409 };
    await playScenario(world, entity);
    const remove = ask(`DELETE ${shape}/component/VX-2/file/VX-2`);
    await playScenario(world, { ...remove, name: 'detach', status: 200, says: { exact: '' }, events: modified });
    await playScenario(world, { ...remove, name: 'twice', status: 404 });
    expect(await stateOf(world, 'VX-2')).toBe('CLOSED');
    expect((await shapeOf(world, 'VX-1')).videoComponent?.[0]?.file).toMatchObject([{ id: 'VX-1' }]);
  });

  it('a deleted component leaves its file to others, or to deletion', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, files(3));
    await made(world, {
      containerComponent: { file: [{ id: 'VX-1' }] },
      videoComponent: [{ file: [{ id: 'VX-1' }, { id: 'VX-2' }], metadata: [{ key: 'k', value: 'v' }] }],
      audioComponent: [{ file: [{ id: 'VX-3' }] }],
    });
    const remove = (id: string, query = '') => ask(`DELETE ${shape}/component/${id}${query}`);
    const gone = ['file/change', 'VX-2', { shapeId: ['VX-1'] }] as const;
    await playScenario(world, { ...remove('VX-3'), name: 'video', status: 200, events: [...modified, gone] });
    await playScenario(world, { ...remove('VX-3'), name: 'twice', status: 404 });
    await playScenario(world, { ...remove('VX-2', '?keepFiles=true'), name: 'audio', status: 200, events: modified });
    const states = await Promise.all(['VX-1', 'VX-2', 'VX-3'].map((id) => stateOf(world, id)));
    expect(states).toEqual(['CLOSED', 'TO_BE_DELETED', 'CLOSED']);
    expect(await world.service.store.read("SELECT * FROM key_value WHERE entity_type = 'component'")).toEqual([]);
  });

  it('has key-value metadata, and tells of its changes as of those of the shape', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await made(world, { videoComponent: [{ metadata: [{ key: 'a', value: '1' }] }] });
    for (const path of [shape, `${shape}/component/VX-1`]) {
      const body = { field: [{ key: 'color', value: 'red' }] };
      await playScenario(world, { ...ask(`PUT ${path}/metadata`, body), name: path, status: 204, events: modified });
      const text = { as: admin, headers: { accept: 'text/plain' }, request: `GET ${path}/metadata/color` };
      expect((await world.send(text)).body).toBe('red');
      const remove = ask(`DELETE ${path}/metadata/color`);
      await playScenario(world, { ...remove, name: 'delete', status: 204, events: modified });
      await playScenario(world, { ...remove, name: 'twice', status: 404 });
      await playScenario(world, { ...ask(`GET ${path}/metadata`, undefined, stranger), name: 'access', status: 403 });
    }
    expect((await shapeOf(world, 'VX-1')).videoComponent?.[0]?.metadata).toEqual([{ key: 'a', value: '1' }]);
    await playScenario(world, { ...ask(`GET ${shape}/component/VX-7/metadata`), name: 'none', status: 404 });
  });

  it('has tags and media types, which change nothing when they are there', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await made(world);
    const put = (label: string) => ask(`PUT ${shape}/${label}`);
    const remove = (label: string) => ask(`DELETE ${shape}/${label}`);
    const said = (...values: string[]) =>
      ['metadata/modify', 'VX-1', { changes: [{ field: 'shapeTag', values, start: '-INF', end: '+INF' }] }] as const;
    const tagged = [
      ['shape/modify', 'VX-1', { shapeId: 'VX-1', shapeTag: ['original', 'lowres'] }],
      said('original', 'lowres'),
    ] as const;
    await playScenario(world, { ...put('tag/lowres'), name: 'tag', status: 200, says: { exact: '' }, events: tagged });
    await playScenario(world, { ...put('tag/lowres'), name: 'again', status: 200 });
    await playScenario(world, {
      ...put('tag/nosuch'),
      name: 'unknown',
      status: 404,
      says: { jsonPart: { notFound: { type: 'shape-tag' } } },
    });
    expect(await told(world, `GET ${shape}/tag`)).toEqual({ uri: ['original', 'lowres'] });
    const addresses = await told<{ uri: string[] }>(world, `GET ${shape}/tag?url=true`);
    expect(addresses.uri[1]).toMatch(/\/API\/shape-tag\/lowres$/);
    const untagged = [...modified, said('lowres')];
    await playScenario(world, { ...remove('tag/original'), name: 'off', status: 200, events: untagged });
    await playScenario(world, { ...remove('tag/original'), name: 'is off', status: 200 });
    await playScenario(world, { ...put('mime/video/mp4'), name: 'mime', status: 200, events: modified });
    await playScenario(world, { ...put('mime/Video/MP4'), name: 'mime again', status: 200 });
    await playScenario(world, { ...put('mime/video'), name: 'no mime', status: 400 });
    expect(await told(world, `GET ${shape}/mime`)).toEqual({ uri: ['video/mp4'] });
    expect((await shapeOf(world, 'VX-1')).mimeType).toEqual(['video/mp4']);
    await playScenario(world, { ...remove('mime/video/mp4'), name: 'mime off', status: 200, events: modified });
    expect(await told(world, `GET ${shape}/mime`)).toEqual({});
  });

  it('is for callers who may write the item', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, files(1));
    await made(world, { videoComponent: [{}] });
    for (const request of [`PUT ${shape}/component/VX-1/file/VX-1`, `DELETE ${shape}/component/VX-1`]) {
      await playScenario(world, { ...ask(request, undefined, stranger), name: request, status: 403 });
    }
    const mine = await world.send(ask(`PUT ${shape}/component/VX-1/file/VX-1`, undefined, shaper));
    expect(mine.status).toBe(200);
  });
});
