import {
  afterAll,
  beforeAll,
  describe,
  onTestFinished,
  type RunnerTestSuite as Suite,
  type RunnerTestCase as Test,
} from 'vitest';
import { listenOnNode } from '../../src/entry/listen-node.ts';
import { isLong } from './long.ts';
import { tellSeed } from './random.ts';
import { type Credentials, openService, type ServiceOptions, type TestService } from './service.ts';

type Collector = { collect(file: never): Promise<Suite> };

/**
 * Suites with the same tests keep every second one. A test that only one of them has stays. `mayShare` is
 * asked when both have told their tests.
 */
function shareTests(one: object, other: object, mayShare: () => boolean): void {
  const collected: Suite[] = [];
  for (const collector of [one, other] as Collector[]) {
    const collect = collector.collect.bind(collector);
    collector.collect = async (file) => {
      const suite = await collect(file);
      collected.push(suite);
      if (collected.length === 2 && mayShare()) share(collected[0]!, collected[1]!);
      return suite;
    };
  }
}

function share(one: Suite, other: Suite): void {
  const theirs = testsOf(other);
  let shared = 0;
  const dropped = new Set<Test>();
  for (const [path, test] of testsOf(one)) {
    const twin = theirs.get(path);
    if (twin) dropped.add(shared++ % 2 === 0 ? twin : test);
  }
  for (const suite of [one, other]) keepWithout(suite, dropped);
}

/** By their names, and those of the suites around them. */
function testsOf(suite: Suite, path = '', found = new Map<string, Test>()): Map<string, Test> {
  for (const task of suite.tasks) {
    const own = `${path} > ${task.name}`;
    if (task.type === 'suite') testsOf(task, own, found);
    else {
      let number = 0;
      while (found.has(`${own} ${number}`)) number++;
      found.set(`${own} ${number}`, task);
    }
  }
  return found;
}

/** A suite that is left without tests is skipped: the runner takes it for a mistake. */
function keepWithout(suite: Suite, dropped: ReadonlySet<Test>): void {
  suite.tasks = suite.tasks.filter((task) => task.type === 'suite' || !dropped.has(task));
  for (const task of suite.tasks) if (task.type === 'suite') keepWithout(task, dropped);
  suite.tasks = suite.tasks.filter((task) => task.type !== 'suite' || task.tasks.length > 0);
  if (suite.tasks.length === 0) suite.mode = 'skip';
}

export interface Sent {
  /** Method and target: `POST /API/user`, or the whole address that an answer named. */
  readonly request: string;
  readonly as?: Credentials | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** An object is sent as JSON. */
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | object | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export interface World extends TestService {
  send(sent: Sent): Promise<Answer>;
}

export type EntryName = 'fetch' | 'socket';

export interface Entry {
  readonly name: EntryName;
  /** A service behind this entry. It ends with the test, which fails if the log has an error that it did not expect. */
  open(options?: ServiceOptions): Promise<World>;
}

interface MatrixEntry extends Entry {
  /** World for all tests of a suite, each of which names what it makes by itself. */
  shared(fill: (world: World) => Promise<unknown>): () => World;
}

/**
 * Each promise is kept twice: by the pure Fetch entry, and by a real listener in front of the same service. `npm test`
 * tries every second one by each of them, and `npm run test:long` all by both. Tests that share a service may
 * need those before them, so all of them are tried by both.
 * An error that nobody handled fails the run; one that was only logged fails the test.
 */
export function describeMatrix(title: string, suite: (entry: MatrixEntry) => void): void {
  let isShared = false;
  const describeBehind = (name: EntryName): object =>
    describe(`${title} (${name})`, () => {
      const shared: MatrixEntry['shared'] = (fill) => {
        isShared = true;
        return sharedWorld(name, fill);
      };
      suite({ name, open: (options) => openWorld(name, options), shared });
    });
  const [one, other] = [describeBehind('fetch'), describeBehind('socket')];
  if (!isLong) shareTests(one, other, () => !isShared);
}

/**
 * The share of an entry in a table of all routes: every second row, and in `npm test` every fourth one. What a route asks
 * for is decided behind both entries, and to try each route by both of them takes minutes.
 */
export const shareOf = <T>({ name }: MatrixEntry, rows: readonly T[]): T[] =>
  name === 'fetch' ? everyOne(rows, 0) : everyOne(rows, 1);

const everyOne = <T>(rows: readonly T[], rest: 0 | 1): T[] =>
  rows.filter((_, at) => (isLong ? at % 2 === rest : at % 4 === rest * 3));

function sharedWorld(name: EntryName, fill: (world: World) => Promise<unknown>): () => World {
  const ends: (() => Promise<unknown>)[] = [];
  let world: World | undefined;
  beforeAll(async () => {
    world = await openBehind(name, {}, (end) => ends.push(end));
    await fill(world);
  });
  afterAll(async () => {
    for (const end of ends.splice(0)) await end();
    // The runner keeps all suites until its end: each of them would keep a service of two megabytes.
    world = undefined;
  });
  return () => world!;
}

export function openWorld(name: EntryName, options: ServiceOptions = {}): Promise<World> {
  tellSeed();
  return openBehind(name, options, onTestFinished);
}

export async function openBehind(
  name: EntryName,
  options: ServiceOptions,
  atEnd: (end: () => Promise<void>) => unknown,
): Promise<World> {
  const opened = await openService(options);
  const { fetch } = opened.service;
  if (name === 'fetch') {
    atEnd(() => opened.close());
    return { ...opened, send: async (sent) => answerOf(await fetch(requestOf('http://portico.test', sent))) };
  }
  const listener = await listenOnNode(fetch, { host: '127.0.0.1', port: 0, requestTimeout: 10 });
  atEnd(async () => {
    await listener.stop(0);
    await opened.close();
  });
  const origin = `http://127.0.0.1:${listener.port}`;
  return { ...opened, send: async (sent) => answerOf(await globalThis.fetch(requestOf(origin, sent))) };
}

/** A listener in front of a service, for what only raw bytes can say. */
export async function listenFor(world: TestService): Promise<number> {
  const listener = await listenOnNode(world.service.fetch, { host: '127.0.0.1', port: 0, requestTimeout: 10 });
  onTestFinished(() => listener.stop(0));
  return listener.port;
}

export function basic([user, password]: Credentials): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

export function requestOf(origin: string, { request, as, headers = {}, body }: Sent): Request {
  const blank = request.indexOf(' ');
  const isPlainObject = typeof body === 'object' && !(body instanceof Uint8Array) && !(body instanceof ReadableStream);
  const init: RequestInit & { duplex: 'half' } = {
    method: request.slice(0, blank),
    headers: {
      ...(as ? { authorization: basic(as) } : {}),
      ...(isPlainObject ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    duplex: 'half',
  };
  if (body !== undefined) init.body = isPlainObject ? JSON.stringify(body) : body;
  const target = request.slice(blank + 1);
  const made = new Request(target.startsWith('http') ? target : `${origin}${target}`, init);
  // Removes the type that a request with text gets unasked: the tests are about what a client says.
  if (typeof body === 'string' && headers['content-type'] === undefined) made.headers.delete('content-type');
  return made;
}

async function answerOf(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, body: await response.text() };
}
