import { expect, it } from 'vitest';
import { describeMatrix, type World } from '../../support/matrix.ts';
import { ask } from '../../support/requests.ts';
import { playScenario, prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { stranger, worldOf } from '../../support/world.ts';
import { files, made, shapeOf, stateOf, told, uris } from './support.ts';

const from = 'POST /API/item/VX-1/shape/VX-1/component';
const to = '/item/VX-2/shape/VX-2';

/** VX-1 of item VX-1 has container, audio and video (components VX-1 to VX-3); VX-2 of item VX-2 two videos (VX-4, VX-5). */
async function twoShapes(world: World): Promise<void> {
  await prepare(world, files(4));
  await made(world, {
    containerComponent: { file: [{ id: 'VX-1' }] },
    audioComponent: [{ codec: 'aac' }],
    videoComponent: [{ file: [{ id: 'VX-1' }], codec: 'h264', metadata: [{ key: 'k', value: 'source' }] }],
  });
  const second = [
    { file: [{ id: 'VX-2' }], codec: 'mjpeg', metadata: [{ key: 'k', value: 'target' }] },
    { file: [{ id: 'VX-3' }], codec: 'dv' },
  ];
  await made(world, { videoComponent: second }, '', 'VX-2');
}

const second = (world: World) => shapeOf(world, 'VX-2', '', 'VX-2');

describeMatrix('components that go to another shape', (entry) => {
  it('a copy is behind the others, with the same files and metadata', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await twoShapes(world);
    await playScenario(world, {
      ...ask(`${from}/VX-3/copy${to}`),
      name: 'copy',
      status: 200,
      says: { jsonPart: { id: 'VX-2' } },
      events: [['shape/modify', 'VX-2', { itemId: 'VX-2', shapeId: 'VX-2' }]],
    });
    expect((await second(world)).videoComponent).toMatchObject([
      { id: 'VX-4', itemTrack: 'V1' },
      { id: 'VX-5', itemTrack: 'V2' },
      { id: 'VX-6', codec: 'h264', itemTrack: 'V3', file: [{ id: 'VX-1' }], metadata: [{ key: 'k', value: 'source' }] },
    ]);
    expect((await shapeOf(world, 'VX-1')).videoComponent).toMatchObject([{ id: 'VX-3', file: [{ id: 'VX-1' }] }]);
    await told(world, 'DELETE /API/item/VX-1/shape');
    expect(await stateOf(world, 'VX-1')).toBe('CLOSED');
  });

  it('an index that is taken, or a component, is replaced; keepMetadata keeps what it had', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await twoShapes(world);
    await playScenario(world, {
      ...ask(`${from}/VX-3/copy${to}?index=0&keepMetadata=true`),
      name: 'at index 0',
      status: 200,
      events: [
        ['shape/modify', 'VX-2'],
        ['file/change', 'VX-2'],
      ],
    });
    expect((await second(world)).videoComponent).toMatchObject([
      { id: 'VX-6', codec: 'h264', itemTrack: 'V1', metadata: [{ key: 'k', value: 'target' }] },
      { id: 'VX-5' },
    ]);
    expect(await stateOf(world, 'VX-2')).toBe('TO_BE_DELETED');
    await told(world, `${from}/VX-3/copy${to}/component/VX-5`);
    const videos = (await second(world)).videoComponent ?? [];
    expect(videos.map(({ itemTrack, codec }) => `${itemTrack} ${codec}`)).toEqual(['V1 h264', 'V2 h264']);
    expect(videos[1]?.metadata).toEqual([{ key: 'k', value: 'source' }]);
  });

  it('a moved component keeps its id, and the shape that it leaves stays', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await twoShapes(world);
    for (const id of ['VX-1', 'VX-2', 'VX-3']) {
      await playScenario(world, {
        ...ask(`${from}/${id}/move${to}`),
        name: id,
        status: 200,
        events: [
          ['shape/modify', 'VX-2', { shapeId: 'VX-2' }],
          ['shape/modify', 'VX-1', { shapeId: 'VX-1' }],
        ],
      });
    }
    expect(await shapeOf(world, 'VX-1')).toEqual({ id: 'VX-1', essenceVersion: 0, tag: ['original'] });
    expect(await uris(world, 'GET /API/item/VX-1/shape')).toEqual(['VX-1']);
    expect(await second(world)).toMatchObject({
      containerComponent: { id: 'VX-1' },
      audioComponent: [{ id: 'VX-2', itemTrack: 'A1' }],
      videoComponent: [{ id: 'VX-4' }, { id: 'VX-5' }, { id: 'VX-3', itemTrack: 'V3' }],
    });
    const file = await told(world, 'GET /API/file/VX-1?includeItem=true');
    expect(file['item']).toMatchObject([{ id: 'VX-2', shape: [{ id: 'VX-2' }] }]);
  });

  it('fills what a placeholder expects, and refuses what it does not (clients 104)', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await twoShapes(world);
    const placeholder = await world.send({ as: admin, request: 'POST /API/item/VX-2/shape/placeholder?video=1' });
    const path = `/item/VX-2/shape/${placeholder.body}`;
    await playScenario(world, {
      ...ask(`${from}/VX-2/copy${path}`),
      name: 'audio',
      status: 400,
      says: { jsonPart: { invalidInput: { context: 'job', id: null, value: 'AUDIO_COMPONENT' } } },
    });
    await playScenario(world, {
      ...ask(`${from}/VX-3/copy${path}`),
      name: 'video',
      status: 200,
      events: [['shape/modify', 'VX-2']],
    });
    expect(await uris(world, 'GET /API/item/VX-2/shape')).toEqual(['VX-2', 'VX-3']);
  });

  it('refuses other kinds, second containers, places behind the end and what is not there', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await twoShapes(world);
    await made(world, { containerComponent: {} });
    const rows = [
      [`${from}/VX-2/copy${to}/component/VX-4`, 400, 'a component of the kind audio'],
      [`${from}/VX-1/copy/item/VX-1/shape/VX-3`, 400, 'a shape without a container'],
      [`${from}/VX-3/copy${to}?index=3`, 400, 'an index of at most 2'],
      [`${from}/VX-9/copy${to}`, 404, 'component'],
      [`${from}/VX-3/copy${to}/component/VX-9`, 404, 'component'],
      [`${from}/VX-3/copy/item/VX-1/shape/VX-2`, 404, 'shape'],
      [`${from}/VX-3/move/item/VX-9/shape/VX-2`, 404, 'Item'],
    ] as const;
    for (const [request, status, says] of rows) {
      await playScenario(world, { ...ask(request), name: request, status, says: { contains: [says] } });
    }
    const itself = ask(`${from}/VX-3/move/item/VX-1/shape/VX-1/component/VX-3`);
    await playScenario(world, { ...itself, name: 'to where it is', status: 200 });
    await playScenario(world, { ...ask(`${from}/VX-3/move${to}`, undefined, stranger), name: 'access', status: 403 });
  });

  it('moves a component to another place of its own shape', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await twoShapes(world);
    const own = 'POST /API/item/VX-2/shape/VX-2/component/VX-4/move/item/VX-2/shape/VX-2';
    await playScenario(world, { ...ask(own), name: 'to the end', status: 200, events: [['shape/modify', 'VX-2']] });
    expect((await second(world)).videoComponent?.map(({ id }) => id)).toEqual(['VX-5', 'VX-4']);
    await told(world, `${own}?index=0`);
    expect((await second(world)).videoComponent?.map(({ id, itemTrack }) => `${id} ${itemTrack}`)).toEqual(['VX-4 V2']);
  });
});
