import { describe, expect, it } from 'vitest';
import { columnsOf, rowsAhead, rowsOf, spanOf, targetIndex, topFor, windowOf } from '../../src/components/grid-rows.ts';

const rows = { count: 100_000, columns: 6, rowHeight: 200 };

describe('the window of a grid', () => {
  it('has as many columns as fit, and at least one', () => {
    expect(columnsOf(1000, 200, 10)).toBe(4);
    expect(columnsOf(1050, 200, 10)).toBe(5);
    expect(columnsOf(90, 200, 10)).toBe(1);
  });

  it('draws the rows in view and a few around them, however long the list is', () => {
    expect(windowOf(rows, 0, 900)).toEqual({ first: 0, last: 6 });
    expect(windowOf(rows, 1_000_000, 900)).toEqual({ first: 4999, last: 5006 });
  });

  it.each([
    [0, 0, 4999, 5006],
    [0.4, 0, 4999, 5006],
    [2.5, 2, 4999, 5007],
    [6, 3, 4999, 5008],
    [-2.5, -2, 4998, 5006],
    [-60, -3, 4997, 5006],
  ])('draws at %f pixels a millisecond %i rows before they are seen', (speed, ahead, first, last) => {
    expect(rowsAhead(speed, 200, 900)).toBeCloseTo(ahead);
    expect(windowOf(rows, 1_000_000, 900, ahead)).toEqual({ first, last });
  });

  it('ends at the last row, also when it is scrolled beyond it', () => {
    expect(rowsOf(rows)).toBe(16_667);
    expect(windowOf(rows, 99_999_999, 900)).toEqual({ first: 16_666, last: 16_667 });
    expect(windowOf({ ...rows, count: 0 }, 0, 900)).toEqual({ first: 0, last: 0 });
  });

  it.each([
    [0, 100, 0, 2],
    [-500, 40, 0, 1],
    [60, 61, 1, 2],
    [270, 9999, 3, 4],
    [300, 400, 4, 4],
    [-50, -10, 0, 0],
  ])('has the entries of different heights from %i to %i', (top, bottom, first, last) => {
    expect(spanOf([60, 60, 150, 30], top, bottom)).toEqual({ first, last });
  });

  it('scrolls no further than a row needs', () => {
    expect(topFor(0, 200, 500, 900)).toBe(0);
    expect(topFor(4, 200, 500, 900)).toBe(500);
    expect(topFor(9, 200, 500, 900)).toBe(1100);
  });
});

describe('keys in a grid', () => {
  const short = { count: 20, columns: 6, rowHeight: 200 };

  it.each([
    ['ArrowRight', 0, 1],
    ['ArrowRight', 19, 19],
    ['ArrowLeft', 0, 0],
    ['ArrowDown', 1, 7],
    ['ArrowUp', 7, 1],
    ['ArrowUp', 3, 3],
    ['PageDown', 0, 12],
    ['PageDown', 12, 19],
    ['PageUp', 13, 1],
    ['PageUp', 3, 0],
    ['Home', 13, 0],
    ['End', 3, 19],
  ])('%s moves from %i to %i', (key, from, to) => {
    expect(targetIndex(key, from, short, 2)).toBe(to);
  });

  it('reaches a last row that is not full from each column, and stays in it', () => {
    expect(targetIndex('ArrowDown', 17, short, 2)).toBe(19);
    expect(targetIndex('ArrowDown', 18, short, 2)).toBe(18);
  });

  it('leaves other keys and an empty grid alone', () => {
    expect(targetIndex('q', 0, short, 2)).toBeUndefined();
    expect(targetIndex('End', 0, { ...short, count: 0 }, 2)).toBeUndefined();
  });
});
