import type { AnnotationType } from 'portico/types';
import { describe, expect, it } from 'vitest';
import {
  fitted,
  marksOf,
  partOf,
  pictureIn,
  rectangleOf,
  threadsOf,
  timesOf,
} from '../../src/pages/comments/comments.ts';

const comment = (id: string, more: AnnotationType = {}): AnnotationType => ({ id, ...more });
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

  it('share a mark where they are near, and have none without a time or behind the end', () => {
    const threads = threadsOf(['', '1', '1.2', '9', '11'].map((start, at) => comment(`${at}`, start ? { start } : {})));
    const marks = marksOf(threads, 10).map(({ share, comments }) => [share, comments.length]);
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
