import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initialise } from '../../src/administration/operations/initialise.ts';
import { systemClock } from '../../src/core/lib/clock.ts';
import { systemActor } from '../../src/core/store/contract.ts';
import { openStore } from '../../src/core/store/store.ts';
import { scrypt } from '../../src/entry/crypto.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { releaseRoles } from '../support/declared.ts';
import { type DirectorySize, fillDirectory, largeDirectory } from '../support/many-rows.ts';
import { migrations } from '../support/store.ts';
import { load, requestBytes } from './load.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, type Started, startService } from './runtimes.ts';

const connections = 64;
const callers = 100;
const password = 'bench';

interface Side {
  readonly server: Started;
  /** The bytes of one request of each caller. */
  readonly requests: readonly Buffer[];
}

/** Everybody has the same password, whose hash is as cheap as can be: each caller is verified once, then remembered. */
async function cheapHash(): Promise<string> {
  const salt = new Uint8Array(16);
  const hash = await scrypt(password, salt, { cost: 1, block: 1, parallel: 1 }, 32);
  const text = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes)).replace(/=+$/, '');
  return `$scrypt$ln=1,r=1,p=1$${text(salt)}$${text(hash)}`;
}

async function open(runtime: RuntimeName, root: string, size: DirectorySize): Promise<Side> {
  const store = openStore(await openDatabase(`file:${join(root, 'portico.db')}`), {
    clock: systemClock,
    site: 'B',
    migrations,
  });
  await store.migrate();
  await initialise({ store, clock: systemClock, roles: releaseRoles, fields: [] }, systemActor);
  await fillDirectory(store, size);
  const change = { sql: 'UPDATE user SET password = ?', args: [await cheapHash()] };
  await store.commit({ changes: [change], events: [] }, systemActor);
  await store.close();
  // As many in both, as far apart as they can be; none of them is one of every tenth, who are disabled.
  const names = Array.from(
    { length: callers },
    (_, index) => `user-${String(1 + index * (size.users / callers)).padStart(6, '0')}`,
  );
  // Only somebody with a role gets an answer, and the role comes from the top of a chain of groups.
  const requests = names.map((name) =>
    requestBytes('GET', `/API/user/${names.at(-1)}/realname`, {
      authorization: `Basic ${btoa(`${name}:${password}`)}`,
    }),
  );
  const server = await startService(runtime, root);
  return { server, requests };
}

function rateOf({ server, requests }: Side, seconds: number): Promise<number> {
  let turn = 0;
  const next = () => requests[turn++ % requests.length]!;
  return load({ port: server.port, connections, seconds, next }).then(({ perSecond }) => perSecond);
}

/** The same chain of groups above each caller in both, so that what differs is how much there is besides. */
export async function benchRoles(runtime: RuntimeName, rounds = 5, seconds = 1): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const small = { ...largeDirectory, users: callers * 10, groups: largeDirectory.chainLength };
  const large = await open(runtime, join(directory, 'large'), largeDirectory);
  const empty = await open(runtime, join(directory, 'empty'), small);
  const rates = { large: [] as number[], empty: [] as number[] };
  // Sides alternate, so that a slow moment of the machine hits both. The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    const [without, within] = [await rateOf(empty, seconds), await rateOf(large, seconds)];
    if (round === 0) continue;
    rates.empty.push(without);
    rates.large.push(within);
  }
  await Promise.all([large.server.stop(), empty.server.stop()]);
  await rm(directory, { recursive: true, force: true });
  return [
    {
      name: 'effective roles with 100,000 users and 10,000 nested groups against an empty database',
      ratio: median(rates.large.map((rate, round) => rate / rates.empty[round]!)),
      floor: 0.8,
      perSecond: median(rates.large),
    },
  ];
}
