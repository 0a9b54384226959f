import { describe, expect, it } from 'vitest';
import { optionsFor } from '../../src/api/upload-list.ts';
import { codecWords, isOfService, itemName, nameWords, tagWords, typeWords } from '../../src/components/words.ts';
import { groupsFor } from '../../src/pages/item/form/model.ts';
import { colourOf } from '../../src/pages/item/item.ts';
import { isDecodable, outline } from '../../src/player/decode.ts';

describe('words for people', () => {
  it.each([
    [codecWords('h264'), 'H.264'],
    [codecWords('pcm_s24le'), 'PCM 24 bit'],
    [codecWords('newcodec'), 'NEWCODEC'],
    [typeWords('video/mp4'), 'MP4'],
    [typeWords('application/pdf'), 'PDF'],
    [typeWords('application/vnd.openxmlformats-officedocument.wordprocessingml.document'), 'Word'],
    [typeWords('application/vnd.ms-excel'), 'Excel'],
    [typeWords('application/vnd.oasis.opendocument.text'), 'OpenDocument Text'],
    [typeWords('application/octet-stream'), 'Unknown format'],
    [tagWords('__mp4'), 'MP4 for the web'],
    [tagWords('house style'), 'house style'],
    [nameWords('_administrator'), 'Everything'],
    [nameWords('editors'), 'editors'],
  ])('%s', (words, wanted) => expect(words).toBe(wanted));

  it('say the colours of media, and nothing of media that says none', () => {
    const video = { bitDepth: 10, colr_primaries: 9, colr_transfer_function: 16, colr_matrix: 9 };
    const mediaInfo = { property: [{ key: 'Color_range', value: 'Limited' }] };
    expect(colourOf({ videoComponent: [{ ...video, mediaInfo }] })).toBe('HDR (PQ) · BT.2020 · 10 bit · limited range');
    expect(colourOf({ videoComponent: [{ colr_primaries: 1, colr_transfer_function: 1, colr_matrix: 6 }] })).toBe(
      'SDR · BT.709 · BT.601',
    );
    expect(colourOf({ videoComponent: [{}] })).toBe('');
  });

  it('tells fields of the service from those of people', () => {
    expect(isOfService({ name: 'created', system: 'true' })).toBe(true);
    expect(isOfService({ name: 'representativeThumbnail' })).toBe(true);
    expect(isOfService({ name: 'title' })).toBe(false);
  });
});

describe('what an upload also becomes', () => {
  const options = { tags: ['__mp4', '__jpeg', 'own'], fields: {} };
  it.each([
    ['video/mp4', 'a.mp4', ['__mp4', '__jpeg', 'own']],
    ['', 'a', ['__mp4', '__jpeg', 'own']],
    ['application/mxf', 'a.mxf', ['__mp4', '__jpeg', 'own']],
    ['', 'a.MXF', ['__mp4', '__jpeg', 'own']],
    ['application/octet-stream', 'a.r3d', ['__mp4', '__jpeg', 'own']],
    ['', 'IMG_1.HEIC', ['__jpeg', 'own']],
    ['image/tiff', 'a.tif', ['__jpeg', 'own']],
    ['application/pdf', 'a.pdf', ['__jpeg', 'own']],
    ['', 'a.odt', ['__jpeg', 'own']],
    ['audio/mpeg', 'a.mp3', ['__jpeg', 'own']],
  ])('of type "%s", named %s', (type, name, tags) => expect(optionsFor({ type, name }, options).tags).toEqual(tags));
});

describe('the form of a new item', () => {
  const [film, defaultValue] = [
    { name: 'film' },
    { name: 'defaultValue', data: [{ key: 'ui_default', value: 'true' }] },
  ];
  it('has the groups of the item, the usual ones, or the only one', () => {
    expect(groupsFor([film, defaultValue], ['film'])).toEqual([film]);
    expect(groupsFor([film, defaultValue], [])).toEqual([defaultValue]);
    expect(groupsFor([film], [])).toEqual([film]);
    expect(groupsFor([film, { name: 'news' }], [])).toEqual([]);
  });
});

describe('the waveform of a browser', () => {
  it('has the largest amplitude of each part', () => {
    expect(outline(Float32Array.from([0, 0.5, -1, 0.25]), 2)).toEqual([0.5, 1]);
    expect(outline(new Float32Array(0), 2)).toEqual([]);
  });
  it('is for sound of bounded size alone', () => {
    expect(isDecodable('sound', 1e6, 60)).toBe(true);
    expect(isDecodable('sound', 1e9, 60)).toBe(false);
    expect(isDecodable('sound', undefined, 60)).toBe(false);
    expect(isDecodable('sound', 1e6, 7200)).toBe(false);
    expect([isDecodable('film', 2e7, 60), isDecodable('film', 6e7, 60), isDecodable('sound', 6e7, 60)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

it('names an item without a name by its kind and day', () => {
  const created = `${new Date().getFullYear()}-11-28T12:00:00Z`;
  expect(itemName('Trailer', 'video', created)).toBe('Trailer');
  expect(itemName(undefined, 'video', created)).toMatch(/^Untitled film, (?:28 Nov|Nov 28)$/);
  expect(itemName('', 'image', '2001-11-28T12:00:00Z')).toMatch(/^Untitled picture, .*2001$/);
  expect([itemName(undefined, 'none', undefined), itemName(undefined, 'toString', 'x')]).toEqual([
    'Untitled item',
    'Untitled item',
  ]);
});
