import { effect } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Comment,
  fitted,
  marksOf,
  mentionAt,
  mentionsIn,
  partOf,
  pictureIn,
  rectangleOf,
  threadsOf,
  timesOf,
  withNames,
} from '../../src/comments/comments.ts';
import { type Content, createDesk } from '../../src/comments/desk.ts';
import { forgetDrafts } from '../../src/comments/drafts.ts';
import { createEngine } from '../../src/player/engine.ts';

const comment = (id: string, more: Partial<Comment> = {}): Comment => ({ id, author: 'ann', ...more });
const whole = { width: 200, height: 100 };

describe('comments', () => {
  it('are by time, those on all of the item first, each with its replies', () => {
    const threads = threadsOf([
      comment('late', { start: '50@PAL' }),
      comment('early', { start: '0.5' }),
      comment('answer', { parent: 'late' }),
      comment('all'),
      comment('stray', { parent: 'elsewhere', start: '25@25' }),
    ]);
    expect(threads.map(({ comment: { id }, replies }) => [id, replies.map((each) => each.id)])).toEqual([
      ['all', []],
      ['early', []],
      ['stray', []],
      ['late', ['answer']],
    ]);
  });

  it.each([
    [{}, undefined],
    [{ start: '50@25' }, [2, 2]],
    [{ start: '50@25', end: '100@25' }, [2, 4]],
  ])('of %j have the times %j', (sent, times) => {
    expect(timesOf(sent)).toEqual(times);
  });

  it('share a mark where they are near, and have none without a time or out of view', () => {
    const threads = threadsOf(['', '1', '1.2', '9', '11'].map((start, at) => comment(`${at}`, start ? { start } : {})));
    const marks = marksOf(threads, { from: 0, to: 10 }).map(({ share, comments }) => [share, comments.length]);
    expect(marks).toEqual([
      [0.1, 2],
      [0.9, 1],
    ]);
  });
});

describe('parts of the picture', () => {
  it.each([
    ['percent:10,20.5,30,40', { left: 10, top: 20.5, width: 30, height: 40 }],
    ['pixel:20,50,100,25', { left: 10, top: 50, width: 50, height: 25 }],
    ['url(x)', undefined],
    [undefined, undefined],
  ])('of %s are %j', (rectangle, part) => {
    expect(partOf(rectangle, whole)).toEqual(part);
  });

  it('are written in percent, with two decimals', () => {
    expect(rectangleOf({ left: 1 / 3, top: 0, width: 50, height: 100 })).toBe('percent:0.33,0,50,100');
  });

  it.each([
    [
      { left: 90, top: -5, width: 20, height: 0 },
      { left: 80, top: 0, width: 20, height: 1 },
    ],
    [
      { left: 0, top: 0, width: 130, height: 50 },
      { left: 0, top: 0, width: 100, height: 50 },
    ],
  ])('%j stays in the picture', (part, wanted) => {
    expect(fitted(part)).toEqual(wanted);
  });

  it('lie on the picture, and not on the bars beside or above it', () => {
    expect(pictureIn({ width: 400, height: 100 }, whole)).toEqual({ left: 100, top: 0, width: 200, height: 100 });
    expect(pictureIn({ width: 100, height: 100 }, whole)).toEqual({ left: 0, top: 25, width: 100, height: 50 });
  });
});

describe('a text', () => {
  it.each([
    ['Too dark, @an', 13, 'an'],
    ['@', 1, ''],
    ['ann@example', 11, undefined],
    ['@ann is here', 9, undefined],
  ])('%j asks at %i for people who begin with %j', (text, caret, typed) => {
    expect(mentionAt(text, caret)).toBe(typed);
  });

  it('mentions whom its names mean, in order', () => {
    expect(mentionsIn('See @ann.lind. And @ben')).toEqual(['ann.lind', 'ben']);
    expect(mentionsIn('mail ann@example.org')).toEqual([]);
  });

  it('stand in a text by the names of people', () => {
    const nameOf = (user: string) => (user === 'ann.lind' ? 'Ann Lind' : user);
    expect(withNames('See @ann.lind. And @ben, ann@example.org', nameOf)).toBe(
      'See @Ann Lind. And @ben, ann@example.org',
    );
    expect(withNames('Guests: @ann.lind')).toBe('Guests: @ann.lind');
  });
});

