import { describe, expect, it } from 'vitest';
import type { ComponentRow } from '../../../src/assets/shapes/store.ts';
import { componentsOf } from '../../../src/production/checking/deducing/components.ts';
import { originalName } from '../../../src/production/checking/deducing/fields.ts';
import { type DeducedFile, fillingOf, joiningOf } from '../../../src/production/checking/deducing/rules.ts';
import { checkedResult } from '../../../src/production/checking/probing/checked-result.ts';
import type { ProbeResult } from '../../../src/spi/index.ts';

const component = (id: string, kind: string, { expected = 0, document = {} } = {}): ComponentRow => ({
  id,
  shapeId: 'VX-1',
  kind,
  position: 0,
  expected,
  document: JSON.stringify(document),
});

const film: DeducedFile = {
  fileId: 'F',
  components: [
    { kind: 'container', properties: { format: 'mp4' } },
    { kind: 'video', properties: { codec: 'h264', essenceStreamId: 0 } },
    { kind: 'audio', properties: { codec: 'aac', essenceStreamId: 1 } },
  ],
};
const text: DeducedFile = { fileId: 'F', components: [{ kind: 'binary', properties: { length: 4 } }] };

/** As lists of words: what is filled, added and removed. */
function told(rows: readonly ComponentRow[], files: readonly DeducedFile[], uses: Record<string, string[]> = {}) {
  const { filled, added, removed } = fillingOf(rows, new Map(Object.entries(uses)), files);
  return {
    filled: filled.map(({ row, fileId }) => `${row.id} ${fileId}`),
    added: added.map(({ fileId, component: { kind } }) => `${kind} ${fileId}`),
    removed: removed.map(({ id }) => id),
  };
}

describe('the components of a file that joins a shape', () => {
  const rows = [component('C', 'container'), component('V', 'video'), component('A', 'audio')];
  const others = new Map([
    ['C', ['G']],
    ['V', ['G']],
    ['A', ['G']],
  ]);

  it('are all new but for the container, and those of others stay', () => {
    const { filled, added, removed } = joiningOf(rows, others, [film, { ...text, fileId: 'T' }]);
    expect([filled, removed]).toEqual([[], []]);
    expect(added.map(({ fileId, component: { kind } }) => `${kind} ${fileId}`)).toEqual([
      'video F',
      'audio F',
      'binary T',
    ]);
  });

  it('are those that an earlier run of the job has made', () => {
    const made = [...rows, component('V2', 'video'), component('A2', 'audio')];
    const uses = new Map([...others, ['V2', ['F']], ['A2', ['F']]]);
    const { filled, added } = joiningOf(made, uses, [film]);
    expect([filled.map(({ row }) => row.id), added]).toEqual([['V2', 'A2'], []]);
  });
});

describe('the components of a checked file', () => {
  it('are all new in an empty shape', () => {
    expect(told([], [film])).toEqual({ filled: [], added: ['container F', 'video F', 'audio F'], removed: [] });
    expect(told([], [text])).toEqual({ filled: [], added: ['binary F'], removed: [] });
  });

  it('take the places that a placeholder expects, before new ones', () => {
    const rows = [component('C', 'container', { expected: 1 }), component('V', 'video', { expected: 1 })];
    expect(told(rows, [film])).toEqual({ filled: ['C F', 'V F'], added: ['audio F'], removed: [] });
  });

  it('replace the container that a placeholder expects where the file is no media', () => {
    const rows = [component('C', 'container', { expected: 1 })];
    expect(told(rows, [text])).toEqual({ filled: [], added: ['binary F'], removed: ['C'] });
  });

  it('are those that have the file already', () => {
    const rows = [component('C', 'container'), component('V', 'video'), component('A', 'audio')];
    const uses = { C: ['F'], V: ['F'], A: ['F'] };
    expect(told(rows, [film], uses)).toEqual({ filled: ['C F', 'V F', 'A F'], added: [], removed: [] });
  });

  it('lose the tracks that the file has no more, and keep those that somebody made', () => {
    const deduced = component('S', 'subtitle', { document: { essenceStreamId: 2 } });
    const rows = [component('C', 'container'), deduced, component('D', 'subtitle')];
    const uses = { C: ['F'], S: ['F'], D: ['F'] };
    expect(told(rows, [film], uses)).toMatchObject({ added: ['video F', 'audio F'], removed: ['S'] });
  });

  it('are only the track that has the file', () => {
    const rows = [component('V', 'video'), component('C', 'container', { expected: 1 })];
    expect(told(rows, [film], { V: ['F'] })).toEqual({ filled: ['V F'], added: [], removed: [] });
  });

  it('are only the container where other files are the tracks', () => {
    const rows = [component('C', 'container'), component('V', 'video')];
    const other: DeducedFile = { ...film, fileId: 'G' };
    const uses = { C: ['F'], V: ['G'] };
    expect(told(rows, [film, other], uses)).toEqual({ filled: ['C F', 'V G'], added: [], removed: [] });
  });
});

