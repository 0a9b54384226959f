import { expect, it } from 'vitest';
import { migratedDatabase } from '../../support/migrated.ts';
import { outliving } from '../../support/outliving.ts';
import { withService } from '../../support/service.ts';

it('an idle server reads once a second, claims nothing and writes nothing', async () => {
  const database = await migratedDatabase();
  const asked = { reads: 0, writes: 0 };
  const { service, clock, lines } = await withService({
    database: {
      ...outliving(database),
      close: () => database.close(),
      read(...given) {
        asked.reads++;
        return database.read(...given);
      },
      write(...given) {
        asked.writes++;
        return database.write(...given);
      },
    },
  });
  const claims: string[] = [];
  for (const kind of service.kinds) {
    const { claim } = kind;
    kind.claim = (...given) => {
      claims.push(kind.name);
      return claim(...given);
    };
  }
  void service.work();
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) await clock.advance(1_000);
  };
  // What a new instance has to do once is done.
  await pass(20);
  claims.length = 0;
  Object.assign(asked, { reads: 0, writes: 0 });
  await pass(60);
  expect(lines.filter(({ event }) => event === 'work-halted')).toEqual([]);
  expect(claims).toEqual([]);
  expect(asked).toEqual({ reads: 60, writes: 0 });
});
