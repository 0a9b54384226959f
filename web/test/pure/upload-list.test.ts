import { describe, expect, it } from 'vitest';
import {
  lostEntryOf,
  nextToSend,
  percentRead,
  secondsLeft,
  speedOf,
  sumsOf,
  type UploadEntry,
  uploadMetadata,
  withSample,
} from '../../src/api/upload-list.ts';

const options = { tags: [], fields: {} };
const entry = (id: string, state: UploadEntry['state'], more: Partial<UploadEntry> = {}): UploadEntry => ({
  id,
  state,
  name: `${id}.mov`,
  size: 100,
  modified: 1,
  sent: 0,
  options,
  ...more,
});

describe('the list of uploads', () => {
  it('reads a file step by step, and never goes back', () => {
    expect(percentRead(undefined, 0, 0)).toBe(0);
    expect(percentRead(40, 1, 2)).toBe(50);
    expect(percentRead(50, 0, 7)).toBe(50);
  });

  it('sends three files at once, in their order', () => {
    const waiting = ['a', 'b', 'c', 'd'].map((id) => entry(id, 'waiting'));
    expect(nextToSend(waiting).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(nextToSend([entry('x', 'sending'), entry('y', 'sending'), ...waiting]).map(({ id }) => id)).toEqual(['a']);
    expect(nextToSend([...['x', 'y', 'z'].map((id) => entry(id, 'sending')), ...waiting])).toEqual([]);
  });

  it('sends pictures before films, which are transcoded', () => {
    const film = { options: { tags: ['__mp4', '__webm'], fields: {} } };
    const waiting = [
      entry('a', 'waiting', film),
      entry('b', 'waiting'),
      entry('c', 'waiting', film),
      entry('d', 'waiting'),
    ];
    expect(nextToSend(waiting).map(({ id }) => id)).toEqual(['b', 'd', 'a']);
  });

  it('goes on with a file of the same name, size and time, and no other', () => {
    const list = [entry('a', 'lost', { url: '/API/upload/1' })];
    expect(lostEntryOf(list, { name: 'a.mov', size: 100, modified: 1 })?.id).toBe('a');
    for (const other of [{ name: 'b.mov' }, { size: 101 }, { modified: 2 }])
      expect(lostEntryOf(list, { name: 'a.mov', size: 100, modified: 1, ...other })).toBeUndefined();
  });

  it('counts bytes, not files, and is whole when all are', () => {
    const list = [entry('a', 'done', { size: 300 }), entry('b', 'sending', { sent: 50 }), entry('c', 'lost')];
    expect(sumsOf(list)).toMatchObject({ files: 3, open: 1, lost: 1, failed: 0, percent: 70 });
    expect([sumsOf([]).percent, sumsOf([entry('a', 'done', { size: 0 })]).percent]).toEqual([0, 100]);
  });
});

it('counts an import that failed as failed, and not as an item of the library', () => {
  const list = (['finished', 'failed', 40, 0] as const).map((importing, at) => entry(`${at}`, 'done', { importing }));
  expect(sumsOf([...list, entry('x', 'failed')])).toMatchObject({ ready: 1, failed: 2, importing: 2 });
});

describe('the speed of an upload', () => {
  it('is that of the last seconds', () => {
    const samples = [0, 1, 2, 3, 4, 5, 6].reduce<readonly { at: number; sent: number }[]>(
      (all, second) => withSample(all, { at: second * 1000, sent: second < 3 ? 0 : (second - 2) * 1000 }),
      [],
    );
    expect(samples.map(({ at }) => at)).toEqual([2000, 3000, 4000, 5000, 6000]);
    expect(speedOf(samples)).toBe(1000);
    expect(secondsLeft({ size: 10_000, sent: 4_000, speed: 1000 })).toBe(6);
  });

  it('is unknown before half a second', () => {
    expect(speedOf([{ at: 0, sent: 0 }])).toBeUndefined();
    expect(
      speedOf([
        { at: 0, sent: 0 },
        { at: 400, sent: 9 },
      ]),
    ).toBeUndefined();
    expect(secondsLeft({ size: 1, sent: 0, speed: 0 })).toBeUndefined();
  });
});

it('asks for an item with tags, collection and the fields that are filled in', () => {
  expect(
    uploadMetadata('a.mov', { tags: ['lowres', 'web'], collection: 'VX-3', fields: { title: 'One', note: ' ' } }),
  ).toEqual({
    import: 'true',
    filename: 'a.mov',
    tag: 'lowres,web',
    collection: 'VX-3',
    metadata: '{"timespan":[{"start":"-INF","end":"+INF","field":[{"name":"title","value":[{"value":"One"}]}]}]}',
  });
  expect(uploadMetadata('a.mov', options)).toEqual({ import: 'true', filename: 'a.mov' });
});
