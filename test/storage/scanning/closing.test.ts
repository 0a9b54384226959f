import { expect, it } from 'vitest';
import type { StorageDriver, StoredFile } from '../../../src/spi/index.ts';
import { DriverError } from '../../../src/storage/drivers.ts';
import { openScanWorld, type ScanWorld } from '../../support/storages.ts';

/** The storage VX-1 is scanned once an hour. `change`: what its driver does otherwise. */
const open = (change: (driver: StorageDriver) => Partial<StorageDriver> = () => ({})) =>
  openScanWorld({
    scanInterval: 3600,
    scheme: (inner) => ({
      ...inner,
      open(address) {
        const driver = inner.open(address);
        return { ...driver, ...change(driver) };
      },
    }),
  });
const stateOf = async (world: ScanWorld, path = 'film.mov') => (await world.row(path))?.['state'];

/** Seconds until a file is no longer open, or `max`. In each second, `then` is done first. */
async function secondsOpen(world: ScanWorld, max: number, then = (_second: number): void => undefined) {
  for (let second = 0; second < max; second++) {
    if ((await stateOf(world)) !== 'OPEN') return second;
    then(second);
    await world.clock.advance(1000);
    await world.service.tick();
  }
  return max;
}

async function copied(world: ScanWorld): Promise<number> {
  world.place.put('film.mov', 'the whole film');
  const before = await world.sequence();
  expect(await world.ask('POST /API/storage/VX-1/file?path=film.mov&state=OPEN')).toMatchObject({ status: 200 });
  expect(await stateOf(world)).toBe('OPEN');
  return before;
}

it('a file that has just been copied is closed within 20 seconds of its registration, without a scan', async () => {
  const world = await open();
  const before = await copied(world);
  const seconds = await secondsOpen(world, 60);
  expect([seconds >= 10, seconds <= 20, await stateOf(world)]).toEqual([true, true, 'CLOSED']);
  const names = (await world.events(before)).filter(({ name }) => name.startsWith('file/')).map(({ name }) => name);
  expect(names.filter((name) => name === 'file/close')).toHaveLength(1);
});

it('a file that another machine still writes stays open until it has rested, and its pauses are shorter than that', async () => {
  const world = await open();
  await copied(world);
  const written = await secondsOpen(world, 45, (second) => {
    if (second % 8 === 0) world.place.put('film.mov', 'x'.repeat(second + 1));
  });
  expect([written, await stateOf(world)]).toEqual([45, 'OPEN']);
  const seconds = await secondsOpen(world, 60);
  expect([seconds <= 20, await stateOf(world)]).toEqual([true, 'CLOSED']);
});

it('a file that cannot be opened stays open: somebody has locked it', async () => {
  let isLocked = true;
  const world = await open(({ read }) => ({
    read: (...given) => (isLocked ? Promise.reject(new DriverError('denied', 'Resource busy')) : read(...given)),
  }));
  await copied(world);
  expect(await secondsOpen(world, 45)).toBe(45);
  isLocked = false;
  await secondsOpen(world, 60);
  expect(await stateOf(world)).toBe('CLOSED');
});

it('a file server that lists an older size is asked again by opening the file', async () => {
  let old: StoredFile | undefined;
  const world = await open((driver) => ({
    stat: async (...given) => (old ??= await driver.stat(...given)),
    // Asks its own `stat`, which is not the one of the listing.
    read: (...given) => driver.read(...given),
  }));
  await copied(world);
  const written = await secondsOpen(world, 30, (second) => world.place.put('film.mov', 'x'.repeat(second + 100)));
  expect([written, await stateOf(world)]).toEqual([30, 'OPEN']);
});

it('the key closeLimit decides, a storage without scans is left alone, and so is a file that never comes', async () => {
  const world = await open();
  await world.metadata('closeLimit', '40');
  await copied(world);
  expect(await secondsOpen(world, 60)).toBeGreaterThanOrEqual(40);
  await world.sql('UPDATE storage SET scan_interval = -1');
  await world.ask('POST /API/storage/VX-1/file?path=other.mov&state=OPEN');
  world.place.put('other.mov', 'a');
  for (let second = 0; second < 60; second++) {
    await world.clock.advance(1000);
    await world.service.tick();
  }
  expect(await stateOf(world, 'other.mov')).toBe('OPEN');
});
