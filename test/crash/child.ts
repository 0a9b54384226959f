import { systemClock } from '../../src/core/lib/clock.ts';
import { openStore } from '../../src/core/store/store.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { migrations } from '../support/store.ts';
import { participantOf, register, workOf, writers } from './load.ts';

/** Commits until it is killed, and says on its output what was acknowledged: one `writer turn` a line. */
const [url, generation] = process.argv.slice(2) as [string, string];
const database = await openDatabase(url);
const store = openStore(database, { clock: systemClock, site: 'K', migrations });
store.join([participantOf(database)]);
await store.migrate();
await register(store);
process.stdout.write('ready\n');

async function write(writer: number): Promise<void> {
  for (let turn = 0; ; turn++) {
    const key = `${generation}.${writer}.${turn}`;
    await store.commit(workOf(await store.nextId('User'), key), { user: 'load' });
    process.stdout.write(`${key}\n`);
  }
}

await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
