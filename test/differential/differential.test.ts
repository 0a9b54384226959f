import { expect, it } from 'vitest';
import { listenFor, openWorld } from '../support/matrix.ts';
import { Names } from './names.ts';
import { Differential } from './play.ts';

const place = async (name: string) => {
  const port = await listenFor(await openWorld('fetch', { settings: { deliver: false } }));
  return { name, origin: `http://127.0.0.1:${port}`, close: async () => undefined };
};

it('a seed has equal answers of two services, and the first other answer is told', async () => {
  const one = await place('one');
  const differential = new Differential([one, await place('two')]);
  await differential.begin();
  await differential.playSeed(1);
  expect(differential.calls).toBeGreaterThan(100);
  const other = new Differential([one, await place('new')]);
  await expect(other.begin()).rejects.toThrow(/^call 1, admin .+\none: 409\n(?:.+\n)+new: 200\n/);
});

it('what a place makes for itself has the same name at each place, and leads back to it', () => {
  const [one, other] = [new Names('http://a'), new Names('http://b')];
  const [first, second] = ['oSrBshRSEACH-EmWNuyyxw', 'aaaaBBBBcccc1234567890'];
  expect(one.shared(`http://a/${first} 2026-11-29T10:00:00.000Z`)).toBe('http://portico/{own 0} {time}');
  expect(other.shared(`http://b/${second}`)).toBe('http://portico/{own 0}');
  expect(other.here(one.shared(`/share/${first}`))).toBe(`/share/${second}`);
  expect(one.shared('accessControlMergedDocument')).toBe('accessControlMergedDocument');
});
