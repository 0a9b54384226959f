import { expect, it } from 'vitest';
import { createSweep } from '../../../src/storage/bytes/publishing/sweep.ts';
import { DriverError } from '../../../src/storage/drivers.ts';
import { openWorld } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';

it('tells once, in one line, that a storage cannot be swept, and again after it worked meanwhile', async () => {
  const world = await openWorld('fetch');
  const body = { method: [{ uri: 'file:///etc/', read: true, write: true, browse: true }] };
  const made = await world.send({ as: admin, request: 'POST /API/storage', body });
  expect(made.status).toBe(200);
  const lines: (readonly [event: string, fields: object])[] = [];
  let isOpen = false;
  const driver = { staged: async () => [] };
  const { all } = createSweep({
    store: world.service.store,
    clock: world.clock,
    log: { writes: () => true, write: (_level, event, fields = {}) => void lines.push([event, fields]) },
    places: {
      of: async () => {
        if (!isOpen) throw new DriverError('offline', 'Expected a folder below those of a setting: "/etc"');
        return driver;
      },
    } as never,
  });
  await all(0);
  await all(0);
  const error = 'Expected a folder below those of a setting: "/etc"';
  const line = ['sweep-failed', { storage: 'VX-1', method: 'VX-1', error }];
  expect(lines).toEqual([line]);
  isOpen = true;
  await all(0);
  isOpen = false;
  await all(0);
  expect(lines).toEqual([line, line]);
});
