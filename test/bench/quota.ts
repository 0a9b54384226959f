import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addItems, ask, askJson, authorization, each, fill, itemAt, prepareRoot } from './item-root.ts';
import { load, requestBytes } from './load.ts';
import type { Recorded, Replayed } from './recorded.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, runUnder, startService } from './runtimes.ts';

/** Cost of rules for the commits of others, and of a rule over many items for callers who ask for it. */
export async function benchQuota(runtime: RuntimeName): Promise<Row[]> {
  const rows: Row[] = [];
  for (const part of [benchRuledCommits, benchRules]) {
    const directory = await mkdtemp(join(tmpdir(), 'portico-quota-'));
    try {
      rows.push(...(await part(runtime, directory)));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
  return rows;
}

const upTo = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)';

/** Rules of one criterion each that nothing meets, of all kinds in turn. */
const unmet = ['collection', 'library', 'user', 'group', 'storage', 'storage_group', 'tag'];

function addUnmet(root: string, count: number): void {
  const columns = ['collection_id', 'library_id', 'user_id', 'group_id', 'storage_id', 'storage_group', 'tag'];
  const keys = ['collection', 'library', 'user', 'group', 'storage', 'storageGroup', 'tag'];
  const value = (at: number) => `CASE WHEN i % ${unmet.length} = ${at} THEN 'X-' || i END`;
  fill(root, (run) =>
    run(
      `${upTo} INSERT INTO quota_rule (id, serial, key, ${columns.join(', ')}, item_limit, storage_limit, marked, counted,
          update_frequency, due)
        SELECT 'X-' || i, i, CASE i % ${keys.length} ${keys.map((key, at) => `WHEN ${at} THEN '${key}:X-' || i`).join(' ')} END,
          ${columns.map((_, at) => value(at)).join(', ')}, 5, 5, 1, 1, 3600, 9000000000000000 FROM n`,
      count,
    ),
  );
}

/** Five that an item of the administrator meets: two of no criterion, two of its owner, one of a collection or group. */
function addMet(root: string, collection: string | undefined): void {
  const group = `(SELECT min(group_id) FROM group_user WHERE user_id = user.id)`;
  const last = collection === undefined ? ['group', group] : ['collection', `'${collection}'`];
  const rules = [
    ...[1, 2].map(() => [`'any'`, 'NULL', 'NULL', 'NULL']),
    ...[3, 4].map(() => [`'user:' || user.id`, 'user.id', 'NULL', 'NULL']),
    [`'${last[0]}:' || ${last[1]}`, 'NULL', ...(collection === undefined ? [last[1], 'NULL'] : ['NULL', last[1]])],
  ];
  fill(root, (run) => {
    for (const [at, columns] of rules.entries()) {
      run(
        `INSERT INTO quota_rule (id, serial, key, user_id, group_id, collection_id, item_limit, storage_limit, marked,
            counted, update_frequency, due)
          SELECT 'M-' || ?1, 100000 + ?1, ${columns.join(', ')}, 1000000000, 1000000000, 1, 1, 3600, 9000000000000000
          FROM user WHERE name = 'admin'`,
        at,
      );
    }
  });
}

/** The commits that make an item, and that put one into a collection, beside rules. */
async function benchRuledCommits(
  runtime: RuntimeName,
  directory: string,
  rounds = 3,
  count = 2560,
): Promise<readonly Row[]> {
  const root = join(directory, 'none');
  const like = await prepareRoot(runtime, root, 3);
  addItems(root, like, count, false);
  const first = await startService(runtime, root);
  const { id } = await askJson(first, 'POST /API/collection?name=bench', {});
  await first.stop();
  const kinds: Readonly<Record<'made' | 'joined', (at: number) => Recorded>> = {
    made: () => ({ method: 'POST', path: '/API/import/placeholder' }),
    joined: (at) => ({ method: 'PUT', path: `/API/collection/${id}/${itemAt(at)}` }),
  };
  for (const name of ['made', 'joined'] as const) {
    const file = join(directory, `${name}.json`);
    await writeFile(file, JSON.stringify(Array.from({ length: count }, (_, at) => kinds[name](at))));
    const copy = join(directory, `${name}-root`);
    await cp(root, copy, { recursive: true });
    await runUnder(runtime, 'test/bench/recorded.ts', ['record', copy, file]);
  }
  for (const name of ['made hundred', 'joined hundred', 'many']) {
    await cp(root, join(directory, name), { recursive: true });
    addUnmet(join(directory, name), name === 'many' ? 10_000 : 95);
  }
  addMet(join(directory, 'made hundred'), undefined);
  addMet(join(directory, 'joined hundred'), id);

  const ratios: Record<string, number[]> = {};
  for (let round = 0; round <= rounds; round++) {
    for (const name of ['made', 'joined']) {
      const words = (rules: string) => ['replay', join(directory, rules), join(directory, `${name}.json`)];
      const cost = async (rules: string) =>
        (await runUnder<Replayed>(runtime, 'test/bench/recorded.ts', words(rules))).cpu;
      // There and back again, so that a slow moment of the machine hits all of them. The first round warms up.
      const met = `${name} hundred`;
      const [none, hundred, many] = [await cost('none'), await cost(met), await cost('many')];
      const [manyAgain, hundredAgain, noneAgain] = [await cost('many'), await cost(met), await cost('none')];
      if (round === 0) continue;
      const keep = (rules: string, one: number, other: number) => {
        ratios[`${name} ${rules}`] = [...(ratios[`${name} ${rules}`] ?? []), (none + noneAgain) / (one + other)];
      };
      keep('hundred', hundred, hundredAgain);
      keep('many', many, manyAgain);
    }
  }
  const says = { made: 'commit of a new item', joined: 'commit of an item that joins a collection' };
  return (['made', 'joined'] as const).flatMap((name) => [
    {
      name: `${says[name]}, with 100 rules of which 5 match, against none`,
      ratio: median(ratios[`${name} hundred`]!),
      floor: 0.8,
    },
    {
      name: `${says[name]}, with 10,000 rules that do not match, against none`,
      ratio: median(ratios[`${name} many`]!),
      floor: 0.9,
    },
  ]);
}

const [few, many] = [100, 1_000_000];
const connections = 64;

/** Files of the items, one each, on a storage that has no method. */
function addFiles(root: string, count: number): void {
  fill(root, (run) => {
    run(`INSERT INTO storage (id, serial, type, state, capacity, auto_detect, low_watermark, high_watermark,
        scan_interval, show_importables, priority, rest, version, created_at)
      VALUES ('VX-9', 9, 'LOCAL', 'NONE', 1000000, 0, 100, 100, 60, 1, 'MEDIUM', '{}', 1, 0)`);
    run(
      `${upTo} INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, size, changed_at,
          timestamp, version)
        SELECT 'VX-' || (1000000 + i), 1000000 + i, 'VX-9', printf('%07d.mov', i), '', printf('%07d.mov', i), 'mov',
          'CLOSED', i, 0, 0, 1 FROM n`,
      count,
    );
    run(
      `${upTo} INSERT INTO file_use (file_id, item_id, shape_id, component_id)
        SELECT 'VX-' || (1000000 + i), 'VX-' || (999999 + i), 'VX-' || i, 'VX-' || i FROM n`,
      count,
    );
  });
}

/** A rule over many items against a rule over a few. */
async function benchRules(runtime: RuntimeName, directory: string, rounds = 5, seconds = 0.7): Promise<readonly Row[]> {
  const root = join(directory, 'root');
  addItems(root, await prepareRoot(runtime, root, 3), many, false);
  addFiles(root, many);
  // A count is told, however long it takes.
  const server = await startService(runtime, root, { PORTICO_QUERY_SECONDS: '600' });
  const rates = { few: [] as number[], many: [] as number[] };
  const took: number[] = [];
  try {
    const { id: collection } = await askJson(server, 'POST /API/collection?name=bench', {});
    await each(few, (at) => ask(server, `PUT /API/collection/${collection}/${itemAt(at)}`), 8);
    const resource = ['item', 'storage'].map((name) => ({ name, limit: 1 }));
    const add = async (rule: object) => (await askJson(server, 'POST /API/quota', { resource, ...rule }))['id']!;
    const rules = { few: await add({ collection }), many: await add({ user: 'admin' }) };
    const requests = {
      few: requestBytes('GET', `/API/quota/${rules.few}`, { authorization, accept: 'application/json' }),
      many: requestBytes('GET', `/API/quota/${rules.many}`, { authorization, accept: 'application/json' }),
    };
    for (let round = 0; round <= rounds; round++) {
      for (const side of round % 2 === 0 ? (['few', 'many'] as const) : (['many', 'few'] as const)) {
        const { perSecond } = await load({ port: server.port, connections, seconds, next: () => requests[side] });
        if (round > 0) rates[side].push(perSecond);
      }
    }
    for (let round = 0; round < 3; round++) {
      const began = performance.now();
      await ask(server, `PUT /API/quota/${rules.many}/evaluate`);
      took.push((performance.now() - began) / 1000);
    }
  } finally {
    await server.stop();
  }
  const ratio = median(rates.many.map((rate, round) => rate / rates.few[round]!));
  const items = many.toLocaleString('en');
  return [
    { name: `a rule over ${items} items, against one over ${few}`, ratio, floor: 0.8, perSecond: median(rates.many) },
    { name: `counting a rule over ${items} items with their files again, seconds`, value: median(took) },
  ];
}
