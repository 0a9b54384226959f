import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeMatrix } from '../../support/matrix.ts';
import { bodyOf, rowsOf, textAt } from '../../support/requests.ts';
import { playScenario } from '../../support/scenario.ts';
import { viewer, worldOf } from '../../support/world.ts';
import { type PartOf, part, sqlIn, upload } from './support.ts';

const hello = 'hello world';
const sha1 = '2aae6c35c94fcfb415dbe95f408b9ce91ee846ed';
const whole: PartOf = { path: 'a', id: 'mine', size: 11, index: 0 };
const at = (index: number): PartOf => ({ ...whole, index });

describeMatrix('an upload in parts', (entry) => {
  it('shows an open file from its first part on, and closes it with the last', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await playScenario(world, {
      name: 'first',
      ...part(at(0), 'hello '),
      status: 200,
      says: { jsonPart: { id: 'VX-1', path: 'a', state: 'OPEN' } },
      events: [['file/new', 'VX-1', { storageId: 'VX-1' }]],
    });
    expect(world.from.files.size).toBe(0);
    await playScenario(world, {
      name: 'last',
      ...part(at(6), 'world'),
      status: 200,
      says: { jsonPart: { id: 'VX-1', state: 'CLOSED', size: 11, hash: sha1 } },
      events: [
        ['file/close', 'VX-1'],
        ['file/hash', 'VX-1'],
      ],
    });
    expect([textAt(world.from, 'a'), world.from.staged.size]).toEqual([hello, 0]);
    expect(await rowsOf(world, 'publication')).toEqual([]);
  });

  it('keeps nothing of a part whose bytes have another Content-Digest, and refuses the digest of the whole', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const digest = (text: string) => `sha-256=:${hash('sha256', text, 'base64')}:`;
    const sent = (index: number, text: string, headers: Record<string, string>) =>
      world.send(part(at(index), text, { headers }));
    await sent(0, 'hello ', { 'content-digest': digest('hello ') });
    const wrong = await sent(6, 'worlD', { 'content-digest': digest('world') });
    expect([wrong.status, wrong.headers.get('portico-error')]).toEqual([400, 'digest-mismatch']);
    const ofAll = await sent(6, 'world', { 'repr-digest': digest(hello) });
    expect([ofAll.status, ofAll.headers.get('portico-error')]).toEqual([400, 'bad-header']);
    const right = await sent(6, 'world', { 'content-digest': digest('world') });
    expect([right.status, bodyOf(right)]).toMatchObject([200, { state: 'CLOSED' }]);
    expect(textAt(world.from, 'a')).toBe(hello);
  });

  it('takes parts in any order: their hash is left to work', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    for (const [index, text] of [
      [8, 'rld'],
      [4, 'o wo'],
    ] as const) {
      expect(bodyOf(await world.send(part(at(index), text)))['state']).toBe('OPEN');
    }
    const last = bodyOf(await world.send(part(at(0), 'hell')));
    expect([last['state'], last['hash'], textAt(world.from, 'a')]).toEqual(['CLOSED', undefined, hello]);
    const [row] = await rowsOf(world, 'file');
    expect([row!['hash'], row!['hash_due']]).toEqual([null, world.clock.now()]);
  });

  it('takes parts at once, and closes the file once', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const answers = await Promise.all(
      [...hello].map((letter, index) => world.send(part(at(index), letter, { headers: { 'content-length': '1' } }))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter((answer) => bodyOf(answer)['state'] === 'CLOSED')).toHaveLength(1);
    expect(textAt(world.from, 'a')).toBe(hello);
    const names = (await world.events()).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('file/n') || name === 'file/close')).toEqual([
      'file/new',
      'file/close',
    ]);
  });

  it('takes the same bytes again, and parts that overlap', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    for (const [index, text] of [
      [0, 'hello'],
      [0, 'hello'],
      [3, 'lo wo'],
      [2, 'llo'],
    ] as const) {
      const answer = await world.send(part(at(index), text));
      expect([answer.status, bodyOf(answer)['state']]).toEqual([200, 'OPEN']);
    }
    const last = await world.send(part(at(0), hello));
    expect([bodyOf(last)['hash'], textAt(world.from, 'a')]).toEqual([sha1, hello]);
  });

  it('needs no length of a part', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const body = () => new Blob(['hello ']).stream() as ReadableStream<Uint8Array>;
    await world.send(part(at(0), '', { body: body() }));
    expect(bodyOf(await world.send(part(at(6), 'world')))['hash']).toBe(sha1);
  });

  it('sends a whole file under a transferId', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const target = `POST /API/storage/VX-1/file/data?path=a&transferId=mine`;
    const answer = await world.send(
      upload('a', hello, { request: target, headers: { 'content-length': String(hello.length) } }),
    );
    expect([answer.status, bodyOf(answer)['hash']]).toEqual([200, sha1]);
    const [row] = await rowsOf(world, 'transfer');
    expect([row!['name'], row!['state'], row!['received']]).toEqual(['mine', 'FINISHED', 11]);
  });

  it('may have no bytes at all', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const answer = await world.send(part({ ...whole, size: 0 }, '', { body: new Uint8Array() }));
    expect([bodyOf(answer)['state'], bodyOf(answer)['size'], textAt(world.from, 'a')]).toEqual(['CLOSED', 0, '']);
  });

  it('leaves a file as it is until all of its new bytes are there', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(upload('a', 'old'));
    const replace = (index: number, text: string) => ({
      ...part(at(index), text),
      request: 'POST /API/file/VX-1/data?transferId=mine',
    });
    await playScenario(world, {
      name: 'first',
      ...replace(0, 'hello '),
      status: 200,
      says: { jsonPart: { id: 'VX-1', state: 'CLOSED', size: 3 } },
      events: [],
    });
    expect(textAt(world.from, 'a')).toBe('old');
    await playScenario(world, {
      name: 'last',
      ...replace(6, 'world'),
      status: 200,
      says: { jsonPart: { id: 'VX-1', state: 'CLOSED', size: 11, hash: sha1 } },
      events: [
        ['file/change', 'VX-1'],
        ['file/close', 'VX-1'],
        ['file/hash', 'VX-1'],
      ],
    });
    expect(textAt(world.from, 'a')).toBe(hello);
    // The same name again means another upload, of a file that is there.
    await world.send(replace(0, 'HELLO '));
    expect(textAt(world.from, 'a')).toBe(hello);
    await world.send(replace(6, 'WORLD'));
    expect(textAt(world.from, 'a')).toBe('HELLO WORLD');
  });

  it('answers the last part again when its answer was lost', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(part(at(0), 'hello '));
    await world.send(part(at(6), 'world'));
    await playScenario(world, {
      name: 'again',
      ...part(at(6), 'world'),
      status: 200,
      says: { jsonPart: { id: 'VX-1', state: 'CLOSED', hash: sha1 } },
      events: [],
    });
    expect([world.from.staged.size, textAt(world.from, 'a')]).toEqual([0, hello]);
  });

  it('goes on where a part broke off', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    let sent = 0;
    let come = () => {};
    const halfway = new Promise<void>((resolve) => {
      come = resolve;
    });
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (sent++ === 0) return controller.enqueue(new TextEncoder().encode('hello'));
        await halfway;
        controller.error(new Error('The cable is out'));
      },
    });
    const broken = world.send(part(at(0), '', { body, headers: { 'content-length': '11' } })).catch(() => undefined);
    await expect.poll(() => world.from.staged.size).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    come();
    const answer = await broken;
    if (answer) expect([answer.status, answer.headers.get('portico-error')]).toEqual([400, 'body-broken']);
    await expect.poll(async () => (await rowsOf(world, 'transfer'))[0]?.['ranges']).toBe('[[0,5]]');
    const last = await world.send(part(at(5), ' world'));
    expect([bodyOf(last)['hash'], textAt(world.from, 'a')]).toEqual([sha1, hello]);
  });

  it('goes on after another process has taken over', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(part(at(0), 'hello '));
    // State that the first process remembered is gone: the hash has to be made again.
    await sqlIn(`UPDATE transfer SET ranges = '[[0,3],[5,6]]', received = 4, version = version + 1`)(world);
    await world.send(part(at(3), 'lo wor'));
    const last = bodyOf(await world.send(part(at(9), 'ld')));
    expect([last['state'], textAt(world.from, 'a')]).toEqual(['CLOSED', hello]);
  });
});

