import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { requestBytes } from '../bench/load.ts';
import { judge } from './again.ts';
import type { Flood } from './flood.ts';
import { floods } from './floods.ts';
import { callOnAndOn, comeIn } from './honest.ts';
import { measure } from './measure.ts';
import { readOptions } from './options.ts';
import { brokenBy, type Measured, promises } from './promises.ts';
import { exchange, loopback, read } from './target.ts';

const calls = { took: [1, 2, 3], wrong: 0, later: 0, failed: 0, late: [0] };

/** A flood that breaks no promise. */
const good: Measured = {
  flood: 'paths',
  alone: 2,
  hash: 200,
  tally: { sent: 100, statuses: { 401: 100 }, cut: 0, hidden: 0, told: 0 },
  remembered: calls,
  token: calls,
  newcomers: { ...calls, took: [300], known: [{ name: 'newcomer-0', address: '198.51.100.20' }] },
  jobs: { alone: 100, took: [20, 6_000] },
  searches: { ...calls, alone: 2 },
  streams: calls,
  stop: 6_000,
  turn: 20,
  maxTurnLength: 200,
  refused: 100,
  audit: { told: 100, logins: 1, recorded: 1, goesOn: 1_000 },
  memory: { before: 200, max: 300, after: 250 },
  recovered: 200,
};

/** For each promise the least that breaks it, and nothing else. */
const bad: Readonly<Record<string, readonly Measured[]>> = {
  'right-credentials': [
    { ...good, token: { ...calls, wrong: 1 } },
    { ...good, newcomers: { ...good.newcomers, wrong: 1 } },
  ],
  'no-waiting': [{ ...good, remembered: { ...calls, later: 1 } }],
  newcomers: [
    { ...good, newcomers: { ...good.newcomers, took: [7_001] } },
    { ...good, newcomers: { ...good.newcomers, failed: 1 } },
    { ...good, newcomers: { ...good.newcomers, took: [] } },
  ],
  'jobs-in-turn': [
    { ...good, jobs: { alone: 100, took: [20, 6_001] } },
    { ...good, jobs: { alone: 100, took: [] } },
  ],
  'plain-searches': [
    { ...good, searches: { ...good.searches!, took: [1, 2, 121] } },
    { ...good, searches: { ...good.searches!, took: [] } },
    { ...good, searches: { ...good.searches!, later: 1 } },
    { ...good, searches: { ...good.searches!, failed: 1 } },
  ],
  'streams-of-others': [
    { ...good, streams: { ...calls, later: 1 } },
    { ...good, streams: { ...calls, failed: 1 } },
    { ...good, streams: { ...calls, took: [] } },
  ],
  stop: [{ ...good, stop: 6_001 }],
  'one-turn': [{ ...good, turn: 51 }],
  'others-answered': [
    { ...good, token: { ...calls, took: [1, 2, 1_021] } },
    { ...good, token: { ...calls, took: [] } },
    { ...good, remembered: { ...calls, failed: 1 } },
  ],
  'audit-complete': [{ ...good, refused: 101 }],
  'logins-recorded': [{ ...good, audit: { ...good.audit!, recorded: 0 } }],
  'recording-goes-on': [{ ...good, audit: { ...good.audit!, goesOn: undefined } }],
  'nothing-hidden': [{ ...good, tally: { ...good.tally, hidden: 1 } }],
  'nothing-told': [{ ...good, tally: { ...good.tally, told: 1 } }],
  'no-fault': [{ ...good, tally: { ...good.tally, statuses: { 500: 1 } } }],
  memory: [{ ...good, memory: { ...good.memory, max: 585 } }],
  recovery: [{ ...good, recovered: undefined }],
};

describe('the promises of the attack', () => {
  it('hold for a flood that does no harm', () => expect(brokenBy(good)).toEqual([]));

  it.each(promises)('$name is broken by what breaks it, and shows it', ({ name }) => {
    expect(bad[name]?.length, name).toBeGreaterThan(0);
    for (const measured of bad[name]!) {
      expect(brokenBy(measured).map((promise) => promise.name)).toEqual([name]);
      expect(brokenBy(measured)[0]!.shows(measured)).toMatch(/\d|not/);
    }
  });

  it('are broken by a request that stops the server before the flood', () => {
    const tally = { sent: 0, statuses: {}, cut: 0, hidden: 0, told: 0 };
    const nobody = { ...calls, took: [] };
    const stopped = { ...good, tally, remembered: nobody, token: nobody, turn: 4_000, audit: undefined };
    expect(brokenBy(stopped).map(({ name }) => name)).toEqual(['one-turn', 'others-answered', 'no-fault']);
  });

  it('are the rows of the page of guarantees, word for word', async () => {
    const text = await readFile('docs/security/guarantees.md', 'utf8');
    const section = text.slice(text.indexOf('## Under attack')).split('\n## ')[0]!;
    const rows = [...section.matchAll(/^\| `([\w-]+)` \| (.+) \|$/gm)].map(([, name, says]) => ({ name, says }));
    expect(rows).toEqual(promises.map(({ name, says }) => ({ name, says })));
  });
});

