import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { ChildPool, type PoolOptions } from '../../../src/entry/media/child/pool.ts';
import type { MediaSource } from '../../../src/spi/index.ts';

const program = new URL('../../production/checking/hostile-program.mjs', import.meta.url);
const options: PoolOptions = { max: 1, megabytes: 256, cpuSeconds: 60, program };
const endless = new AbortController().signal;

const sourceOf = (text: string): MediaSource => {
  const bytes = new TextEncoder().encode(text);
  return { size: bytes.byteLength, read: async ({ from, end }) => bytes.slice(from, end) };
};

const pool = new ChildPool(options);
afterAll(() => pool.close());

/** A deadline that only a process which never answers meets. */
const long = 50_000;

const ask = (call: string, input: unknown = {}, { source = sourceOf('media'), signal = endless, within = long } = {}) =>
  pool.ask({ call, source, input, signal, within });

/** A question whose media goes with it. */
const small = (call: string, input: unknown = {}) => ({
  ...{ call, input, source: sourceOf('media'), signal: endless, within: long, sends: 100 },
});

const isLinux = process.platform === 'linux';

describe('a media process', () => {
  it('has no environment, an empty folder, and no descriptor but its pipes', async () => {
    process.env['PORTICO_TEST_SECRET'] = 'secret';
    const seen = (await ask('see')) as { environment: string[]; folder: string[]; descriptors: string[] };
    delete process.env['PORTICO_TEST_SECRET'];
    // The shell tells a program where it is. NODE_OPTIONS has the limit of its heap.
    expect(seen.environment.filter((name) => !/^(?:NODE_OPTIONS|PWD|SHLVL|_|OLDPWD|__CF.*)$/.test(name))).toEqual([]);
    expect(seen.folder).toEqual([]);
    expect(seen.descriptors.filter((each) => each.startsWith('/') && !/^\/(?:dev|proc)\//.test(each))).toEqual([]);
  });

  it.each([
    ['spin', 'exhausted', /^Expected an answer about the media within 0.3 seconds$/, 300],
    ['end', 'broken', /it ended with code 3$/, long],
    ['crash', 'broken', /it ended with SIGSEGV$/, long],
    ['garbage', 'broken', /^Expected messages of the media process$/, long],
    ['flood', 'broken', /^Expected messages of the media process$/, long],
  ])('may %s: its question fails, and the next one is answered', async (call, kind, message, within) => {
    await ask('echo');
    await expect(ask(call, {}, { within })).rejects.toMatchObject({ kind, message: expect.stringMatching(message) });
    expect(await ask('echo', 'still here')).toBe('still here');
  });

  it('that is broken by one media takes no other one with it', async () => {
    expect(await ask('trap')).toBe('fine');
    expect(await ask('echo', 'sound')).toBe('sound');
  });

  it('that is broken by one media takes none with it that waited behind', async () => {
    const answers = [pool.ask(small('trap')), pool.ask(small('echo', 'one')), pool.ask(small('echo', 'two'))];
    expect(await Promise.all(answers)).toEqual(['fine', 'one', 'two']);
  });

  it.skipIf(!isLinux)('gets no more memory than it may have', async () => {
    await expect(ask('eat')).rejects.toMatchObject({ kind: 'exhausted', message: /at most 256 MiB/ });
  });

  it('is killed when nobody waits for its answer any more', async () => {
    const stop = new AbortController();
    const answer = ask('spin', {}, { signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    await expect(answer).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('lives on as long as it tells of progress', async () => {
    const told: unknown[] = [];
    const question = { call: 'progress', source: sourceOf(''), input: {}, signal: endless, within: long };
    expect(await pool.ask({ ...question, onProgress: (done) => told.push(done) })).toBe('done');
    expect(told).toEqual([1, 2, 3]);
  });

  it('reads ranges of the media that it is lent, and nothing else', async () => {
    const media = sourceOf('0123456789');
    const read = (headers: object, path = '') => ask('read', { headers, path }, { source: media });
    expect(await read({ range: 'bytes=2-4' })).toEqual({ status: 206, text: '234', range: 'bytes 2-4/10' });
    expect(await read({ range: 'bytes=7-99' })).toMatchObject({ status: 206, text: '789' });
    expect(await read({})).toMatchObject({ status: 200, text: '0123456789' });
    for (const range of ['bytes=10-', 'bytes=4-2', 'bytes=-3', 'bytes=0-1,3-4', 'lines=1-2']) {
      expect(await read({ range })).toMatchObject({ status: 416, text: '' });
    }
    expect(await read({}, '/../other')).toMatchObject({ status: 404 });
  });

  it('loses the address of the media with the answer', async () => {
    const lent = await pool.loopback.lend(sourceOf('media'));
    expect((await fetch(lent.url)).status).toBe(200);
    lent.takeBack();
    expect((await fetch(lent.url)).status).toBe(404);
  });

  it('reads in pieces that the source names, else in few', async () => {
    for (const [pieceBytes, lengths] of [
      [undefined, [1024 * 1024, 1024 * 1024, 100]],
      [700 * 1024, [700 * 1024, 700 * 1024, 648 * 1024 + 100]],
    ] as const) {
      const asked: number[] = [];
      const source = { ...sourceOf('x'.repeat(2 * 1024 * 1024 + 100)), ...(pieceBytes && { pieceBytes }) };
      const read: MediaSource['read'] = (range) => {
        asked.push(range.end - range.from);
        return source.read(range);
      };
      const lent = await pool.loopback.lend({ ...source, read });
      await (await fetch(lent.url)).arrayBuffer();
      lent.takeBack();
      expect(asked).toEqual(lengths);
    }
  });

  it('a leaked address works for nobody once it was taken back, not even for who reads already', async () => {
    const lengths: number[] = [];
    const endless: MediaSource = {
      size: 10 ** 12,
      pieceBytes: 256 * 1024,
      async read({ from, end }) {
        lengths.push(end - from);
        return new Uint8Array(end - from);
      },
    };
    const lent = await pool.loopback.lend(endless);
    const answer = await fetch(lent.url, { headers: { range: 'bytes=5-' } });
    const reader = answer.body!.getReader();
    await reader.read();
    lent.takeBack();
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toThrow();
    expect((await fetch(lent.url)).status).toBe(404);
    expect([new Set(lengths), lent.fault()]).toEqual([new Set([256 * 1024]), undefined]);
    const reads = lengths.length;
    await fetch(lent.url);
    expect(lengths).toHaveLength(reads);
  });

  it('fails with what the storage said, not with what the process made of it', async () => {
    const away = Object.assign(new Error('The storage is away'), { kind: 'offline' });
    const source: MediaSource = { size: 9, read: () => Promise.reject(away) };
    await expect(ask('read', { headers: { range: 'bytes=0-3' } }, { source })).rejects.toBe(away);
  });

  it('waits for its turn, and goes when its caller does', async () => {
    const stop = new AbortController();
    const [first, second] = [ask('progress'), ask('echo', 'second', { signal: stop.signal })];
    const withdrawn = expect(second).rejects.toMatchObject({ kind: 'aborted' });
    stop.abort();
    await withdrawn;
    expect(await first).toBe('done');
  });

  it('gets all bytes of small media with the question, and no address', async () => {
    const sent = (sends: number) => pool.ask({ ...small('source'), sends });
    expect(await sent(5)).toEqual({ size: 5, head: btoa('media') });
    expect(await sent(4)).toEqual({ size: 5, head: btoa('medi'), url: expect.stringMatching(/^http:/) });
    expect(await ask('source')).toEqual({ size: 5, url: expect.stringMatching(/^http:/) });
  });

  it('has the next question already while it answers one', async () => {
    expect(await Promise.all([pool.ask(small('pair', 1)), pool.ask(small('pair', 2))])).toEqual([1, 2]);
  });

  it.each([
    ['spin', 'exhausted', 300],
    ['crash', 'broken', long],
    ['end', 'broken', long],
  ])(
    'may %s: another one answers the questions that waited in it, each within its own time',
    async (call, kind, within) => {
      const before = await pool.ask(small('pid'));
      const failed = expect(pool.ask({ ...small(call), within })).rejects.toMatchObject({ kind });
      const others = await Promise.all([1, 2, 3, 4, 5].map(() => pool.ask(small('pid'))));
      await failed;
      expect(new Set(others).size).toBe(1);
      expect(others[0]).not.toBe(before);
    },
  );

  it('goes on when the caller of a question leaves that waits in it', async () => {
    const stop = new AbortController();
    const before = await pool.ask(small('pid'));
    const first = pool.ask({ ...small('progress'), onProgress: () => stop.abort() });
    const second = expect(pool.ask({ ...small('echo'), signal: stop.signal })).rejects.toMatchObject({
      kind: 'aborted',
    });
    const third = pool.ask(small('pid'));
    await second;
    expect([await first, await third]).toEqual(['done', before]);
  });

  it('gets no question behind media that a storage still has to bring', async () => {
    const alone = pool.ask({ ...small('pair', 1), sends: 2, within: 300 });
    const next = pool.ask(small('echo', 'next'));
    await expect(alone).rejects.toMatchObject({ kind: 'exhausted' });
    expect(await next).toBe('next');
  });

  it('ends with its pool, and so do those that wait for it', async () => {
    const other = new ChildPool(options);
    const question = (call: string) => ({ call, source: sourceOf(''), input: {}, signal: endless, within: long });
    await other.ask(question('echo'));
    const answers = [other.ask(question('spin')), other.ask(question('echo'))];
    const ends = Promise.all(answers.map((answer) => expect(answer).rejects.toMatchObject({ kind: 'aborted' })));
    await other.close();
    await ends;
    await expect(other.ask(question('echo'))).rejects.toMatchObject({ kind: 'aborted' });
  });
});

describe('the line in a media process', () => {
  const withdraw = async (from: ChildPool, call: string): Promise<void> => {
    const stop = new AbortController();
    const asked = from.ask({ ...small(call), signal: stop.signal });
    await expect(Promise.all([asked, pause(5).then(() => stop.abort())])).rejects.toMatchObject({ kind: 'aborted' });
  };

  it('does not grow by questions that are withdrawn', async () => {
    const other = new ChildPool(options);
    await other.ask(small('echo'));
    const first = other.ask(small('sleep', 2000));
    for (let asked = 0; asked < 20; asked++) await withdraw(other, 'count');
    await first;
    expect(await other.ask(small('count'))).toBeLessThanOrEqual(4);
    await other.close();
  });

  it('ends a question that nobody waits for, so that the next one is answered', async () => {
    const other = new ChildPool(options);
    await other.ask(small('echo'));
    const first = other.ask(small('sleep', 100));
    await withdraw(other, 'spin');
    await first;
    // Within its own deadline, which ends before the processor time of the question that was withdrawn.
    expect(await other.ask(small('echo', 'still here'))).toBe('still here');
    await other.close();
  });

  it('is kept behind a long question where no other process may answer', async () => {
    const other = new ChildPool(options);
    await other.ask(small('echo'));
    const first = other.ask(small('sleep', 500));
    const counts = Promise.all([1, 2, 3].map(() => other.ask(small('count'))));
    await first;
    expect(await counts).toEqual([1, 2, 3]);
    expect(await other.ask(small('count'))).toBe(4);
    await other.close();
  });

  it('is left for another process when a question takes long', async () => {
    const other = new ChildPool({ ...options, max: 2 });
    const spinning = expect(other.ask({ ...small('spin'), within: 2_500 })).rejects.toMatchObject({
      kind: 'exhausted',
    });
    const short = other.ask(small('sleep', 300));
    let isOver = false;
    void spinning.then(() => {
      isOver = true;
    });
    await pause(20);
    const inputs = [1, 2, 3, 4, 5];
    expect(await Promise.all(inputs.map((input) => other.ask(small('echo', input))))).toEqual(inputs);
    expect(isOver).toBe(false);
    await Promise.all([spinning, short]);
    await other.close();
  });
});

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
