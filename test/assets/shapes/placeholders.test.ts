import { expect, it } from 'vitest';
import { describeMatrix, type World } from '../../support/matrix.ts';
import { ask } from '../../support/requests.ts';
import { playScenario, prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { worldOf } from '../../support/world.ts';
import { type ComponentJson, files, made, shapeOf, told, uris } from './support.ts';

const path = '/API/item/VX-1/shape';

async function placeholder(world: World, query: string, body?: object): Promise<string> {
  const answer = await world.send({ as: admin, request: `POST ${path}/placeholder?${query}`, ...(body && { body }) });
  expect(answer.status, answer.body).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  return answer.body;
}

const attach = (shape: string, component: string, file: string, more = '') =>
  ask(`PUT ${path}/${shape}/component/${component}/file/${file}${more}`);

describeMatrix('placeholders of shapes', (entry) => {
  it('knows what it expects, and tells it only when asked', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    const id = await placeholder(world, 'container=1&video=1&audio=2&tag=lowres', {
      field: [{ key: 'originalFilename', value: 'a.mov' }],
    });
    expect(await shapeOf(world, id)).toEqual({
      id,
      essenceVersion: 0,
      tag: ['lowres'],
      metadata: { field: [{ key: 'originalFilename', value: 'a.mov' }] },
    });
    expect(await shapeOf(world, id, '?includePlaceholder=True')).toMatchObject({
      containerComponent: { id: 'VX-1' },
      videoComponent: [{ id: 'VX-2', itemTrack: 'V1' }],
      audioComponent: [
        { id: 'VX-3', itemTrack: 'A1' },
        { id: 'VX-4', itemTrack: 'A2' },
      ],
    });
  });

  it('a placeholder with the file of its last expected component is a shape like others', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, files(2));
    const id = await placeholder(world, 'container=1&video=1');
    expect((await shapeOf(world, id)).tag).toEqual(['original']);
    await playScenario(world, {
      ...attach(id, 'VX-1', 'VX-1'),
      name: 'the container',
      status: 200,
      says: { jsonPart: { id: 'VX-1', file: [{ id: 'VX-1', storage: 'VX-1' }] } },
      events: [['shape/modify', 'VX-1', { itemId: 'VX-1', shapeId: id, shapeTag: ['original'] }]],
    });
    expect(await uris(world, `GET ${path}`)).toEqual([]);
    expect((await shapeOf(world, id)).containerComponent?.file).toMatchObject([{ id: 'VX-1' }]);
    await playScenario(world, {
      ...attach(id, 'VX-2', 'VX-2'),
      name: 'the video',
      status: 200,
      events: [['shape/modify', 'VX-1']],
    });
    expect(await uris(world, `GET ${path}`)).toEqual([id]);
    expect(await uris(world, `GET ${path}?placeholder=1`)).toEqual([]);
  });

  it('refuses a placeholder that expects nothing, two containers, and what is no tag', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    const rows = [
      ['', 400, 'Expected a number above 0'],
      ['?video=0', 400, 'Expected a number above 0'],
      ['?container=2', 400, 'at most one container'],
      ['?video=x', 400, 'Expected a whole number'],
      ['?video=1001', 400, 'from 0 to 1000'],
      ['?video=1&tag=no%20such', 400, 'letters, digits, hyphens'],
    ] as const;
    for (const [query, status, says] of rows) {
      await playScenario(world, {
        as: admin,
        request: `POST ${path}/placeholder${query}`,
        name: query,
        status,
        says: { contains: [says] },
      });
    }
  });

  it('changes what it expects, by parameters or by the keys of a document', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, files(1));
    const id = await placeholder(world, 'container=1&video=2');
    await prepare(world, [attach(id, 'VX-2', 'VX-1')]);
    const put = (query: string, body?: object) => ask(`PUT ${path}/${id}/placeholder${query}`, body);
    await playScenario(world, {
      ...put('', {
        field: [
          { key: 'audio', value: '1' },
          { key: 'video', value: '1' },
        ],
      }),
      name: 'one more, one less',
      status: 200,
      says: { exact: '' },
      events: [['shape/modify', 'VX-1', { shapeId: id }]],
    });
    const shape = await shapeOf(world, id, '?includePlaceholder=true');
    expect([shape.videoComponent?.length, shape.audioComponent?.length]).toEqual([1, 1]);
    await playScenario(world, { ...put('?audio=1'), name: 'as it is', status: 200 });
    await playScenario(world, {
      ...put('?video=0'),
      name: 'fewer than have files',
      status: 400,
      says: { contains: ['Expected at least the 1'] },
    });
    await playScenario(world, {
      ...put('', { field: [{ key: 'audio', value: 'many' }] }),
      name: 'no number',
      status: 400,
      says: { contains: ['a whole number for audio'] },
    });
    await playScenario(world, {
      ...put('?container=0&audio=0'),
      name: 'nothing is missing any more',
      status: 200,
      events: [['shape/modify', 'VX-1']],
    });
    expect(await uris(world, `GET ${path}`)).toEqual([id]);
    await playScenario(world, {
      ...put('?audio=1'),
      name: 'no placeholder',
      status: 400,
      says: { contains: ['Expected a placeholder shape'] },
    });
  });

  it('adds an empty component: to a placeholder one more that it expects', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await made(world, { videoComponent: [{ codec: 'a' }, { codec: 'b' }] });
    const add = (shape: string, query: string) => ask(`POST ${path}/${shape}/component/placeholder?${query}`);
    await playScenario(world, {
      ...add('VX-1', 'type=VIDEO&index=1'),
      name: 'between two',
      status: 200,
      says: { json: { id: 'VX-3', itemTrack: 'V3' } },
      events: [['shape/modify', 'VX-1', { shapeId: 'VX-1' }]],
    });
    const shape = await shapeOf(world, 'VX-1');
    expect(shape.videoComponent?.map(({ id }) => id)).toEqual(['VX-1', 'VX-3', 'VX-2']);
    expect(await uris(world, `GET ${path}`)).toEqual(['VX-1']);
    const waiting = await placeholder(world, 'container=1');
    const component = await told<ComponentJson>(world, `POST ${path}/${waiting}/component/placeholder?type=audio`);
    expect(component.itemTrack).toBe('A1');
    expect(await shapeOf(world, waiting)).not.toHaveProperty('audioComponent');
    const refusals = [
      [waiting, 'type=container', 'a shape without a container'],
      [waiting, 'type=film', 'Expected one of container, video, audio, binary, subtitle'],
      [waiting, '', 'Expected one of container'],
    ] as const;
    for (const [id, query, says] of refusals) {
      await playScenario(world, { ...add(id, query), name: query, status: 400, says: { contains: [says] } });
    }
  });
});