describe('a flood is measured again', () => {
  const late = bad['one-turn']![0]!;
  const laterAnswers = bad['others-answered']![0]!;
  const hidden = bad['nothing-hidden']![0]!;

  /** Names of the promises that these times break, and how many times were looked at. */
  async function outcomeOf(...times: readonly Measured[]): Promise<readonly [readonly string[], number]> {
    const left = [...times];
    const { broken, measured } = await judge(async () => left.shift()!);
    return [broken.map(({ promise }) => promise.name), measured.length];
  }

  it('not when every promise holds', async () => expect(await outcomeOf(good)).toEqual([[], 1]));

  it('up to three times when only promises about time are broken', async () => {
    expect(await outcomeOf(late, late, late)).toEqual([['one-turn'], 3]);
    expect(await outcomeOf(late, late, good)).toEqual([[], 3]);
    expect(await outcomeOf(late, good)).toEqual([[], 2]);
  });

  it('and no other promise about time takes the place of the first', async () =>
    expect(await outcomeOf(late, laterAnswers)).toEqual([[], 2]));

  it('never when another promise is broken: once is enough', async () => {
    expect(await outcomeOf(hidden)).toEqual([['nothing-hidden'], 1]);
    expect(await outcomeOf(late, hidden)).toEqual([['nothing-hidden'], 2]);
    expect(await outcomeOf({ ...late, tally: hidden.tally })).toEqual([['nothing-hidden', 'one-turn'], 1]);
  });
});

describe('the attack goes nowhere else', () => {
  it.each(['192.0.2.1:80', 'localhost:80', '127.0.0.1', '127.0.0.1:0', '127.0.0.1:99999', '127.0.0.1.example:80', ''])(
    'refuses the address "%s"',
    (address) => expect(() => loopback(address)).toThrow('Expected 127.0.0.1 and a port'),
  );

  it('takes no address as an option', () => {
    expect(() => readOptions(['127.0.0.1:8080'])).toThrow('Expected one of node, deno');
    expect(() => readOptions(['--seconds', '61'])).toThrow('Expected a whole number from 1 to 60');
    const { runtimes, floods: named, seconds } = readOptions(['deno', 'paths', '--seconds', '2']);
    expect([runtimes, named.map(({ name }) => name), seconds]).toEqual([['deno'], ['paths'], 2]);
    expect(readOptions([])).toEqual({ runtimes: ['node', 'deno'], floods });
  });

  it('does not flood for a process that is not the attack', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'test/attack/flooder.ts']);
    const said: Buffer[] = [];
    child.stderr.on('data', (part) => said.push(part));
    const [code] = await once(child, 'close');
    expect([code, Buffer.concat(said).toString()]).toEqual([1, expect.stringContaining('npm run attack')]);
  });
});

describe('the client of the attack', () => {
  it('reads answers with a length and in chunks, and waits for what is missing', () => {
    const plain = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
    expect(read(`${plain}HTTP/1.1 4`)).toMatchObject({ answer: { status: 200, body: 'ok' }, end: plain.length });
    expect(read(plain.slice(0, -1))).toBeUndefined();
    const chunked = 'HTTP/1.1 503 No\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n';
    expect(read(chunked)).toMatchObject({ answer: { status: 503, body: 'ok\r\n' }, end: chunked.length });
    expect(read(chunked.slice(0, -1))).toBeUndefined();
  });

  it('gives up when there is no answer in time', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const target = loopback(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await exchange(target, requestBytes('GET', '/', {}), 50)).toMatchObject({ status: 0, body: '' });
  });
});

describe('the honest callers', () => {
  /** Answers one request after the other with these. */
  async function answering(...answers: readonly (readonly [status: number, retryAfter?: string])[]) {
    let at = 0;
    const server = createServer((_, response) => {
      const [status, retryAfter] = answers[Math.min(at++, answers.length - 1)]!;
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    return loopback(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  it('count right, wrong, later and failed answers each for themselves', async () => {
    const target = await answering([200], [401], [403], [429], [503], [500]);
    let left = 6;
    const { took, late, ...counts } = await callOnAndOn(target, 'Basic x', () => left-- > 0);
    expect([took.length, counts]).toEqual([2, { wrong: 2, later: 2, failed: 1 }]);
    expect(late).toHaveLength(6);
    expect(took.at(-1)).toBeGreaterThan(1_000);
  });

  it('come again when they are told to, and are known once they are in', async () => {
    const target = await answering([503, '0'], [401, '0'], [200]);
    expect(await comeIn(target, ['newcomer-0'], 20_000)).toMatchObject({
      wrong: 1,
      later: 1,
      failed: 0,
      known: [{ name: 'newcomer-0', address: '198.51.100.20' }],
    });
  });

  it('give up after the time, and with them those behind', async () => {
    const target = await answering([429, '1']);
    const { failed, took, known } = await comeIn(target, ['newcomer-0', 'newcomer-1'], 100);
    expect([failed, took.length, known]).toEqual([1, 1, []]);
  });
});

/** With room for a busy machine: how much was done in a second says nothing about it. */
const patience = 120_000;

it(
  'a short flood on Node is measured beside callers who are answered',
  async () => {
    const flood: Flood = { ...floods.find(({ name }) => name === 'paths')!, connections: 4 };
    const measured = await measure('node', flood, 1);
    expect(measured.tally.statuses).toEqual({ 401: expect.any(Number) });
    expect(measured.refused).toBeGreaterThan(0);
    expect(measured.remembered.took.length).toBeGreaterThan(0);
    expect(measured.token.took.length).toBeGreaterThan(0);
    expect(measured.newcomers.took).toHaveLength(1);
    // Told by /proc, which is there on Linux.
    if (process.platform === 'linux') expect(measured.memory.max).toBeGreaterThan(10);
    const names = brokenBy(measured).map(({ name }) => name);
    for (const name of ['audit-complete', 'nothing-hidden', 'no-fault']) expect(names).not.toContain(name);
  },
  patience,
);
