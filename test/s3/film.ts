import { execFileSync, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setInterval } from 'node:timers/promises';
import { sqldBinary, startPreparedSqld } from '../support/sqld.ts';
import { hasMiniflare, serveByWorkerd } from '../support/workerd.ts';
import { answers, run } from './gateway.ts';
import type { StoreKey } from './store.ts';

const password = 'password of the operator';
/** Calls of an invocation on the free plan. */
const maxCalls = 50;
/** Milliseconds for which work goes on behind an answer. */
const maxBehind = 30_000;
/** Milliseconds between calls of the timer, which stands for the one of the platform: that calls once a minute. */
const tickEvery = 2_000;
/** Milliseconds until a job has hung. */
const longest = 900_000;

/** Program that is missing for the film. Undefined: none. */
export async function lackOfFilm(): Promise<string | undefined> {
  if (!hasMiniflare) return 'workerd, which `npm run test:runtimes` installs';
  if (sqldBinary() === undefined) return 'a libSQL server for this machine';
  return (await answers('ffmpeg', '-version')) ? undefined : 'ffmpeg';
}

/** Calls of one invocation of the Worker. */
interface Invocation {
  readonly name: string;
  readonly calls: number;
  readonly behind: number;
}

/**
 * Module in front of the Worker: it counts the calls of each invocation, and refuses those above the limit as the free
 * plan does. It stands for the timer, too.
 */
const counting = `
import { AsyncLocalStorage } from 'node:async_hooks';
import portico from './portico.mjs';

const invocations = new AsyncLocalStorage();
const network = globalThis.fetch;
const seen = [];
globalThis.fetch = (...given) => {
  const invocation = invocations.getStore();
  if (invocation && ++invocation.calls > ${maxCalls}) throw new Error('Too many subrequests by single Worker invocation');
  return network(...given);
};
const within = async (name, work) => {
  const invocation = { name, calls: 0, behind: 0 };
  seen.push(invocation);
  return invocations.run(invocation, () => work(invocation));
};
export default {
  async fetch(request, environment, context) {
    const { pathname } = new URL(request.url);
    if (pathname === '/test/seen') return Response.json(seen.splice(0));
    if (pathname === '/test/tick') {
      await within('tick', () => portico.scheduled(undefined, environment));
      return new Response();
    }
    const name = request.method + ' ' + pathname.replace(/[A-Za-z]+-\\d+/g, '%').replace(/task\\/[^/]+/, 'task/%');
    return within(name, async (invocation) => {
      let answered = Date.now();
      const waitUntil = (work) => context.waitUntil(work.finally(() => { invocation.behind = Date.now() - answered; }));
      const answer = await portico.fetch(request, environment, { waitUntil });
      answered = Date.now();
      return answer;
    });
  },
};
`;

interface Job {
  readonly jobId: string;
  readonly status: string;
  readonly data?: readonly { readonly key: string; readonly value: string }[];
}

/** A film that no browser plays, of more bytes than one request of most clients has. */
async function makeFilm(path: string): Promise<void> {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25', '-f', 'lavfi', '-i', 'sine=frequency=440'];
  const form = ['-c:v', 'mpeg4', '-b:v', '24M', '-minrate', '24M', '-c:a', 'pcm_s16le', '-t', '34', path];
  await run('ffmpeg', ['-v', 'error', '-y', ...source, ...form], { timeout: 300_000 });
}

/**
 * Imports a film of 50 MB by a Worker with a runner and a real store, until it can be played. Answers what was found
 * wrong, and says what it took.
 */
