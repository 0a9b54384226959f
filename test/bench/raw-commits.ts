import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { systemClock } from '../../src/core/lib/clock.ts';
import { openStore } from '../../src/core/store/store.ts';
import { statementsOf } from '../../src/core/store/unit-of-work.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { createUser } from '../../src/identity/users/rules.ts';
import { noKeyValues } from '../../src/room/entities/key-values/store.ts';
import { migrations } from '../support/store.ts';
import { measure, rawCommitter } from './commit.ts';

/** Runs the statements of one POST /user in the engine, with nothing around them. Prints one line of JSON. */
async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-raw-'));
  const path = join(directory, 'raw.db');
  const store = openStore(await openDatabase(`file:${path}`), { clock: systemClock, site: 'B', migrations });
  await store.migrate();
  await store.close();
  const statements = (id: string) => {
    const command = {
      name: id,
      realName: `Number ${id}`,
      password: null,
      aliases: [],
      groups: [],
      metadata: noKeyValues,
    };
    return statementsOf(createUser(command, id, Date.now()), { user: 'bench', requestId: id }, Date.now());
  };
  const grouped = rawCommitter(path, 256, statements);
  const single = rawCommitter(path, 1, statements);
  const client = createClient({ url: `file:${path}`, timeout: 5_000 });
  const batch = async (id: string) => {
    await client.batch(
      statements(id).map(({ sql, args }) => ({ sql, args: [...args] })),
      'write',
    );
  };
  await measure(grouped.commit, 'warm', 0.3);
  const rates = {
    grouped: await measure(grouped.commit, 'g', 1),
    single: await measure(single.commit, 's', 0.5),
    batch: await measure(batch, 'b', 0.5),
  };
  grouped.close();
  single.close();
  client.close();
  await rm(directory, { recursive: true, force: true });
  console.log(JSON.stringify(rates));
}

await main();
