import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { settingsFor, startServer } from '../../bench/runtimes.ts';

/**
 * `npm run fuzz:openapi -- --seconds 120`: a server, and requests that schemathesis makes of its openapi.json. Half of the
 * time they come from an administrator, and half from a user without roles. `--seed N` chooses operations and values, and
 * its default is the day. `--only WORD` takes the paths with that word. Faults are answers of 500, other statuses, types and
 * documents than the operation declares, and errors in the log.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 86_400_000)) },
    only: { type: 'string', default: '' },
  },
});
const [seed, seconds] = [Number(values.seed), Number(values.seconds)];
const version = 'schemathesis==4.32.5';
const cache = resolve('node_modules/.cache/schemathesis');
const bin = join(cache, 'venv/bin');
const password = 'password of the run';
/** Operations that a second takes, with some examples for each. */
const ofSecond = 2;
/**
 * Schemas that a body visits at most. The library walks all ways through documents that have each other, and does not come
 * to an end. Our own generators make those: `npm run fuzz`.
 */
const maxVisits = 2_000;
const accept = 'application/json, text/plain;q=0.9, */*;q=0.1';

/** Why an operation is left out. */
const leftOut = (path: string, summary: string): boolean =>
  // A stream of events has no end.
  path === '/event' ||
  // Routes of the original that all answer the same.
  summary.startsWith('Answers 501') ||
  // An answer without a document has the type of one, as that of the original.
  /^\/(?:user(?:\/\{name\})?|quota(?:\/\{\w+\})?|library(?:\/.*)?)$/.test(path) ||
  // A method that is no id is a path without a route, whose refusal has the form of the original's router.
  path === '/storage/{storage}/method/{method}' ||
  // The same handlers answer about notifications at every place.
  (path.includes('/notification') && !path.startsWith('/item/'));

type Json = Readonly<Record<string, unknown>>;
interface Operation {
  readonly summary: string;
  readonly requestBody?: unknown;
}
interface Api {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Json & { readonly schemas: Json };
}

/** The document with so many of its operations, in an order that the seed says: of all of them it takes minutes to read. */
function someOf(api: Api, count: number): Api {
  const all = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      path.includes(values.only) && !leftOut(path, operation.summary) ? [{ path, method, operation }] : [],
    ),
  );
  const shuffled = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), { seed, numRuns: 1 })[0]!;
  const paths: Record<string, Record<string, Operation>> = {};
  const { schemas, ...components } = api.components;
  const textOf = (part: unknown): string => JSON.stringify(part) ?? '';
  const namesIn = (text: string): readonly string[] =>
    Array.from(text.matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, name]) => name!);
  let visits = 0;
  const visit = (part: unknown, above: readonly string[]): void => {
    const text = textOf(part);
    // The library makes no values of it.
    if (text.includes('"not":')) visits = Number.POSITIVE_INFINITY;
    for (const name of namesIn(text)) {
      if (visits > maxVisits || above.includes(name)) continue;
      visits++;
      visit(schemas[name], [...above, name]);
    }
  };
  const fits = ({ requestBody }: Operation): boolean => {
    visits = 0;
    visit(requestBody, []);
    return visits <= maxVisits;
  };
  const fitting = shuffled.slice(0, count).filter(({ operation }) => fits(operation));
  for (const { path, method, operation } of fitting) paths[path] = { ...paths[path], [method]: operation };
  const reached = new Set<string>();
  const reach = (part: unknown): void => {
    for (const name of namesIn(textOf(part))) {
      if (reached.has(name)) continue;
      reached.add(name);
      reach(schemas[name]);
    }
  };
  reach([paths, components]);
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => reached.has(name)));
  return { ...api, paths, components: { ...components, schemas: kept } };
}

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** Seconds for all that a program does. The library looks at its own limit of time between requests alone. */
const maxSeconds = 120 + 2 * seconds;

function run(program: string, ...words: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  const child = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...{ timeout: maxSeconds * 1_000, killSignal: 'SIGKILL' },
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (out += bytes));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? 1, out })));
}

async function install(): Promise<void> {
  await mkdir(cache, { recursive: true });
  for (const [program, ...words] of [
    ['python3', '-m', 'venv', join(cache, 'venv')],
    [join(bin, 'pip'), 'install', '--quiet', version],
  ] as const) {
    const { code, out } = await run(program, ...words);
    if (code !== 0) throw new Error(`Expected ${version}: ${out}`);
  }
}

