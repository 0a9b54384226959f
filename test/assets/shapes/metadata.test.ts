import { expect, it } from 'vitest';
import { metadataOf, terseOf, wholeView } from '../../../src/assets/metadata/read.ts';
import { describeMatrix, type World } from '../../support/matrix.ts';
import { ask } from '../../support/requests.ts';
import { playScenario, prepare } from '../../support/scenario.ts';
import { worldOf } from '../../support/world.ts';
import { files, itemRows, made, told } from './support.ts';

/** By field, with several values as several entries. */
async function metadata({ service: { store } }: World, id = 'VX-1'): Promise<Record<string, readonly string[]>> {
  const documents = await metadataOf(store, [{ kind: 'item', id }], wholeView);
  const terse = [...terseOf(documents.get(id)!)];
  return Object.fromEntries(terse.map(([name, values]) => [name, values.map(({ value }) => value)]));
}

const document = {
  mimeType: ['video/mp4'],
  metadata: { field: [{ key: 'originalFilename', value: 'a.mp4' }] },
  containerComponent: {
    format: 'mov,mp4',
    duration: { samples: 333824, timeBase: { numerator: 1, denominator: 48000 } },
  },
  videoComponent: [{ codec: 'h264', resolution: { width: 960, height: 540 } }],
  audioComponent: [{ codec: 'aac' }],
};

describeMatrix('what the metadata of an item says of its shapes', (entry) => {
  it('shapeTag has the tags of all shapes, in the same commit', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await playScenario(world, {
      ...ask('POST /API/item/VX-1/shape/create', { tag: ['original', 'lowres'] }),
      name: 'create',
      status: 200,
      events: [
        ['shape/create', 'VX-1', { shapeTag: ['original', 'lowres'] }],
        [
          'metadata/modify',
          'VX-1',
          {
            changes: [{ field: 'shapeTag', values: ['original', 'lowres'], start: '-INF', end: '+INF' }],
          },
        ],
      ],
    });
    await playScenario(world, {
      ...ask('POST /API/item/VX-1/shape/create', { tag: ['lowres'] }),
      name: 'a tag that another shape has',
      status: 200,
      events: [['shape/create', 'VX-1']],
    });
    expect((await metadata(world))['shapeTag']).toEqual(['original', 'lowres']);
    await told(world, 'DELETE /API/item/VX-1/shape/VX-1');
    expect((await metadata(world))['shapeTag']).toEqual(['lowres']);
    await told(world, 'DELETE /API/item/VX-1/shape');
    expect(await metadata(world)).not.toHaveProperty('shapeTag');
  });

  it('updateItemMetadata says what the shape is, and updateMetadata takes that back', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await made(world, document, '?updateItemMetadata=True');
    const said = {
      mediaType: ['video'],
      mimeType: ['video/mp4'],
      originalFilename: ['a.mp4'],
      originalFormat: ['mov,mp4'],
      originalVideoCodec: ['h264'],
      originalAudioCodec: ['aac'],
      originalWidth: ['960'],
      originalHeight: ['540'],
      durationTimeCode: ['333824@48000'],
    };
    expect(await metadata(world)).toMatchObject(said);
    expect(Number((await metadata(world))['durationSeconds']?.[0])).toBeCloseTo(6.954666666, 8);
    await made(world, { audioComponent: [{ codec: 'opus' }] }, '?updateItemMetadata=true');
    expect(await metadata(world)).toMatchObject({ ...said, mediaType: ['audio'], originalAudioCodec: ['opus'] });
    await told(world, 'DELETE /API/item/VX-1/shape/VX-1?updateMetadata=True');
    const left = await metadata(world);
    expect(left).toMatchObject({ mediaType: ['audio'], originalAudioCodec: ['opus'] });
    for (const name of ['mimeType', 'originalFormat', 'originalWidth', 'durationSeconds', 'durationTimeCode']) {
      expect(left).not.toHaveProperty(name);
    }
  });

  it('the metadata follows the tag original to another shape of the version, and to the next version', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await made(world, document, '?updateItemMetadata=True');
    await made(world, { mimeType: ['audio/opus'], audioComponent: [{ codec: 'opus' }] });
    const shape = '/API/item/VX-1/shape';
    await told(world, `PUT ${shape}/VX-2/tag/original`);
    const followed = await metadata(world);
    expect(followed).toMatchObject({ mediaType: ['audio'], mimeType: ['audio/opus'], originalAudioCodec: ['opus'] });
    for (const name of ['originalFormat', 'originalVideoCodec', 'originalWidth', 'durationSeconds']) {
      expect(followed).not.toHaveProperty(name);
    }
    // A field that somebody changed since is not of the shape any more.
    await told(world, 'PUT /API/item/VX-1/metadata', {
      timespan: [{ field: [{ name: 'title', value: [{ value: 'mine' }] }] }],
    });
    await told(world, `PUT ${shape}/VX-1/tag/lowres`);
    expect((await metadata(world))['mediaType']).toEqual(['audio']);
    await told(world, `PUT ${shape}/VX-1/tag/original`);
    expect(await metadata(world)).toMatchObject({ mediaType: ['video'], originalWidth: ['960'], title: ['mine'] });
    // The original of the latest version describes the item.
    await told(world, `POST ${shape}/VX-2/version`);
    expect((await metadata(world))['mediaType']).toEqual(['video']);
    await told(world, `PUT ${shape}/VX-3/tag/original`);
    expect((await metadata(world))['mediaType']).toEqual(['audio']);
  });

  it('leaves the metadata as it is when nobody asks', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await made(world, document);
    expect(await metadata(world)).not.toHaveProperty('originalFormat');
  });

  it('a placeholder has the computed fields as recorded', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, [{ ...ask('POST /API/item/VX-1/shape/placeholder?container=1'), headers: {} }]);
    expect(await metadata(world)).toMatchObject({
      __placeholder_shape_size: ['1'],
      __shape_size: ['1'],
      __shape: ['VX-1'],
      __version_count: ['1'],
      __version: ['0'],
      __storage_size: ['0'],
    });
    expect(await metadata(world)).not.toHaveProperty('__storage');
  });

  it('the computed fields of shapes, versions, storages and hashes', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, [
      ...files(2),
      ask('PUT /API/storage/storage-group/g'),
      ask('PUT /API/storage/storage-group/g/VX-1'),
    ]);
    const [hash, lower] = ['ab'.repeat(20), 'cd'.repeat(20)];
    await told(world, `PUT /API/file/VX-1/hash/${hash}`);
    await told(world, `PUT /API/file/VX-2/hash/${lower}`);
    await made(world, { containerComponent: { file: [{ id: 'VX-1' }] } });
    await made(world, { tag: ['lowres'], containerComponent: { file: [{ id: 'VX-2' }] } });
    await told(world, 'POST /API/item/VX-1/shape/VX-2/version');
    await itemRows(world, 'VX-3');
    expect(await metadata(world)).toMatchObject({
      __placeholder_shape_size: ['0'],
      __shape_size: ['3'],
      __shape: ['VX-1', 'VX-2', 'VX-3'],
      __version_count: ['2'],
      __version: ['0', '1'],
      __shapetag_original_hash: [hash],
      __shapetag_lowres_hash: [lower],
      __shape_last_added: ['VX-3'],
      __storage_original: ['VX-1'],
      __storage_original_size: ['1'],
      __storage_lowres: ['VX-1'],
      __storage_size: ['1'],
      __storage: ['VX-1'],
      __storagegroup_size: ['1'],
    });
    expect((await metadata(world, 'VX-3'))['__shape_size']).toEqual(['0']);
  });
});