export async function filmOnEdge(
  store: StoreKey & { readonly endpoint: string; readonly bucket: string },
  say: (line: string) => void,
): Promise<readonly string[]> {
  const root = await mkdtemp(join(tmpdir(), 'portico-film-'));
  const closing: (() => unknown)[] = [() => rm(root, { recursive: true, force: true })];
  try {
    const film = join(root, 'film.mov');
    await makeFilm(film);
    const database = await startPreparedSqld({ PORTICO_ADMIN_PASSWORD: password });
    closing.push(() => database.stop());
    const folder = join(root, 'worker');
    await mkdir(folder);
    const words = ['src/entry/cli.ts', 'bundle', join(folder, 'portico.mjs'), '--root', root];
    execFileSync(process.execPath, ['--import', 'tsx', ...words]);
    await writeFile(join(folder, 'main.mjs'), counting);
    const bindings = {
      PORTICO_DATABASE: database.url,
      PORTICO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      PORTICO_OUTBOUND_ALLOW: '127.0.0.1',
      PORTICO_LOG_LEVEL: process.env['FILM_LOG'] ?? 'error',
      PORTICO_DATABASE_TIMEOUT: '60000',
    };
    const worker = await serveByWorkerd(folder, bindings);
    closing.push(() => worker.stop());
    return await imported({ origin: worker.origin, film, store, say, closing });
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

interface Parts {
  readonly origin: string;
  readonly film: string;
  readonly store: StoreKey & { readonly endpoint: string; readonly bucket: string };
  readonly closing: (() => unknown)[];
  say(line: string): void;
}

/** Resolves when the runner says that the service knows it. */
const registered = (output: Readable): Promise<void> =>
  new Promise((resolve, reject) => {
    createInterface(output)
      .on('line', (line) => line.includes('runner-registered') && resolve())
      .on('close', () => reject(new Error('Expected the runner to register')));
  });

async function imported({ origin, film, store, say, closing }: Parts): Promise<readonly string[]> {
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  const ask = async (method: string, path: string, body?: BodyInit, type = 'application/json') => {
    const headers = { authorization, accept: 'application/json', ...(body && { 'content-type': type }) };
    const answer = await fetch(`${origin}${path}`, { method, headers, ...(body && { body }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  await ask('PUT', '/APIinit/preset-templates');
  const { accessKey, secret, endpoint, region, bucket } = store;
  const uri = `s3://${accessKey}:${secret}@${bucket}/film-${Date.now().toString(36)}/?endpoint=${endpoint}&region=${region}`;
  const method = [{ uri, read: true, write: true, browse: true }];
  await ask('POST', '/API/storage', JSON.stringify({ type: 'LOCAL', capacity: 1e12, method }));
  const user = { userName: 'oslo', groupList: { group: [{ groupName: '_runner' }] } };
  await ask('POST', '/API/user', JSON.stringify(user));
  const answer = await fetch(`${origin}/API/user/oslo/token?seconds=86400`, {
    headers: { authorization, accept: 'text/plain' },
  });
  const line = [
    'src/entry/cli.ts',
    'runner',
    '--url',
    `${origin}/API`,
    '--token',
    await answer.text(),
    '--name',
    'oslo',
  ];
  const runner = spawn(process.execPath, ['--import', 'tsx', ...line], { stdio: ['ignore', 'pipe', 'inherit'] });
  closing.push(() => runner.kill('SIGKILL'));
  await registered(runner.stdout);

  await ask('GET', '/test/seen');
  const began = Date.now();
  const bytes = new Uint8Array(await readFile(film));
  say(`film: ${(await stat(film)).size} bytes`);
  const { jobId } = (await ask(
    'POST',
    '/API/import/raw?filename=film.mov&tag=__mp4',
    bytes,
    'application/octet-stream',
  )) as Job;
  let job: Job | undefined;
  const invocations: Invocation[] = [];
  const statuses = new Set<string>();
  for await (const _ of setInterval(tickEvery)) {
    job = (await ask('GET', `/API/job/${jobId}?metadata=true&step=true`)) as Job;
    for (const [, status = ''] of JSON.stringify(job).matchAll(/"status":"(\w+)"/g)) statuses.add(status);
    invocations.push(...((await ask('GET', '/test/seen')) as Invocation[]));
    if (!['READY', 'STARTED', 'WAITING'].includes(job.status) || Date.now() - began > longest) break;
    await ask('GET', '/test/tick').catch(() => undefined);
  }
  const { status, data = [] } = job!;
  const seconds = Math.round((Date.now() - began) / 1000);
  const wrong: string[] = [];
  const expected = (what: string, holds: boolean, found: unknown) => {
    say(`${holds ? 'ok      ' : 'FAILED  '}${what}: ${JSON.stringify(found)}`);
    if (!holds) wrong.push(`${what}: ${JSON.stringify(found)}`);
  };
  const most = new Map<string, Invocation & { count: number; total: number }>();
  for (const each of invocations) {
    const { count = 0, total = 0, calls = 0, behind = 0 } = most.get(each.name) ?? {};
    most.set(each.name, {
      ...{ name: each.name, count: count + 1, total: total + each.calls },
      ...{ calls: Math.max(calls, each.calls), behind: Math.max(behind, each.behind) },
    });
  }
  for (const { name, calls, behind, count, total } of most.values())
    say(`        ${name}: ${count} times, ${total} calls, at most ${calls}, and ${behind} ms behind the answer`);
  expected(`the job ends well (${seconds} s)`, status === 'FINISHED', status);
  if (wrong.length > 0) say(JSON.stringify(job, null, 1));
  expected(
    `an invocation has at most ${maxCalls} calls`,
    [...most.values()].every(({ calls }) => calls < maxCalls),
    Math.max(...[...most.values()].map(({ calls }) => calls)),
  );
  expected(
    'work ends in time behind an answer',
    [...most.values()].every(({ behind }) => behind < maxBehind),
    Math.max(...[...most.values()].map(({ behind }) => behind)),
  );
  expected('no step disappears', !statuses.has('DISAPPEARED'), [...statuses]);
  const item = data.find(({ key }) => key === 'itemId')?.value;
  const seen = JSON.stringify(await ask('GET', `/API/item/${item}?content=thumbnail,shape`));
  expected(
    'the film has thumbnails',
    (seen.match(/thumbnail\/[^"]*image/g) ?? []).length >= 5 || /"uri":\[".*thumbnail/.test(seen),
    seen.slice(0, 200),
  );
  const made = (await ask('GET', `/API/item/${item}/uri?tag=__mp4`)) as { uri?: string[] };
  expected('the film has a playable form', (made.uri ?? []).length > 0, made.uri);
  return wrong;
}