interface Refusal {
  readonly name: string;
  readonly given?: readonly (readonly [index: number, text: string])[];
  readonly part: PartOf;
  readonly body: string;
  /** As a stream. */
  readonly chunked?: true;
  readonly status: number;
  readonly code: string;
  readonly says: string;
  /** Ranges that go on counting. */
  readonly ranges?: string;
}

const refusals: readonly Refusal[] = [
  {
    name: 'if its size is not that of the first part: 400',
    given: [[0, 'hello ']],
    part: { ...at(6), size: 12 },
    body: 'worlds',
    status: 400,
    code: 'bad-header',
    says: 'Expected the size of the first part',
    ranges: '[[0,6]]',
  },
  {
    name: 'beyond the size: 400 before it is read',
    given: [[0, 'hello ']],
    part: at(6),
    body: 'world!',
    status: 400,
    code: 'bad-header',
    says: 'Expected a part within 11 bytes',
    ranges: '[[0,6]]',
  },
  {
    name: 'that goes on without end beyond the size: none of its bytes count',
    given: [[0, 'hello ']],
    part: at(6),
    body: 'world and so on and so on',
    chunked: true,
    status: 400,
    code: 'bad-value',
    says: 'Expected a part within the size',
    ranges: '[[0,6]]',
  },
  {
    name: 'behind the end: 400',
    part: at(12),
    body: '',
    status: 400,
    code: 'bad-header',
    says: 'Expected a part within 11 bytes',
  },
  {
    name: 'that overlaps with other bytes: 409, and what came before stays',
    given: [[3, 'lo wo']],
    part: at(0),
    body: 'heLLo',
    status: 409,
    code: 'part-conflict',
    says: 'Expected the same bytes as those that came before, from byte 3 on',
    ranges: '[[3,8]]',
  },
  {
    name: 'that ends with other bytes than those there: its own do not count',
    given: [[5, ' world']],
    part: at(0),
    body: 'hello World',
    status: 409,
    code: 'part-conflict',
    says: 'from byte 6 on',
    ranges: '[[5,11]]',
  },
];

