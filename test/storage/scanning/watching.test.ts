import { expect, it } from 'vitest';
import { openScanWorld, type ScanWorld } from '../../support/storages.ts';

/** The storage VX-1 is a hot folder that tells of changes and was scanned a moment ago. */
async function openHotFolder(more: { readonly tells?: boolean; readonly key?: readonly [string, string] } = {}) {
  const world = await openScanWorld({ tells: more.tells ?? true, scanInterval: 3600 });
  if (more.key) await world.metadata(...more.key);
  expect((await world.ask('PUT /API/storage/VX-1/auto-import', '{}')).status).toBe(200);
  await pass(world, 10);
  return world;
}

/** So many seconds go by, and whatever is due is done in each. */
async function pass(world: ScanWorld, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await world.clock.advance(1000);
    await world.service.tick();
  }
}

const stateOf = async (world: ScanWorld, path: string) => (await world.row(path))?.['state'];
const toldOf = async (world: ScanWorld, after: number) =>
  (await world.events(after)).filter(({ name }) => name.startsWith('file/')).map(({ name }) => name);

it('a file that rests in a hot folder is imported within five seconds, without a scan', async () => {
  const world = await openHotFolder();
  const before = await world.sequence();
  world.place.put('in/film.txt', 'the whole film');
  await pass(world, 1);
  expect([await stateOf(world, 'in/film.txt'), await toldOf(world, before)]).toEqual(['OPEN', ['file/new']]);
  await pass(world, 4);
  expect(await stateOf(world, 'in/film.txt')).not.toBe('OPEN');
  expect((await world.rows('job')).map(({ type, user }) => [type, user])).toEqual([['AUTO_IMPORT', null]]);
});

it('a file that grows waits for its rest, and no commit is made for each piece of it', async () => {
  const world = await openHotFolder();
  const before = await world.sequence();
  for (let second = 0; second < 30; second++) {
    world.place.put('film.txt', 'x'.repeat(second + 1));
    await pass(world, 1);
  }
  expect(await world.row('film.txt')).toMatchObject({ state: 'OPEN', version: 1 });
  expect(await toldOf(world, before)).toEqual(['file/new']);
  await pass(world, 4);
  expect(await world.row('film.txt')).toMatchObject({ size: 30 });
  expect((await toldOf(world, before)).filter((name) => name === 'file/close')).toHaveLength(1);
});

it('the key closeLimit of a hot folder says how long a file rests', async () => {
  const world = await openHotFolder({ key: ['closeLimit', '20'] });
  world.place.put('film.txt', 'film');
  await pass(world, 15);
  expect(await stateOf(world, 'film.txt')).toBe('OPEN');
  await pass(world, 7);
  expect(await world.rows('job')).toHaveLength(1);
});

it('what excludefilter leaves out, and what comes where no rule is, waits for no watch', async () => {
  const world = await openHotFolder({ key: ['excludefilter', '.*\\.tmp'] });
  world.place.put('film.tmp', 'film');
  await pass(world, 6);
  expect(await world.row('film.tmp')).toBeUndefined();
  expect((await world.ask('DELETE /API/storage/VX-1/auto-import')).status).toBe(200);
  await pass(world, 6);
  expect(world.place.listeners.size).toBe(0);
});

it('a storage that tells nothing is scanned as before', async () => {
  const world = await openHotFolder({ tells: false });
  world.place.put('film.txt', 'film');
  await pass(world, 30);
  expect(await world.row('film.txt')).toBeUndefined();
  expect((await world.scan()).slice(0, 1)).toEqual(['file/new film.txt']);
});

it('a watch that ends is told of in the log, and begins again', async () => {
  const world = await openHotFolder();
  for (const { ended } of world.place.listeners) ended('Unplugged');
  world.place.listeners.clear();
  await pass(world, 10);
  expect(world.lines.filter(({ event }) => event === 'watch-ended')).toMatchObject([{ reason: 'Unplugged' }]);
  world.place.put('film.txt', 'film');
  await pass(world, 5);
  expect(await world.rows('job')).toHaveLength(1);
});

it('a file that was open before the server watched, or that a scan found, is closed as soon', async () => {
  const world = await openHotFolder();
  world.place.listeners.clear();
  world.place.put('film.txt', 'film');
  expect(await world.scan()).toEqual(['file/new film.txt']);
  await pass(world, 10);
  expect(await world.rows('job')).toHaveLength(1);
});
