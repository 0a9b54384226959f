import { expect, it } from 'vitest';
import { describeMatrix } from '../../support/matrix.ts';
import { ask } from '../../support/requests.ts';
import { playScenario, prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { shaper, stranger, worldOf } from '../../support/world.ts';
import { files, made, type ShapeJson, shapeOf, stateOf, told, uris } from './support.ts';

const list = 'GET /API/item/VX-1/shape';

describeMatrix('shapes', (entry) => {
  it('a fresh shape beside others is answered with its id, version and empty tags alone', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, [{ as: admin, request: 'POST /API/item/VX-1/shape/placeholder?container=1' }]);
    await playScenario(world, {
      ...ask('POST /API/item/VX-1/shape/create?updateItemMetadata=True', { id: 'VX' }),
      name: 'the id sent is ignored',
      status: 200,
      says: { exact: '{"id":"VX-2","essenceVersion":0,"tag":[]}' },
      events: [['shape/create', 'VX-1', { itemId: 'VX-1', shapeId: 'VX-2' }]],
    });
    await playScenario(world, {
      ...ask(list),
      name: 'the placeholder is not listed',
      status: 200,
      says: { exact: '{"uri":["VX-2"]}' },
    });
    expect(await uris(world, `${list}?placeholder=true`)).toEqual(['VX-1']);
    expect(await uris(world, `${list}?placeholder=all`)).toEqual(['VX-1', 'VX-2']);
    expect(await uris(world, `${list}?url=true`)).toEqual([
      expect.stringMatching(/^http.*\/API\/item\/VX-1\/shape\/VX-2$/),
    ]);
    const text = await world.send({ as: admin, request: list, headers: { accept: 'text/plain' } });
    expect(text.body).toBe('VX-2\r\n');
    await playScenario(world, {
      ...ask('DELETE /API/item/VX-1/shape/VX-2?updateMetadata=True'),
      name: 'no shape remains',
      status: 200,
      says: { exact: '{}' },
      events: [['shape/delete', 'VX-1', { itemId: 'VX-1', shapeId: 'VX-2' }]],
    });
    await playScenario(world, { ...ask('DELETE /API/item/VX-1/shape/VX-2'), name: 'twice', status: 404 });
  });

  it('ids are unique over all items, and a shape below another item is not there', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    const one = await made(world);
    const other = await made(world, {}, '', 'VX-2');
    expect([one.id, other.id]).toEqual(['VX-1', 'VX-2']);
    await playScenario(world, {
      ...ask('GET /API/item/VX-1/shape/VX-2'),
      name: 'foreign',
      status: 404,
      says: { jsonPart: { notFound: { type: 'shape', id: 'VX-2' } } },
    });
    await playScenario(world, {
      ...ask('GET /API/item/VX-9/shape'),
      name: 'no item',
      status: 404,
      says: { jsonPart: { notFound: { type: 'Item', id: 'VX-9' } } },
    });
  });

  it('the first shape is the original, and one shape of a version at most', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    expect((await made(world)).tag).toEqual(['original']);
    expect((await made(world)).tag).toEqual([]);
    await playScenario(world, {
      ...ask('PUT /API/item/VX-1/shape/VX-2/tag/original'),
      name: 'goes to another',
      status: 200,
      says: { exact: '' },
      events: [
        ['shape/modify', 'VX-1', { itemId: 'VX-1', shapeId: 'VX-2', shapeTag: ['original'] }],
        ['shape/modify', 'VX-1', { itemId: 'VX-1', shapeId: 'VX-1' }],
      ],
    });
    expect((await shapeOf(world, 'VX-1')).tag).toEqual([]);
    expect((await made(world, {}, '?tag=original')).tag).toEqual(['original']);
    expect((await shapeOf(world, 'VX-2')).tag).toEqual([]);
  });

  it('gives a shape all that its document says, in XML and in JSON', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, files(1));
    const document = `<ShapeDocument xmlns="urn:portico:schema"><id>VX-77</id><tag>lowres</tag><mimeType>video/mp4</mimeType>
      <metadata><field><key>originalFilename</key><value>a &amp; b.mov</value></field></metadata>
      <videoComponent><file><id>VX-1</id></file><metadata><key>k</key><value>v</value></metadata><codec>h264</codec>
        <timeBase><numerator>1</numerator><denominator>25</denominator></timeBase>
        <duration><samples>250</samples><timeBase><numerator>1</numerator><denominator>25</denominator></timeBase></duration>
        <resolution><width>1920</width><height>1080</height></resolution>
        <edl><entry start="0" length="250" mediaRate="1"/></edl></videoComponent>
      <audioComponent><codec>aac</codec><channelCount>2</channelCount><channelLayout>3</channelLayout></audioComponent>
      <audioComponent><codec>aac</codec></audioComponent>
      <containerComponent><file><id>VX-1</id></file><format>mp4</format>
        <mediaInfo><property><key>Format</key><value>MPEG-4</value></property></mediaInfo></containerComponent>
      <binaryComponent><length>12</length></binaryComponent>
      <descriptorComponent><description type="text">what</description></descriptorComponent></ShapeDocument>`;
    const answer = await world.send({
      as: admin,
      request: 'POST /API/item/VX-1/shape/create',
      headers: { 'content-type': 'application/xml' },
      body: document,
    });
    expect(answer.status, answer.body).toBe(200);
    const order = [
      '<id>VX-1</id>',
      '<created>',
      '<essenceVersion>',
      '<tag>lowres',
      '<mimeType>video/mp4',
      '<binaryComponent>',
    ];
    const parts = [
      '<containerComponent>',
      '<descriptorComponent>',
      '<audioComponent>',
      '<videoComponent>',
      'originalFilename',
    ];
    const places = [...order, ...parts].map((text) => answer.body.indexOf(text));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThan(0);
    const video = /<videoComponent>.*<\/videoComponent>/.exec(answer.body)![0];
    const inVideo = ['<file>', '<id>VX-1</id>', '<metadata>', '<codec>', '<duration>', '<resolution>'];
    const found = inVideo.map((each) => video.indexOf(each));
    expect(found).toEqual(found.toSorted((one, other) => one - other));
    expect(found[0]).toBeGreaterThan(0);
    expect(answer.body).toContain('<edl><entry start="0" length="250" mediaRate="1"></entry></edl>');
    expect(await shapeOf(world, 'VX-1')).toMatchObject({
      id: 'VX-1',
      essenceVersion: 0,
      tag: ['lowres'],
      mimeType: ['video/mp4'],
      metadata: { field: [{ key: 'originalFilename', value: 'a & b.mov' }] },
      containerComponent: {
        file: [{ id: 'VX-1', uri: ['memory:///in/f1.mov'], size: 0, storage: 'VX-1' }],
        format: 'mp4',
        mediaInfo: { property: [{ key: 'Format', value: 'MPEG-4' }] },
      },
      videoComponent: [
        {
          file: [{ id: 'VX-1' }],
          metadata: [{ key: 'k', value: 'v' }],
          codec: 'h264',
          itemTrack: 'V1',
          duration: { samples: 250, timeBase: { numerator: 1, denominator: 25 } },
          resolution: { width: 1920, height: 1080 },
        },
      ],
      audioComponent: [{ channelCount: 2, channelLayout: 3, itemTrack: 'A1' }, { itemTrack: 'A2' }],
      binaryComponent: [{ length: 12 }],
      descriptorComponent: [{ description: [{ type: 'text', value: 'what' }] }],
    });
    const { videoComponent, audioComponent, containerComponent } = await shapeOf(world, 'VX-1');
    const keys = [...(videoComponent as object[]), (audioComponent as object[])[0]!, containerComponent!].map(
      Object.keys,
    );
    expect(keys).toEqual([
      ['resolution', 'file', 'id', 'metadata', 'codec', 'timeBase', 'itemTrack', 'duration', 'edl'],
      ['channelCount', 'channelLayout', 'id', 'codec', 'itemTrack'],
      ['format', 'mediaInfo', 'file', 'id'],
    ]);
    const file = await told(world, 'GET /API/file/VX-1?includeItem=true');
    expect(file['item']).toEqual([
      { id: 'VX-1', shape: [{ id: 'VX-1', component: expect.arrayContaining([{ id: expect.any(String) }]) }] },
    ]);
    const inEvent = { fileId: 'VX-1', shapeId: ['VX-1'], itemId: ['VX-1'] };
    await playScenario(world, {
      ...ask('PUT /API/file/VX-1/state/OPEN'),
      name: 'events of the file tell who has it',
      status: 200,
      events: [['file/change', 'VX-1', inEvent]],
    });
  });

  it('tracks that a document names stay, and the others are numbered around them', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    const shape = await made(world, { audioComponent: [{}, { itemTrack: 'A1' }, {}], videoComponent: [{}] });
    expect(shape.audioComponent?.map(({ itemTrack }) => itemTrack)).toEqual(['A2', 'A1', 'A3']);
    expect(shape.videoComponent?.map(({ itemTrack }) => itemTrack)).toEqual(['V1']);
  });

  it('takes only files that are there and free', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, [...files(2), ask('PUT /API/file/VX-2/state/TO_BE_DELETED')]);
    const wanting = (id?: string) => ({ containerComponent: { file: [{ ...(id && { id }) }] } });
    await made(world, wanting('VX-1'));
    const create = (body: object) => ask('POST /API/item/VX-1/shape/create', body);
    const rows = [
      { id: 'VX-1', status: 400, says: 'Expected a file that no component has' },
      { id: 'VX-2', status: 400, says: 'does not wait for its deletion' },
      { id: 'VX-9', status: 404, says: 'File' },
      { id: undefined, status: 400, says: '/ShapeDocument/containerComponent/file/id' },
    ];
    for (const { id, status, says } of rows) {
      await playScenario(world, { ...create(wanting(id)), name: String(id), status, says: { contains: [says] } });
    }
    await playScenario(world, {
      ...create({ tag: ['no such'] }),
      name: 'what is no tag',
      status: 400,
      says: { contains: ['letters, digits, hyphens'] },
    });
    await playScenario(world, {
      ...create({ mimeType: ['video'] }),
      name: 'no media type',
      status: 400,
      says: { contains: ['media type'] },
    });
    expect(await uris(world, list)).toEqual(['VX-1']);
  });

  it('files of a deleted shape wait for their deletion, unless they are kept or used elsewhere', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, files(3));
    const on = (...ids: string[]) => ({
      containerComponent: { file: ids.map((id) => ({ id })) },
      audioComponent: [{ file: [{ id: ids[0] }] }],
    });
    await made(world, on('VX-1', 'VX-2'));
    const other = await made(world, on('VX-3'));
    const component = other.containerComponent!.id;
    await told(world, `PUT /API/item/VX-1/shape/${other.id}/component/${component}/file/VX-2?allowReimport=true`);
    await playScenario(world, {
      ...ask('DELETE /API/item/VX-1/shape/VX-1?url=true'),
      name: 'one goes, one stays',
      status: 200,
      says: { contains: ['/item/VX-1/shape/VX-2"'] },
      events: [
        ['shape/delete', 'VX-1', { shapeId: 'VX-1', shapeTag: ['original'] }],
        ['file/change', 'VX-1', { itemId: ['VX-1'], shapeId: ['VX-1'] }],
        ['metadata/modify', 'VX-1', { changes: [{ field: 'shapeTag', values: [], start: '-INF', end: '+INF' }] }],
      ],
    });
    expect([await stateOf(world, 'VX-1'), await stateOf(world, 'VX-2')]).toEqual(['TO_BE_DELETED', 'CLOSED']);
    await playScenario(world, {
      ...ask('DELETE /API/item/VX-1/shape?keepFiles=True'),
      name: 'all shapes',
      status: 204,
      events: [['shape/delete', 'VX-1', { shapeId: 'VX-2' }]],
    });
    expect([await stateOf(world, 'VX-2'), await stateOf(world, 'VX-3')]).toEqual(['CLOSED', 'CLOSED']);
    expect(await told(world, 'GET /API/file/VX-2?includeItem=true')).not.toHaveProperty('item');
    expect(await uris(world, `${list}?version=all&placeholder=all`)).toEqual([]);
    const left = ['component', 'shape_tagged', 'shape', 'file_use'].map((table) =>
      world.service.store.read(`SELECT count(*) FROM ${table}`),
    );
    expect(await Promise.all(left)).toEqual([[[0]], [[0]], [[0]], [[0]]]);
  });

  it('the files of a shape, each once, and those that are still written only when asked for', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, files(2));
    await made(world, {
      containerComponent: { file: [{ id: 'VX-1' }, { id: 'VX-2' }] },
      videoComponent: [{ file: [{ id: 'VX-1' }] }],
    });
    await told(world, 'PUT /API/file/VX-2/state/OPEN');
    const path = 'GET /API/item/VX-1/shape/VX-1/file';
    expect(await told(world, path)).toMatchObject({ hits: 1, file: [{ id: 'VX-1' }] });
    const all = await told<{ file: object[] }>(world, `${path}?closedFiles=false&includeItem=true`);
    expect(all.file).toMatchObject([{ id: 'VX-1', item: [{ id: 'VX-1' }] }, { id: 'VX-2' }]);
  });

  it('a file that a job reads has its bytes, and the addresses of an item keep it', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, files(2));
    await made(world, { containerComponent: { file: [{ id: 'VX-1' }, { id: 'VX-2' }] } });
    await told(world, 'PUT /API/file/VX-1/state/BEING_READ');
    await told(world, 'PUT /API/file/VX-2/state/OPEN');
    const { file } = await told<{ file: { uri: string[] }[] }>(world, 'GET /API/item/VX-1/shape/VX-1/file');
    const uri = file.flatMap((each) => each.uri);
    expect(uri).toHaveLength(1);
    expect(await told(world, 'GET /API/item/VX-1/uri')).toMatchObject({ uri });
    expect(await told(world, 'GET /API/item/VX-1?content=uri')).toMatchObject({ files: { uri } });
  });

  it('a file that a relocation makes belongs to the shape', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, files(1));
    await made(world, { containerComponent: { file: [{ id: 'VX-1' }] } });
    await told(world, 'POST /API/file/VX-1/path?path=elsewhere.mov');
    expect((await shapeOf(world, 'VX-1')).containerComponent?.file).toMatchObject([{ id: 'VX-2' }]);
  });

  it('asks for the role, and for access to the item', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await made(world);
    for (const request of [list, 'GET /API/item/VX-1/shape/VX-1', 'DELETE /API/item/VX-1/shape/VX-1']) {
      await playScenario(world, { ...ask(request, undefined, stranger), name: 'access', status: 403 });
    }
    const own = await world.send(ask('GET /API/item/VX-1/shape/VX-1', undefined, shaper));
    expect(own.status).toBe(200);
    const document = { ...ask('POST /API/item/VX-1/shape/create', {}, stranger), name: 'create', status: 403 };
    await playScenario(world, document);
  });

  it('simultaneous requests on one item all have their effect', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await made(world);
    const shape: ShapeJson = await made(world);
    const tags = Array.from({ length: 4 }, (_, at) => `t${at}`);
    for (const tag of tags) await told(world, `PUT /API/shape-tag/${tag}`, {});
    await Promise.all(tags.map((tag) => told(world, `PUT /API/item/VX-1/shape/${shape.id}/tag/${tag}`)));
    expect((await shapeOf(world, shape.id)).tag.toSorted()).toEqual(tags);
    const originals = await Promise.all([made(world, {}, '?tag=original'), made(world, {}, '?tag=original')]);
    const now = await Promise.all(originals.map(({ id }) => shapeOf(world, id)));
    expect(now.flatMap(({ tag }) => tag)).toEqual(['original']);
  });
});