describe('comments of many pages', () => {
  it('are shown from the first page on, and replaced at once when they are read again', async () => {
    const all = Array.from({ length: 250 }, (_, at) => comment(`VX-${at}`, { start: `${at % 7}` }));
    const asked: number[] = [];
    const sizes: unknown[] = [];
    const desk = createDesk({
      ...{ engine: undefined, hasPicture: false, person: 'ann', item: 'VX-1' },
      api: {
        async read(first) {
          asked.push(first);
          return { comments: all.slice(first - 1, first + 99), hits: all.length };
        },
        explain: String,
      },
    });
    effect(() => void sizes.push([desk.threads.value?.length, desk.isWhole.value]));
    await desk.reload();
    all.push(comment('VX-new'));
    await desk.reload();
    expect(asked).toEqual([1, 101, 201, 1, 101, 201]);
    expect(sizes).toEqual([
      [undefined, false],
      [100, false],
      [250, true],
      [251, true],
    ]);
    expect(desk.openCount.value).toBe(251);
  });
});

describe('a draft', () => {
  const sent: Content[] = [];
  const edited: unknown[] = [];
  const day = 24 * 3_600_000;
  const rate = { numerator: 25, denominator: 1 };
  const open = ({ item = 'VX-1', person = 'ann', now = 0, at = 2, comments = [] as Comment[] } = {}) => {
    const engine = createEngine({ rate, drop: false, start: 0 }, 10, at);
    const api = {
      read: async () => ({ comments, hits: comments.length }),
      send: async (content: Content) => ({ id: `VX-${sent.push(content)}` }),
      edit: async (id: string, content: object) => void edited.push([id, content]),
      explain: String,
    };
    return createDesk({ api, engine, hasPicture: true, person, item, now: () => now });
  };
  beforeEach(() => {
    sent.length = 0;
    edited.length = 0;
    const values: Record<string, string> = {};
    const own = (value: object) => ({ value, enumerable: false });
    const methods = {
      getItem: own((key: string) => values[key] ?? null),
      setItem: own((key: string, text: string) => void Object.assign(values, { [key]: text })),
      removeItem: own((key: string) => delete values[key]),
    };
    vi.stubGlobal('localStorage', Object.defineProperties(values, methods));
  });
  afterEach(() => vi.unstubAllGlobals());

  it('pauses the film, and keeps the frame at which it was begun until it is sent', async () => {
    const desk = open();
    desk.engine!.run('l');
    desk.change({ text: 'Too dark' });
    expect(desk.engine!.speed.value).toBe(0);
    desk.engine!.goTo(80);
    await desk.send();
    expect(sent).toMatchObject([{ text: 'Too dark', start: '50@25' }]);
    expect(desk.engine!.speed.value).toBe(0);
    expect(desk.draft.value).toEqual({ text: '' });
  });

  it('is there again with its time and drawing, for the same person and item alone', () => {
    const desk = open();
    const sketch = { size: { width: 10, height: 10 }, lines: [[[1, 2]]] } as const;
    desk.take('pen');
    desk.change({ sketch });
    desk.change({ text: 'Here' });
    expect(open({ at: 5 }).draft.value).toEqual({ text: 'Here', frame: 50, sketch });
    expect(open({ item: 'VX-2' }).draft.value).toEqual({ text: '' });
    expect(open({ person: 'ben' }).draft.value).toEqual({ text: '' });
  });

  it('ends with the log-out of its person, and after 30 days', () => {
    open().change({ text: 'Here' });
    open({ person: 'an' }).change({ text: 'There' });
    forgetDrafts('an');
    expect(open({ person: 'an' }).draft.value.text).toBe('');
    expect(open({ now: 29 * day }).draft.value.text).toBe('Here');
    expect(open({ now: 31 * day }).draft.value.text).toBe('');
    expect(Object.keys(localStorage)).toEqual([]);
  });

  it('follows the film again when nothing is left of it, and has no time where it is taken away', async () => {
    const desk = open();
    desk.change({ text: 'a' });
    desk.change({ text: '' });
    desk.engine!.goTo(80);
    desk.change({ text: 'b', frame: null });
    await desk.send();
    desk.change({ text: 'c' });
    await desk.send('ben');
    expect(sent.map(({ start, assignedTo }) => [start, assignedTo])).toEqual([
      [undefined, undefined],
      ['80@25', 'ben'],
    ]);
  });

  it('is about the part that is marked, which ends with it', async () => {
    const desk = open({ at: 3 });
    desk.engine!.marks.value = { from: 50, to: 100 };
    expect(desk.about.value).toEqual({ from: 50, to: 100 });
    desk.change({ text: 'Too long' });
    desk.engine!.goTo(200);
    await desk.send();
    desk.change({ text: 'And this' });
    await desk.send();
    expect(sent).toMatchObject([{ start: '50@25', end: '100@25' }, { start: '200@25' }]);
    expect(sent[1]!.end).toBeUndefined();
  });

  it('of a reply has neither time nor drawing', async () => {
    const desk = open();
    desk.take('box');
    desk.write('VX-7');
    desk.change({ text: 'Yes' });
    await desk.send();
    expect(sent).toEqual([{ text: 'Yes', parent: 'VX-7' }]);
  });

  it('of a change leaves what was typed, which comes back when it is saved or left', async () => {
    const desk = open();
    desk.change({ text: 'Half a' });
    const before = desk.draft.value;
    desk.edit({ id: 'VX-7', author: 'ann', text: 'Too drak', assignedTo: 'ben' });
    expect(desk.draft.value).toMatchObject({ text: 'Too drak', isAssigned: true });
    desk.cancel();
    expect(desk.draft.value).toEqual(before);
    desk.edit({ id: 'VX-7', author: 'ann', text: 'Too drak' });
    desk.change({ text: 'Too dark' });
    await desk.send('ben');
    expect(edited).toEqual([['VX-7', { text: 'Too dark', assignedTo: 'ben' }]]);
    expect(sent).toEqual([]);
    expect(desk.draft.value).toEqual(before);
  });

  it('that changes a comment has its drawing and its frame, and sends what was changed of them', async () => {
    const svg = (points: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><polyline points="${points}"/></svg>`;
    const own = comment('VX-7', {
      text: 'Here',
      start: '100@25',
      rectangle: 'percent:10,20,30,40',
      drawing: svg('1,2 3,4'),
    });
    const desk = open({ comments: [own] });
    await desk.reload();
    desk.engine!.run('l');
    desk.edit(own);
    expect([desk.engine!.speed.value, desk.engine!.frame.value]).toEqual([0, 100]);
    const { part, sketch } = desk.draft.value;
    expect(part).toEqual({ left: 10, top: 20, width: 30, height: 40 });
    expect(sketch!.lines).toEqual([
      [
        [1, 2],
        [3, 4],
      ],
    ]);
    desk.take('pen');
    desk.change({
      sketch: {
        ...sketch!,
        lines: [
          [
            [5, 6],
            [7, 8],
          ],
        ],
      },
      part: undefined,
    });
    expect(desk.draft.value.edits).toBe('VX-7');
    await desk.send();
    expect(edited).toEqual([['VX-7', { text: 'Here', assignedTo: '', drawing: svg('5,6 7,8'), rectangle: '' }]]);
  });

  it('that changes a comment of another tool keeps what that has drawn', async () => {
    const desk = open();
    desk.edit(comment('VX-7', { text: 'Here', rectangle: 'pixel:1,2,3,4', drawing: '<svg><path d="M1 1"/></svg>' }));
    desk.change({ text: 'There' });
    await desk.send();
    expect(edited).toEqual([['VX-7', { text: 'There', assignedTo: '' }]]);
  });

  it('is not sent where it is too long, and nothing of it is cut', () => {
    const desk = open();
    desk.change({ text: 'x'.repeat(4001) });
    expect([desk.canSend.value, desk.draft.value.text.length]).toEqual([false, 4001]);
    desk.change({ text: 'x'.repeat(4000) });
    expect(desk.canSend.value).toBe(true);
  });
});
