import type { MemoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import { jpegFile } from '../../../src/production/transcoding/codecs/jpeg-writer.ts';
import { join, newCollection, newField, newFieldGroup, newLibrary } from '../../support/assets.ts';
import { newGroup } from '../../support/cast.ts';
import type { World } from '../../support/matrix.ts';
import { by, send } from '../../support/requests.ts';

const value = (text: string, lang?: string) => ({ value: text, ...(lang && { lang }) });
export const film = {
  group: ['Film'],
  timespan: [
    {
      start: '-INF',
      end: '+INF',
      field: [
        { name: 'title', value: [value('Harbour')] },
        { name: 'x_note', value: [value('at dusk', 'en_US'), value('i skymningen', 'sv'), value('plain')] },
        { name: 'x_number', value: [value('7')] },
      ],
      group: [
        { name: 'Film', field: [{ name: 'x_number', value: [value('1')] }] },
        {
          name: 'Film',
          field: [{ name: 'x_number', value: [value('2')] }],
          group: [{ name: 'Shot', field: [{ name: 'x_note', value: [value('close')] }] }],
        },
      ],
    },
    { start: '0@PAL', end: '50@PAL', field: [{ name: 'x_note', track: 'A1', value: [value('bells')] }] },
    { start: '50@PAL', end: '75@PAL', group: [{ name: 'Shot', field: [{ name: 'x_note', value: [value('boat')] }] }] },
  ],
};

/** Metadata of a component as a media check leaves it. */
const video = (file: string) => ({
  containerComponent: {
    format: 'mp4',
    file: [{ id: file }],
    duration: { samples: 100, timeBase: { numerator: 1, denominator: 25 } },
  },
  videoComponent: [{ codec: 'h264', itemTrack: 'V1', resolution: { width: 1920, height: 1080 }, file: [{ id: file }] }],
  audioComponent: [{ codec: 'aac', itemTrack: 'A1', channelCount: 2, file: [{ id: file }] }],
  mimeType: ['video/mp4'],
  metadata: { field: [{ key: 'originalFilename', value: `${file}.mp4` }] },
});

const picture = jpegFile({ width: 1, height: 1, data: new Uint8Array(4) });

/** A house with a little of everything. Its users are ann, and ben who is disabled. */
export async function furnish(world: World, storage: MemoryStorage): Promise<void> {
  const all = async (...sent: Parameters<typeof send>[1][]) => {
    for (const each of sent) await send(world, each);
  };
  const place = storage.place('memory:///in/');
  for (const name of ['a.mp4', 'b.mp4', 'b2.mp4', 'deep/low b.mp4']) place.put(name, `bytes of ${name}`);
  await all(
    newGroup('staff', { description: 'All', parentGroupList: { group: [{ groupName: '_item_read' }] } }),
    newGroup('crew', { parentGroupList: { group: [{ groupName: 'staff' }, { groupName: '_import' }] } }),
    by('POST /API/user', {
      userName: 'ann',
      realName: 'Ann A',
      password: 'password of ann',
      alias: ['annie'],
      groupList: { group: [{ groupName: 'crew' }] },
      metadata: { field: [{ key: 'phone', value: '1' }] },
    }),
    by('POST /API/user', { userName: 'ben', realName: 'Ben', groupList: { group: [{ groupName: 'staff' }] } }),
    by('DELETE /API/user/ben'),
    by('PUT /API/external-id/house', { pattern: 'H-[0-9]+-x', priority: 5 }),
    newField('x_note', { type: 'string', data: [{ key: 'label', value: 'Note' }] }),
    newField('x_number', {
      type: 'integer',
      integerRestriction: { minInclusive: 1, maxInclusive: 9 },
      values: { field: [{ key: '1', value: 'one' }] },
    }),
    newField('x_secret'),
    by('POST /API/metadata-field/x_secret/access', { group: 'staff', permission: 'WRITE' }),
    newFieldGroup('Shot', { field: [{ name: 'x_note', schema: { min: 0, max: -1, name: 'x_note' } }] }),
    newFieldGroup('Film', { field: [{ name: 'x_number' }], group: [{ name: 'Shot' }] }),
    by('PUT /API/shape-tag/lowres', { format: 'mp4', video: { codec: 'h264', bitrate: 400_000 } }),
    by('PUT /API/shape-tag/lowres/script', 'preset.video.bitrate = 1;'),
    by('POST /API/storage', {
      type: 'LOCAL',
      capacity: 1e9,
      method: [{ uri: 'memory:///in/', read: true, write: true, browse: true }],
      metadata: { field: [{ key: 'name', value: 'Main' }] },
    }),
    by('PUT /API/storage/storage-group/online'),
    by('PUT /API/storage/storage-group/online/VX-1'),
    ...['a.mp4', 'b.mp4', 'b2.mp4', 'deep/low b.mp4'].map((path) =>
      by(`POST /API/storage/VX-1/file?path=${encodeURIComponent(path)}&state=CLOSED`, {
        size: `bytes of ${path}`.length,
      }),
    ),
    by('POST /API/import/placeholder?created=2011-05-06T07:08:09Z&owner=ann&externalId=H-1-x', film),
    by('POST /API/item/VX-1/shape/create?tag=original&updateItemMetadata=true', video('VX-1')),
    by('POST /API/item/VX-1/access', { group: 'crew', permission: 'WRITE', priority: 3 }),
    by('POST /API/item/VX-1/access', { user: 'ann', permission: 'READ', operation: { metadata: { field: 'title' } } }),
    by('POST /API/import/placeholder?created=2012-01-01T00:00:00Z', {
      timespan: [{ field: [{ name: 'title', value: [value('Bells')] }] }],
    }),
    by('POST /API/item/VX-2/shape/create?tag=original&updateItemMetadata=true', video('VX-2')),
    by('POST /API/item/VX-2/shape/create?tag=lowres', {
      binaryComponent: [{ format: 'mp4', length: 3, file: [{ id: 'VX-4' }] }],
    }),
    by('POST /API/item/VX-2/shape/create?tag=original&version=1&updateItemMetadata=true', video('VX-3')),
    by('POST /API/import/placeholder?container=1&created=2013-01-01T00:00:00Z'),
    newLibrary(['VX-1', 'VX-3']),
    newLibrary([]),
    by('PUT /API/library/VX*2/settings', {
      autoRefresh: true,
      updateMode: 'REPLACE',
      query: { field: [{ name: 'title', value: [value('Bells')] }] },
    }),
    newCollection('?name=Outer&created=2011-01-01T00:00:00Z&owner=ann'),
    newCollection('?name=Inner&created=2011-02-01T00:00:00Z'),
    by('PUT /API/collection/VX-1/metadata', {
      timespan: [{ field: [{ name: 'x_note', value: [value('of the house')] }] }],
    }),
    by('POST /API/collection/VX-1/access', {
      group: 'staff',
      permission: 'READ',
      appliesTo: [{ value: 'item', recursive: true }],
    }),
    join('VX-1', 'VX-2'),
    join('VX-1', 'VX-2', 'collection'),
    join('VX-1', 'VX*1', 'library'),
    by('PUT /API/collection/VX-1/VX-1?metadata=role%3Dlead'),
    join('VX-2', 'VX-3'),
    by('POST /API/item/notification', {
      action: { http: { url: 'https://receiver.example/a', timeout: 5 } },
      trigger: { item: { create: '' } },
    }),
    by('POST /API/quota', {
      description: 'desk',
      user: 'ann',
      storage: 'VX-1',
      resource: [{ name: 'storage', limit: 10 }],
      enforce: true,
    }),
    by('POST /API/import/settings', { access: [{ group: 'crew', permission: 'READ' }] }),
    by('POST /API/item/VX-2/relation/VX-1?direction=S&kind=trailer&year=2011'),
    by('POST /API/item/VX-1/relation/VX-3?direction=U'),
    by('POST /API/item/VX-1/deletion-lock', {
      expiryTime: '2040-01-01T00:00:00Z',
      metadata: { field: [{ key: 'why', value: 'contract' }] },
    }),
    by('POST /API/file/VX-4/deletion-lock', { expiryTime: '2041-01-01T00:00:00Z' }),
    by('POST /API/item/VX-3/deletion-lock', { expiryTime: '2001-01-01T00:00:00Z' }),
  );
  const { body } = await send(world, by('PUT /API/item/VX-1/thumbnailresource'));
  const [resource] = (JSON.parse(body) as { uri: string[] }).uri;
  for (const time of ['0@PAL', '25@PAL'])
    await send(world, {
      ...by(`PUT ${resource!.replace(/^https?:\/\/[^/]+/, '')}/${time}`, picture),
      headers: { 'content-type': 'image/jpeg' },
    });
}