describeMatrix('a part is refused', (entry) => {
  for (const row of refusals) {
    it(row.name, async () => {
      const world = await worldOf('uploads', {}, entry.open);
      for (const [index, text] of row.given ?? []) await world.send(part(at(index), text));
      const body = row.chunked ? (new Blob([row.body]).stream() as ReadableStream<Uint8Array>) : row.body;
      // A request made by hand tells no length unless it is told to.
      const length = row.chunked ? {} : { 'content-length': String(row.body.length) };
      const answer = await world.send(part(row.part, '', { body, headers: length }));
      expect([answer.status, answer.headers.get('portico-error')], answer.body).toEqual([row.status, row.code]);
      expect(answer.body).toContain(row.says);
      const [transfer] = await rowsOf(world, 'transfer');
      if (row.ranges) expect(transfer!['ranges']).toBe(row.ranges);
      expect(world.from.files.size).toBe(0);
      // The transfer can go on with the parts that came before.
      for (const [index, text] of [[0, hello]] as const) await world.send(part(at(index), text));
      expect(textAt(world.from, 'a')).toBe(hello);
    });
  }

  it('that overlaps one which arrives just now: 409, as nobody could say which comes last', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    let go = () => {};
    const waiting = new Promise<void>((resolve) => {
      go = resolve;
    });
    let pieces = 0;
    const slow = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (pieces++ > 0) {
          await waiting;
          controller.enqueue(new TextEncoder().encode('lo '));
          return controller.close();
        }
        controller.enqueue(new TextEncoder().encode('hel'));
      },
    });
    const first = world.send(part(at(0), '', { body: slow, headers: { 'content-length': '6' } }));
    await expect.poll(() => world.from.staged.size).toBe(1);
    const second = await world.send(part(at(5), ' world', { headers: { 'content-length': '6' } }));
    expect([second.status, second.headers.get('portico-error')]).toEqual([409, 'part-conflict']);
    const beside = await world.send(part(at(6), 'world', { headers: { 'content-length': '5' } }));
    expect(beside.status).toBe(200);
    go();
    expect(bodyOf(await first)['state']).toBe('CLOSED');
    expect(textAt(world.from, 'a')).toBe(hello);
  });

  it('if a first part lies beyond its own size, which leaves no file, and the path free', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const headers = { 'content-length': '5' };
    expect((await world.send(part({ ...whole, size: 4 }, 'hello', { headers }))).status).toBe(400);
    expect([await rowsOf(world, 'file'), await rowsOf(world, 'transfer')]).toEqual([[], []]);
    expect([world.from.staged.size, (await world.events()).some(({ name }) => name === 'file/new')]).toEqual([
      0,
      false,
    ]);
    expect((await world.send(part(whole, hello))).status).toBe(200);
  });

  it('at a path that has a file: 409 with its id, before bytes are read', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(upload('a', 'first'));
    const answer = await world.send(part(at(0), 'hello '));
    expect([answer.status, bodyOf(answer)['fileAlreadyExists']]).toEqual([
      409,
      { storageId: 'VX-1', fileId: 'VX-1', path: 'a' },
    ]);
    expect([world.from.staged.size, await rowsOf(world, 'transfer')]).toEqual([0, []]);
  });

  it('when its file was deleted meanwhile: the upload ends with it', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(part(at(0), 'hello '));
    await sqlIn('DELETE FROM file')(world);
    const answer = await world.send(part(at(6), 'world'));
    expect([answer.status, bodyOf(answer)['notFound']]).toMatchObject([404, { type: 'File', id: 'VX-1' }]);
    expect([(await rowsOf(world, 'transfer'))[0]!['state'], world.from.staged.size]).toEqual(['ABORTED', 0]);
  });

  it('when its staged bytes are gone: the upload has failed, and can begin again', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(upload('a', 'old'));
    const replace = { ...part(at(0), hello.slice(0, 5)), request: 'POST /API/file/VX-1/data?transferId=mine' };
    await world.send(replace);
    world.from.staged.clear();
    const answer = await world.send({ ...replace, headers: { ...replace.headers, index: '5' }, body: ' world' });
    expect([answer.status, bodyOf(answer)['notFound']]).toMatchObject([404, { type: 'Transfer' }]);
    expect((await world.send({ ...replace, headers: { ...replace.headers, index: '0' }, body: hello })).status).toBe(
      200,
    );
    expect(textAt(world.from, 'a')).toBe(hello);
  });

  it('when the storage goes offline, and taken when it is back', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(part(at(0), 'hello '));
    world.from.offline = 'Unplugged';
    const answer = await world.send(part(at(6), 'world'));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    world.from.offline = undefined;
    expect(bodyOf(await world.send(part(at(6), 'world')))['hash']).toBe(sha1);
  });

  it('if another program made a file with that path: nothing is overwritten', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(part(at(0), 'hello '));
    world.from.put('a', 'of somebody else');
    const answer = await world.send(part(at(6), 'world'));
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([409, 'file-exists']);
    expect(textAt(world.from, 'a')).toBe('of somebody else');
    expect((await rowsOf(world, 'transfer'))[0]!['state']).toBe('FAILED');
    expect(await rowsOf(world, 'publication')).toEqual([]);
    await world.service.tick();
    expect(world.from.staged.size).toBe(0);
  });
});

it('a file has its SHA-256 as soon as its bytes have come, whole or in parts in order', async () => {
  const world = await worldOf('uploads', {});
  for (const [index, text] of [
    [0, 'hello '],
    [6, 'world'],
  ] as const)
    await world.send(part(at(index), text));
  await world.send(upload('b', hello));
  const repr = `sha-256=:${hash('sha256', hello, 'base64')}:, sha=:${hash('sha1', hello, 'base64')}:`;
  for (const id of ['VX-1', 'VX-2']) {
    const { headers } = await world.send({ as: viewer, request: `GET /API/file/${id}/data` });
    expect([id, headers.get('repr-digest')]).toEqual([id, repr]);
  }
});
