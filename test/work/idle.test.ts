import { expect, it } from 'vitest';
import { migratedDatabase } from '../support/migrated.ts';
import { outliving } from '../support/outliving.ts';
import { withService } from '../support/service.ts';

it('without work each kind looks once a second at most, and nothing is written', async () => {
  const database = await migratedDatabase();
  let writes = 0;
  const { service, clock } = await withService({
    database: {
      ...outliving(database),
      close: () => database.close(),
      write(statements, share) {
        writes++;
        return database.write(statements, share);
      },
    },
  });
  const looks = new Map<string, number>();
  for (const kind of service.kinds) {
    const { claim } = kind;
    kind.claim = (...given) => {
      looks.set(kind.name, (looks.get(kind.name) ?? 0) + 1);
      return claim(...given);
    };
  }
  void service.work();
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) await clock.advance(1_000);
  };
  // What a new instance has to do once is done.
  await pass(20);
  looks.clear();
  writes = 0;
  await pass(30);
  expect([...looks].filter(([, count]) => count > 31)).toEqual([]);
  expect(looks.get('jobs')).toBeGreaterThan(25);
  expect(writes).toBe(0);
});
