import { expect, it } from 'vitest';
import { everything, isChosen, nothing, sizeOf, withIds, withToggled } from '../../src/pages/library/actions.ts';

it('chooses one by one', () => {
  const two = withToggled(withToggled(nothing, 'VX-1'), 'VX-2');
  expect([isChosen(two, 'VX-1'), isChosen(two, 'VX-3'), sizeOf(two, 100)]).toEqual([true, false, 2]);
  expect(sizeOf(withToggled(two, 'VX-1'), 100)).toBe(1);
});

it('chooses all that a search finds without a list, and takes some out again', () => {
  const max = withToggled(everything, 'VX-7');
  expect([isChosen(max, 'VX-1'), isChosen(max, 'VX-7'), sizeOf(max, 100_000)]).toEqual([true, false, 99_999]);
  expect(max.ids.size).toBe(1);
  expect(isChosen(withToggled(max, 'VX-7'), 'VX-7')).toBe(true);
});

it('widens by a range, also when some of it is chosen', () => {
  const range = withIds(withToggled(nothing, 'VX-2'), ['VX-1', 'VX-2', 'VX-3'], true);
  expect(sizeOf(range, 10)).toBe(3);
  expect(sizeOf(withIds(everything, ['VX-1', 'VX-2'], false), 10)).toBe(8);
});