const result: ProbeResult = {
  by: 'test',
  format: 'mov',
  mimeType: 'video/quicktime',
  duration: 10,
  tracks: [
    {
      kind: 'video',
      codec: 'prores',
      index: 0,
      timeScale: 30_000,
      width: 8,
      height: 6,
      frameRate: { numerator: 30_000, denominator: 1001 },
    },
    { kind: 'subtitle', codec: null, index: 1, language: 'fra' },
    { kind: 'data', codec: null, index: 2 },
  ],
  isPartial: false,
  bytesRead: 0,
  warnings: [],
};
const [container] = componentsOf(result, 100);

describe('the properties of components', () => {
  it.each([
    ['00:00:00:00', 0, false],
    ['10:00:00:12', 1_080_012, false],
    ['00:01:00;02', 1800, true],
    ['00:10:00;00', 17_982, true],
    ['01:00:00;00', 107_892, true],
  ])('count the frames of the time code %s', (timeCode, startTimecode, dropFrame) => {
    const [first] = componentsOf({ ...result, timeCode }, 100);
    expect(first?.properties).toMatchObject({
      firstSMPTETimecode: timeCode,
      startTimecode,
      dropFrame,
      roundedTimeBase: 30,
      timeCodeTimeBase: { numerator: 1001, denominator: 30_000 },
    });
  });

  it('leave out what nobody knows', () => {
    expect(container?.properties).not.toHaveProperty('firstSMPTETimecode');
    const kinds = componentsOf(result, 100).map(({ kind }) => kind);
    expect(kinds).toEqual(['container', 'video', 'subtitle']);
    expect(componentsOf(result, 100)[2]?.properties).not.toHaveProperty('codec');
  });
});

describe('the name of the original', () => {
  it.each([
    [{ filename: 'a.mov', uri: 'file:///b.mov' }, 'a.mov'],
    [{ uri: 'file:///srv/My%20clip.mov' }, 'My clip.mov'],
    [{ uri: 'http://x/c.mov?token=1#t' }, 'c.mov'],
    [{ uri: 'file:///srv/%zz.mov' }, '%zz.mov'],
    [{}, 'd#1?.mov'],
    [{ filename: '' }, 'd#1?.mov'],
  ])('of %j is %s', (origin, name) => expect(originalName(origin, 'folder/d#1?.mov')).toBe(name));
});

describe('a result of another process', () => {
  it('loses whatever is of the wrong kind', () => {
    const hostile = {
      by: 'x'.repeat(1e5),
      format: 7,
      mimeType: 'text/html\r\nX: y',
      duration: Number.NaN,
      bitrate: -1,
      isPartial: 'yes',
      warnings: [{}, 'w'.repeat(1e5)],
      __proto__: { polluted: true },
      tracks: [
        null,
        { kind: 'video', width: '9', height: 1e300, codec: {}, frameRate: { numerator: 1, denominator: 0 } },
        { kind: 'audio', sampleRate: 48_000, channels: 2.4, timeScale: 0, extra: 'x' },
      ],
    };
    expect(checkedResult(hostile)).toEqual({
      by: 'x'.repeat(40),
      format: '',
      mimeType: 'application/octet-stream',
      isPartial: false,
      bytesRead: 0,
      warnings: ['w'.repeat(300)],
      tracks: [
        { kind: 'data', codec: null, index: 0 },
        { kind: 'video', codec: null, index: 0, width: 0, height: 0 },
        { kind: 'audio', codec: null, index: 0, sampleRate: 48_000, channels: 2 },
      ],
    });
  });

  it('has 200 properties inside the file, with 200 values each, and 10,000 characters a value', () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`xmp:p${at}`, ['v']]));
    const long = { 'xmp:values': new Array(201).fill('v'), 'xmp:text': ['x'.repeat(10_001)] };
    const embeddedOf = (embedded: object) => checkedResult({ tracks: [], embedded }).embedded!;
    expect(Object.keys(embeddedOf(many))).toHaveLength(200);
    expect(embeddedOf(long)).toEqual({ 'xmp:values': new Array(200).fill('v'), 'xmp:text': ['x'.repeat(10_000)] });
    const full = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`xmp:p${at}`, ['x'.repeat(10_000)]]));
    expect(Object.keys(embeddedOf(full)), '100,000 characters in all').toHaveLength(10);
  });

  it('is none with more tracks than anybody needs', () => {
    expect(() => checkedResult({ tracks: new Array(201).fill({}) })).toThrow(/at most 200 tracks/);
    expect(() => checkedResult(undefined)).toThrow();
  });
});
