import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkStorageDriver } from '../../../src/kit/testing/index.ts';
import { explained } from '../../kit/testing/failing.ts';
import { filePlaces } from '../../support/file-place.ts';
import { isLong } from '../../support/long.ts';

it.each(['by descriptor', 'by path'] as const)(
  'the file driver keeps the contract of drivers, with folders held %s',
  async (holding) => {
    if (holding === 'by descriptor' && !existsSync('/proc/self/fd')) return;
    const places = await filePlaces();
    const results = await checkStorageDriver({
      open: (place) => places.open(String(place), { holding }),
      async unreachable() {
        const driver = await places.open('gone', { holding });
        await rm(join(places.root, 'gone'), { recursive: true });
        return driver;
      },
      openHandles: () => places.openHandles(),
      ...(!isLong && { largest: 3_000_000 }),
    });
    expect(explained(results)).toEqual([]);
    const names = results.map(({ name }) => name);
    expect(names).toContain('holds nothing open for readers who left');
    expect(names).toContain('goes on with parts after a restart');
    expect(places.openHandles()).toBe(0);
  },
);
