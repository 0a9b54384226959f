import { afterEach, beforeEach, expect, it, vi } from 'vitest';

let scroll: () => void = () => undefined;
let ask: typeof import('../../src/components/pictures.ts')['askForPicture'];
/** Pictures that were asked for, in their order. */
const asked: string[] = [];

class Image extends EventTarget {
  set src(path: string) {
    asked.push(path);
  }
  removeAttribute(): void {}
}

const want = (...paths: string[]) =>
  paths.map((path) => {
    const image = new Image();
    const leave = ask(image as unknown as HTMLImageElement, path);
    return { leave, arrive: () => image.dispatchEvent(new Event('load')) };
  });
const named = (row: number) => Array.from({ length: 4 }, (_, at) => `${row}${'abcd'[at]}`);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.stubGlobal('document', { addEventListener: (_name: string, listener: () => void) => (scroll = listener) });
  vi.resetModules();
  asked.length = 0;
  ({ askForPicture: ask } = await import('../../src/components/pictures.ts'));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('asks for all pictures of a page that rests, in their order', () => {
  want(...named(1), ...named(2), ...named(3));
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(40);
  expect(asked).toEqual([...named(1), ...named(2), ...named(3)]);
});

it('asks for six at once while a list scrolls, those of the newest row next, and for none of a row that is gone', async () => {
  const rows = [1, 2, 3, 4].map((row) => {
    scroll();
    const tiles = want(...named(row));
    vi.advanceTimersByTime(50);
    return tiles;
  });
  expect(asked).toEqual([...named(1), '2a', '2b']);
  for (const tile of rows[0]!) tile.leave();
  await Promise.resolve();
  expect(asked.slice(6)).toEqual(named(4));
  rows[1]![0]!.arrive();
  await Promise.resolve();
  expect(asked.slice(10)).toEqual(['3a']);
  for (const tile of rows[2]!) tile.leave();
  // A list that rests asks from the top.
  vi.advanceTimersByTime(200);
  expect(asked.slice(11)).toEqual(['2c', '2d']);
});

it('asks for no picture of a tile that scrolls by', () => {
  for (const { leave } of want(...named(1))) leave();
  vi.advanceTimersByTime(500);
  expect(asked).toEqual([]);
});
