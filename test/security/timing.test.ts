import { describe, expect, it } from 'vitest';
import { migratedDatabase } from '../support/migrated.ts';
import { whoIs } from '../support/ways.ts';
import { kinds, open } from './timing-failures.ts';

describe('timing', () => {
  it.each(kinds)('of %s: every failure does the same work', async (_kind, failures, reads, hashes) => {
    const database = await migratedDatabase();
    const read = database.read.bind(database);
    let count = 0;
    database.read = (...given) => {
      count++;
      return read(...given);
    };
    const world = await open({ database });
    for (const [what, how] of Object.entries(await failures(world))) {
      const [readsBefore, hashesBefore] = [count, world.scrypt.calls.length];
      expect(await whoIs(world, how), what).toMatch(/^401 /);
      const work = { reads: count - readsBefore, hashes: world.scrypt.calls.length - hashesBefore };
      expect([what, work]).toEqual([what, { reads, hashes }]);
    }
  });
});
