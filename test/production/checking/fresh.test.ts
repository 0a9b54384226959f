import { beforeEach, describe, expect, it } from 'vitest';
import { checkMedia, type FileCheck } from '../../../src/production/checking/check.ts';
import type { CheckParts } from '../../../src/production/checking/parts.ts';
import { Hooks } from '../../../src/room/hook.ts';
import type { StepResult } from '../../../src/room/jobs/job-type.ts';
import { fieldsOf, fileWith, heldJob, shapeOf, shippedHere } from '../../support/media.ts';
import { ask, done } from '../../support/requests.ts';
import { testSettings } from '../../support/service.ts';
import { type RoomWorld, worldOf } from '../../support/world.ts';
import { mkv, mp4, png, withLie, withTracks } from './samples.ts';

describe('the check of a file that no component has', () => {
  let world: RoomWorld;
  let items = 200;
  beforeEach(async () => {
    world = await worldOf('placement');
  });

  /** A placeholder of a new item, and a file. */
  async function given(path: string, bytes: Uint8Array, expected = 'container=1') {
    const itemId = `VX-${++items}`;
    const row = { sql: 'INSERT INTO item (id, serial, created_at) VALUES (?1, ?2, 0)', args: [itemId, items] };
    await world.service.store.commit({ changes: [row], events: [] }, { user: 'test' });
    const answer = await world.send({
      ...ask(`POST /API/item/${itemId}/shape/placeholder?${expected}&tag=original`),
      headers: { accept: 'text/plain' },
    });
    const fileId = await fileWith(world, path, bytes);
    return { itemId, shapeId: answer.body.trim(), fileId };
  }

  async function check(order: FileCheck): Promise<StepResult> {
    const { store } = world.service;
    const parts = {
      ...{ store, clock: world.clock, settings: testSettings, media: shippedHere(), sharesWork: true },
      hooks: new Hooks(),
      security: { probers: () => [] },
      // The service has opened the places of its storages already.
    } as unknown as CheckParts;
    const result = await checkMedia(parts, heldJob(`VX-${order.shapeId}`), order);
    await store.commit(result.work!, { user: 'admin' });
    return result;
  }

  it('makes a placeholder a shape, whose file is that of all components', async () => {
    const { itemId, shapeId, fileId } = await given('x/VX-7.mkv', await mkv());
    const uri = 'https://ann:secret@media.example/My%20clip.mkv?token=1';
    const before = await world.sequence();
    const { says } = await check({ itemId, shapeId, fileId, original: true, uri });
    expect(says).toEqual(['matroska,webm; vp8 64x48; pcm_s16le 48000 Hz, 2 channels; 1 s (mediabunny)']);
    const file = [{ id: fileId }];
    expect(await shapeOf(world, shapeId, itemId)).toMatchObject({
      tag: ['original'],
      mimeType: ['video/x-matroska'],
      containerComponent: { file },
      videoComponent: [{ file, itemTrack: 'V1' }],
      audioComponent: [{ file, itemTrack: 'A1' }],
    });
    expect(await done(world, ask(`GET /API/item/${itemId}/shape`))).toEqual({ uri: [shapeId] });
    expect(await fieldsOf(world, itemId)).toMatchObject({
      mediaType: 'video',
      originalFilename: 'My clip.mkv',
      originalUri: 'https://media.example/My%20clip.mkv?token=1',
    });
    const names = (await world.events(before)).map(({ name }) => name);
    expect(names).toEqual(['shape/modify', 'metadata/modify']);
  });

  it('gives the components the tags of the file, and leaves those of callers', async () => {
    const { itemId, shapeId, fileId } = await given('tags.mp4', await mp4());
    await check({ itemId, shapeId, fileId, original: true });
    const container = async () =>
      (await shapeOf(world, shapeId, itemId))['containerComponent'] as {
        readonly id: string;
        readonly metadata: readonly { readonly key: string }[];
      };
    const path = `/API/item/${itemId}/shape/${shapeId}/component/${(await container()).id}/metadata/mine`;
    await done(world, { ...ask(`PUT ${path}`), headers: { 'content-type': 'text/plain' }, body: 'x' });
    await check({ itemId, shapeId, fileId, original: true });
    const keys = (await container()).metadata.map(({ key }) => key);
    expect(keys.toSorted()).toEqual(['compatible_brands', 'creation_time', 'major_brand', 'mine', 'minor_version']);
  });

  it('makes a binary of what is no media', async () => {
    const { itemId, shapeId, fileId } = await given('a.pdf', new TextEncoder().encode('%PDF-1.7'));
    const { warns } = await check({ itemId, shapeId, fileId, original: true, filename: 'paper.pdf' });
    expect(warns).toBeUndefined();
    const shape = await shapeOf(world, shapeId, itemId);
    expect(shape).toMatchObject({ mimeType: ['application/pdf'], binaryComponent: [{ length: 8 }] });
    expect(shape).not.toHaveProperty('containerComponent');
    expect(await fieldsOf(world, itemId)).toMatchObject({ mediaType: 'data', originalFilename: 'paper.pdf' });
  });

  it.each([
    ['film.mp4', 'none'],
    ['sound.wma', 'none'],
    ['notes.txt', 'data'],
  ])('tells by the name %s that noise is of the media type %s', async (name, mediaType) => {
    const noise = Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251);
    const { itemId, shapeId, fileId } = await given(name, noise);
    await check({ itemId, shapeId, fileId, original: true, filename: name });
    expect(await fieldsOf(world, itemId)).toMatchObject({ mediaType, originalFilename: name });
    expect(await shapeOf(world, shapeId, itemId)).toMatchObject({ binaryComponent: [{ length: 5000 }] });
  });

  it('leaves the metadata of the item alone for a shape that is not its original', async () => {
    const { itemId, shapeId, fileId } = await given('b.png', png(3, 4));
    await check({ itemId, shapeId, fileId, original: false });
    expect(await fieldsOf(world, itemId)).not.toHaveProperty('mimeType');
  });

  it('still expects what the file does not have', async () => {
    const { itemId, shapeId, fileId } = await given('c.png', png(3, 4), 'container=1&video=1&audio=1');
    await check({ itemId, shapeId, fileId, original: true });
    expect(await done(world, ask(`GET /API/item/${itemId}/shape`))).toEqual({});
    expect(await done(world, ask(`GET /API/item/${itemId}/shape?placeholder=true`))).toEqual({ uri: [shapeId] });
  });

  it.each([
    ['ten thousand tracks', async () => withTracks(await mp4(), 10_000), /at most 200 tracks: found 10000/],
    ['a chunk of endless packets', async () => withLie(await mp4(), 'stsc', 12, 0xffffffff), /packets in a chunk/],
    ['a box that is longer than the file', async () => withLie(await mp4(), 'moov', -8, 0x7fffffff), /^Expected/],
  ])('fails for %s, and changes nothing', async (_what, bytes, sentence) => {
    const { itemId, shapeId, fileId } = await given(`hostile-${items}.mp4`, await bytes());
    const before = await world.sequence();
    await expect(check({ itemId, shapeId, fileId, original: true })).rejects.toThrow(sentence);
    expect(await world.sequence()).toBe(before);
  });

  it('believes no endless length', async () => {
    const film = withLie(withLie(await mp4(), 'mvhd', 12, 1), 'mvhd', 16, 0xffffffff);
    const endless = withLie(withLie(film, 'mdhd', 12, 1), 'mdhd', 16, 0xffffffff);
    const { itemId, shapeId, fileId } = await given('endless.mp4', endless);
    await check({ itemId, shapeId, fileId, original: true });
    const seconds = Number((await fieldsOf(world, itemId))['durationSeconds'] ?? 0);
    expect(seconds).toBeLessThan(1e9);
  });

  it('ends with a shape or a file that is gone', async () => {
    const { itemId, shapeId, fileId } = await given('d.png', png(3, 4));
    const order = { itemId, shapeId, fileId, original: true };
    await expect(check({ ...order, shapeId: 'VX-99999' })).rejects.toThrow('VX-99999 is gone');
    await expect(check({ ...order, fileId: 'VX-99999' })).rejects.toThrow(/^Expected the checked file to stay/);
  });
});
