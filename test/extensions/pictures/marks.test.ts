import { expect, it, onTestFinished } from 'vitest';
import { moduleThread } from '../../../src/entry/native/task-thread.ts';
import { emptyPixels } from '../../../src/extensions/pictures/canvas.ts';
import { type Drawing, drawingTask } from '../../../src/extensions/pictures/drawing-thread.ts';
import { markHere } from '../../../src/extensions/pictures/mark-drawing.ts';
import { createMarks } from '../../../src/extensions/pictures/marking.ts';
import { readPixels, writePixels } from '../../../src/extensions/pictures/pixels.ts';
import type { Mark } from '../../../src/room/marks.ts';
import { testClock } from '../../support/clock.ts';

const grey = [128, 128, 128, 255] as const;
const mark: Mark = { text: 'Ann 2026-01-02 #7', place: 'tiles', strength: 60 };
const caller = { subject: undefined, address: '192.0.2.1' };
const picture = await writePixels(emptyPixels(320, 180, grey), 'image/png');

/** Share of the pixels in a part of a picture that are neither black nor grey. */
function drawn({ width, data }: { width: number; data: Uint8Array }, [left, top, right, bottom] = [0, 0, 320, 180]) {
  let count = 0;
  for (let y = top!; y < bottom!; y++)
    for (let x = left!; x < right!; x++) if (Math.abs(data[(y * width + x) * 4]! - 128) > 20) count++;
  return count / ((right! - left!) * (bottom! - top!));
}
const markedPixels = async (task: Partial<Parameters<typeof markHere>[0]>) =>
  (await readPixels((await markHere({ mark, picture, ...task }))!))!;

it('a mark is drawn on a thread, once for each picture and text', { timeout: 60_000 }, async () => {
  const thread = moduleThread<Drawing, Uint8Array<ArrayBuffer>>(drawingTask);
  onTestFinished(() => thread.close());
  let calls = 0;
  const counted = (input: Drawing) => thread(input).finally(() => calls++);
  const marks = createMarks({ clock: testClock(), thread: () => counted as never })!;
  const ask = (name: string, text = mark.text) => marks.picture({ bytes: picture, name }, { ...mark, text }, caller);
  const [one, again] = [await ask('a'), await ask('a')];
  expect(again).toBe(one);
  await Promise.all([ask('a', 'Ben #8'), ask('b')]);
  expect(calls).toBe(3);
  expect(drawn((await readPixels(one!))!)).toBeGreaterThan(0.03);
  const overlay = await readPixels(await marks.overlay({ width: 320, height: 180 }, mark, caller));
  expect([overlay?.data[3], overlay?.data.some((value) => value > 100)]).toEqual([0, true]);
});

it('a host without threads draws no mark', () => {
  expect(createMarks({ clock: testClock() })).toBeUndefined();
});

it('the mark stands all over, above, in the middle or below, and in each area of a sheet', async () => {
  const bands = async (place: Mark['place']) => {
    const pixels = await markedPixels({ mark: { ...mark, place } });
    return [0, 60, 120].map((top) => drawn(pixels, [0, top, 320, top + 60]) > 0);
  };
  expect(await bands('tiles')).toEqual([true, true, true]);
  expect(await bands('top')).toEqual([true, false, false]);
  expect(await bands('middle')).toEqual([false, true, false]);
  expect(await bands('bottom')).toEqual([false, false, true]);
  const areas = [0, 160].flatMap((x) => [0, 90].map((y) => ({ x, y, width: 160, height: 90 })));
  const sheet = await markedPixels({ areas: areas.slice(1), mark: { ...mark, place: 'middle' } });
  expect(areas.map(({ x, y }) => drawn(sheet, [x, y, x + 160, y + 90]) > 0)).toEqual([false, true, true, true]);
});

it('a name of hostile characters is pixels and nothing else, and never pushes the number out', async () => {
  const small = await writePixels(emptyPixels(160, 64, grey), 'image/png');
  for (const text of [
    "%{pts}:text='x',drawtext=textfile=/etc/passwd\\ #7",
    `${'W'.repeat(500)} #7`,
    `${'很'.repeat(120)} #7`,
    'مرحبا بالعالم #7',
    `a${'\u0301'.repeat(200)} #7`,
    '\u{1f468}\u200d\u{1f469} \ud800 #7',
    '#7',
  ]) {
    const [one, other] = await Promise.all(
      [text, text.replace('#7', '#8')].map((each) =>
        markedPixels({ picture: small, mark: { ...mark, text: each, place: 'bottom' } }),
      ),
    );
    expect([text.slice(0, 20), Buffer.compare(one!.data, other!.data)]).not.toEqual([text.slice(0, 20), 0]);
  }
  const tiny = await markedPixels({ areas: [{ x: 5, y: 5, width: 3, height: 2 }] });
  expect(drawn(tiny, [9, 9, 320, 180])).toBe(0);
});

it('a large picture becomes smaller, and one that cannot be read is none', async () => {
  const large = await writePixels(emptyPixels(1920, 72, grey), 'image/jpeg');
  const { width, height } = await markedPixels({ picture: large });
  expect([width, height]).toEqual([1280, 48]);
  for (const bytes of [large.slice(0, 900), Uint8Array.of(1, 2, 3), new Uint8Array()])
    expect(await markHere({ mark, picture: bytes })).toBeUndefined();
});