async function fuzz(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-openapi-'));
  const media = join(folder, 'media');
  await mkdir(media);
  const logPath = join(folder, 'log');
  const log = await open(logPath, 'w');
  const settings = settingsFor(folder, {
    ...{ PORTICO_HOST: '127.0.0.1', PORTICO_DATABASE: '', PORTICO_ADMIN_PASSWORD: password },
    // A busy machine has little room, and nothing may leave it.
    ...{ PORTICO_STORAGE_ROOTS: media, PORTICO_MIN_FREE_BYTES: '0', PORTICO_DELIVER: 'false' },
    // Requests also have credentials that are made up.
    PORTICO_LOGIN_DELAY_MOST: '0',
  });
  const server = await startServer(
    [process.execPath, '--enable-source-maps', 'scripts/portico.mjs', 'serve'],
    settings,
    log.fd,
  );
  const address = `http://127.0.0.1:${server.port}/API`;
  const ask = (caller: string, request: string, body?: unknown) => {
    const [method, path] = request.split(' ') as [string, string];
    const authorization = `Basic ${btoa(`${caller}:${password}`)}`;
    const headers = {
      authorization,
      accept,
      'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
    };
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    return fetch(address + path, { method, headers, ...(body !== undefined && { body: sent }) });
  };
  const given = async (request: string, body?: unknown) => {
    const answer = await ask('admin', request, body);
    if (!answer.ok) throw new Error(`Expected ${request}: ${answer.status} ${await answer.text()}`);
    return answer;
  };

  try {
    for (const userName of ['guest', 'plain']) await given('POST /user?passwordType=raw', { userName, password });
    await given('PUT /group/crew');
    const method = [{ uri: `file://${media}/`, read: true, write: true }];
    await given('POST /storage', { type: 'LOCAL', capacity: 1e9, method });
    for (const value of ['Hamburg', 'harbour'])
      await given('POST /import/placeholder?container=1', {
        timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value }] }] }],
      });
    await given('POST /import/raw?filename=a.txt', 'Hamburg');
    await given('POST /collection', { name: 'Hamburg' });
    const api = (await (await given('GET /openapi.json')).json()) as Api;
    const described = join(folder, 'openapi.json');
    await writeFile(described, JSON.stringify(someOf(api, (seconds / 2) * ofSecond)));
    let held = true;
    for (const caller of ['admin', 'guest']) {
      const { code, out } = await run(
        join(bin, 'schemathesis'),
        ...['--config-file', 'test/fuzz/openapi/schemathesis.toml', 'run', described, '--url', address],
        ...['--auth', `${caller}:${password}`, '--header', `Accept: ${accept}`, '--no-color', '--warnings', 'off'],
        ...['--phases', 'fuzzing', '--max-time', String(Math.ceil(seconds / 2)), '--max-examples', '5'],
        ...['--seed', String(seed), '--continue-on-failure', '--suppress-health-check', 'all'],
        ...['--request-timeout', '30', '--checks'],
        'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance',
      );
      const [, operations] = /Tested: (\d+)/.exec(out) ?? [];
      const [, requests] = /(\d+) generated/.exec(out) ?? [];
      const { status } = await ask(caller, 'GET /whoami');
      const isWell = code === 0 && status === 200 && operations !== undefined;
      held &&= isWell;
      console.log(
        `${isWell ? 'ok    ' : 'FAILED'} ${caller}: ${operations} operations, ${requests} requests, seed ${seed}`,
      );
      if (status !== 200) console.log(`Expected ${caller} to log in still: ${status}`);
      if (code !== 0) console.log(out.slice(-20_000));
    }
    const errors = (await readFile(logPath, 'utf8')).split('\n').filter((line) => line.includes('"level":"error"'));
    if (errors.length > 0) console.log(`Expected no errors in the log:\n${errors.join('\n').slice(0, 10_000)}`);
    return held && errors.length === 0;
  } finally {
    await server.stop();
    await log.close();
    await rm(folder, { recursive: true, force: true });
  }
}

if (!has('python3')) console.log('left out  schemathesis: python3 is not on the path');
else {
  await install();
  if (!(await fuzz())) process.exitCode = 1;
}
