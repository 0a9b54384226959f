import { describe, expect, it } from 'vitest';
import { columnsIn, moved, rowsInView, scrollFor } from '../../src/kit/virtual.ts';

const extent = { count: 10, columns: 4, rowHeight: 100 };

describe('a virtual grid', () => {
  it('draws the rows in sight and two around them', () => {
    expect(rowsInView({ count: 1000, columns: 4, rowHeight: 100 }, 5000, 600)).toEqual({ from: 48, to: 58 });
    expect(rowsInView(extent, 0, 600)).toEqual({ from: 0, to: 3 });
    expect(rowsInView({ ...extent, count: 0 }, 0, 600)).toEqual({ from: 0, to: 0 });
    // A list that became shorter while it was scrolled down.
    expect(rowsInView(extent, 90_000, 600)).toEqual({ from: 3, to: 3 });
    expect([columnsIn(0, 200), columnsIn(850, 200)]).toEqual([1, 4]);
  });

  it.each([
    ['ArrowRight', 0, 1],
    ['ArrowRight', 9, 9],
    ['ArrowLeft', 0, 0],
    ['ArrowDown', 1, 5],
    ['ArrowDown', 7, 9],
    ['ArrowDown', 9, 9],
    ['ArrowUp', 2, 2],
    ['ArrowUp', 6, 2],
    ['PageDown', 0, 8],
    ['PageUp', 9, 1],
    ['Home', 7, 0],
    ['End', 0, 9],
    ['Enter', 3, undefined],
  ])('%s goes from %i to %s', (key, from, to) => {
    expect(moved(key, from, extent, 200)).toBe(to);
  });

  it('goes the other way from right to left, and nowhere without cells', () => {
    expect(moved('ArrowRight', 5, extent, 200, true)).toBe(4);
    expect(moved('End', -1, { ...extent, count: 0 }, 200)).toBeUndefined();
  });

  it('scrolls as little as it must', () => {
    expect([scrollFor(0, extent, 150, 300), scrollFor(2, extent, 0, 300), scrollFor(5, extent, 0, 300)]).toEqual([
      0, 0, 300,
    ]);
  });
});
