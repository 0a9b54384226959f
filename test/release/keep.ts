import { readFileSync } from 'node:fs';
import { isRecord } from '../../src/core/lib/checks.ts';
import type { Database } from '../../src/core/store/contract.ts';
import { connect } from '../../src/entry/native/connection.ts';
import { rules } from '../security/roles/rules.ts';
import { openBehind, type Sent, type World } from '../support/matrix.ts';
import { testRandom } from '../support/random.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import { fill } from '../support/world.ts';
import { type KeptCall, keepFiles, keepFirstSchemas, withCopy } from './databases.ts';

/** Runs work with a service over the database, which is closed then. */
export async function serving<T>(database: Database, run: (world: World) => Promise<T>, seed = 1): Promise<T> {
  const ends: (() => Promise<void>)[] = [];
  const world = await openBehind('fetch', { database, random: testRandom(seed) }, (end) => ends.push(end));
  try {
    return await run(world);
  } finally {
    for (const end of ends) await end();
  }
}

const accept = 'application/json, text/*;q=0.5';

/** Undefined where the answer is a refusal, or has no text. */
export async function answerOf(world: World, request: string): Promise<unknown> {
  const { status, headers, body } = await world.send({ as: admin, request, headers: { accept } });
  const type = headers.get('content-type') ?? '';
  if (status >= 300 || body === '') return undefined;
  if (type === 'application/json') return JSON.parse(body);
  return type.startsWith('text/') ? body : undefined;
}

/** Parts of an answer that are gone or others. New properties are none of them. */
export function lacking(before: unknown, now: unknown, at = ''): readonly string[] {
  if (Array.isArray(before) && Array.isArray(now) && before.length === now.length)
    return before.flatMap((each, index) => lacking(each, now[index], `${at}/${index}`));
  if (isRecord(before) && isRecord(now))
    return Object.entries(before).flatMap(([key, value]) => lacking(value, now[key], `${at}/${key}`));
  return before === now ? [] : [`${at}: ${JSON.stringify(before)}, now ${JSON.stringify(now)}`];
}

/**
 * Calls for lists of the program itself. They grow with it: CONFORM is a job with steps, work closes files between scans,
 * and extensions get migrations. What was in them stays in them.
 */
const growing = /^GET \/API\/(?:migration|task-definition|vidispine-service(?:\/stacktrace)?)$/;

const partsOf = (list: unknown): readonly unknown[] =>
  typeof list === 'string' ? list.split('\r\n') : isRecord(list) ? Object.values(list).flat() : [];

/** As `lacking`, where a new entry in a list of the program is no loss. */
export function lackingFor(request: string, before: unknown, now: unknown): readonly string[] {
  if (!growing.test(request)) return lacking(before, now);
  const [kept, found] = [partsOf(before), partsOf(now)];
  return kept
    .filter((each) => !found.some((other) => lacking(each, other).length === 0))
    .map((each) => `: ${JSON.stringify(each)} is gone`);
}

const by = (request: string, body?: Sent['body']): Sent => ({ as: admin, request, body });
const call = { action: { http: { url: 'https://example.com/told', method: 'POST', synchronous: false } } };

/** The work of a client. Rules of `test/security/roles` make what is rarer. */
const made: readonly Sent[] = [
  by('PUT /API/metadata-field/x_note', { type: 'string' }),
  by('POST /API/import/placeholder?container=1', {
    timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: 'Harbour' }] }] }],
  }),
  by('PUT /API/item/VX-1/metadata', {
    timespan: [{ start: '10@PAL', end: '20@PAL', field: [{ name: 'x_note', value: [{ value: 'a tug' }] }] }],
  }),
  by('POST /API/item/VX-1/access', { user: 'ann', permission: 'WRITE' }),
  by('POST /API/collection?name=Ships'),
  by('POST /API/item/notification', { ...call, trigger: { item: { create: {} } } }),
  by('POST /API/item/VX-1/share', {}),
];

/** Routes about the program, whose answers each version has of its own. */
const ofProgram =
  /^GET \/(?:APInoauth\/)?(?:application|health|log|metrics|openapi|schema\.|security|selftest|setting|ui|version|work)/;
const reading = rules.filter(
  ({ route, allowed }) => allowed === undefined && route.startsWith('GET') && !ofProgram.test(route),
);
const writing = rules.filter(
  ({ route, allowed, rows }) => allowed === undefined && !rows && /^(?:POST|PUT)/.test(route),
);
const keeper = (index: number): string => `keeper-${index}`;

/** Writes a database with something of every kind, and the answers to calls that read it. Says what is missing. */
export async function keep(version: string): Promise<string> {
  const bytes = await withCopy(new Uint8Array(), async (database, path) => {
    await serving(database, async (world) => {
      await fill(world, ['access', 'assets', 'definitions', 'files', 'jobs', 'schedules', 'storages']);
      await prepare(world, made);
      for (const [index, { given, rows, request }] of [...reading, ...writing].entries()) {
        await prepare(world, given?.(keeper(index)));
        await rows?.(world, keeper(index), 'admin');
        if (index >= reading.length) await world.send({ as: admin, ...request(keeper(index)) });
      }
    });
    const connection = connect(path, { busyTimeout: 0 });
    connection.prepare(`VACUUM INTO '${path}.whole'`).run([]);
    connection.close();
    return readFileSync(`${path}.whole`);
  });
  const requests = reading.map(({ request }, index) => request(keeper(index)).request);
  const answersBy = (seed: number, asked: readonly string[]) =>
    withCopy(bytes, (database) =>
      serving(
        database,
        async (world) => {
          const answers = new Map<string, unknown>();
          for (const request of asked) answers.set(request, await answerOf(world, request));
          return answers;
        },
        seed,
      ),
    );
  // Answers that chance has a part in, or other calls, differ here.
  const other = await answersBy(2, requests.toReversed());
  const all = Array.from(await answersBy(1, requests), ([request, answer]): KeptCall => ({ request, answer }));
  const kept = all.filter(
    ({ request, answer }) => answer !== undefined && lacking(answer, other.get(request)).length === 0,
  );
  keepFiles(version, bytes, kept);
  await keepFirstSchemas(version);
  const left = all.filter((each) => !kept.includes(each)).map(({ request }) => request);
  const empty = await withCopy(bytes, emptyTables);
  return `${kept.length} answers of ${version}, without:\n${left.join('\n')}\nTables without a row: ${empty.join(', ')}\n`;
}

async function emptyTables(database: Database): Promise<readonly string[]> {
  const names = await database.read(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE "%' ORDER BY name`,
  );
  const empty: string[] = [];
  for (const [name] of names)
    if ((await database.read(`SELECT 1 FROM "${name}" LIMIT 1`)).length === 0) empty.push(`${name}`);
  return empty;
}
