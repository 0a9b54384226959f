import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeMatrix, type Entry } from '../../support/matrix.ts';
import { bodyOf, rowsOf, textAt } from '../../support/requests.ts';
import { playScenario, prepare, type Scenario } from '../../support/scenario.ts';
import type { ServiceOptions } from '../../support/service.ts';
import { type RoomWorld, viewer, worldOf } from '../../support/world.ts';
import { files, sqlIn, upload } from './support.ts';

const sha1 = '2aae6c35c94fcfb415dbe95f408b9ce91ee846ed';
const hello = 'hello world';
const nodeNames: Readonly<Record<string, string>> = {
  'sha-256': 'sha256',
  'sha-512': 'sha512',
  sha: 'sha1',
  md5: 'md5',
};
const digest = (name: string, text: string) => `${name}=:${hash(nodeNames[name]!, text, 'base64')}:`;
const mebibyte = 1024 * 1024;

/** A body without a length, as a client that does not know it sends one. */
const streamed = (pieces: readonly string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });

const closed = [
  ['file/new', 'VX-1', { storageId: 'VX-1' }],
  ['file/close', 'VX-1'],
  ['file/hash', 'VX-1'],
] as const;
const replaced = [
  ['file/change', 'VX-1'],
  ['file/close', 'VX-1'],
  ['file/hash', 'VX-1'],
] as const;

interface Row extends Scenario {
  /** A body that comes in these pieces, without a length. */
  readonly pieces?: readonly string[];
  readonly place?: (world: RoomWorld) => unknown;
  readonly settings?: ServiceOptions['settings'];
  /** Content of the storage afterwards, by path. */
  readonly lies?: Readonly<Record<string, string>>;
}

function itUploads(entry: Entry, rows: readonly Row[]): void {
  for (const { given = [], ...row } of rows) {
    it(row.name, async () => {
      const world = await worldOf('uploads', { settings: row.settings ?? {} }, entry.open);
      await prepare(world, given);
      await row.place?.(world);
      await playScenario(world, row.pieces ? { ...row, body: streamed(row.pieces) } : row);
      if (row.lies) {
        const lies = Object.fromEntries([...world.from.files.keys()].map((path) => [path, textAt(world.from, path)]));
        expect(lies).toEqual(row.lies);
      }
      expect(world.from.staged.size, 'temporary files').toBe(0);
      expect(await rowsOf(world, 'publication')).toEqual([]);
      expect(await rowsOf(world, 'transfer')).toEqual([]);
    });
  }
}

const kept: readonly Row[] = [
  {
    name: 'is a file with its hash, and its events',
    ...upload('in/a b.mov', hello),
    status: 200,
    says: {
      jsonPart: {
        id: 'VX-1',
        path: 'in/a b.mov',
        uri: ['memory:///in/in/a%20b.mov'],
        state: 'CLOSED',
        size: 11,
        hash: sha1,
        storage: 'VX-1',
      },
    },
    events: closed,
    lies: { 'in/a b.mov': hello },
  },
  ...['sha-256', 'sha-512', 'sha', 'md5'].flatMap((name) =>
    ['content-digest', 'repr-digest'].map((header) => ({
      name: `is taken where its ${header} by ${name} is that of its bytes`,
      ...upload('a', hello, { headers: { [header]: digest(name, hello) } }),
      status: 200,
      says: { jsonPart: { state: 'CLOSED', hash: sha1 } },
      events: closed,
      lies: { a: hello },
    })),
  ),
  {
    name: 'is taken with a digest by an algorithm that the service does not know',
    ...upload('a', hello, { headers: { 'repr-digest': 'unixsum=:AAA=:, sha-1024=:AAAA:' } }),
    status: 200,
    says: { jsonPart: { state: 'CLOSED' } },
    events: closed,
  },
  {
    name: 'needs no length',
    pieces: ['hello', ' ', 'world'],
    ...upload('a', ''),
    status: 200,
    says: { jsonPart: { size: 11, hash: sha1 } },
    events: closed,
    lies: { a: hello },
  },
  {
    name: 'may be empty',
    ...upload('a', '', { body: new Uint8Array() }),
    status: 200,
    says: { jsonPart: { size: 0, hash: 'da39a3ee5e6b4b0d3255bfef95601890afd80709', state: 'CLOSED' } },
    events: closed,
    lies: { a: '' },
  },
  {
    name: 'says the id to a caller who reads text',
    ...upload('a', hello, { headers: { accept: 'text/plain' } }),
    status: 200,
    says: { exact: 'VX-1' },
    events: closed,
  },
  {
    name: 'is one where a single part with size and index is all, as one client always sends them',
    ...upload('a', hello, { headers: { size: '11', index: '0' } }),
    status: 200,
    says: { jsonPart: { state: 'CLOSED', hash: sha1 } },
    events: closed,
  },
  {
    name: 'takes the address of the file in place of its storage and path',
    ...upload('', hello, { request: 'POST /API/storage/file/data?uri=memory%3A%2F%2F%2Fin%2Fx%2520y%2Fa.mov' }),
    status: 200,
    says: { jsonPart: { path: 'x y/a.mov', storage: 'VX-1' } },
    events: closed,
    lies: { 'x y/a.mov': hello },
  },
  {
    name: 'takes an address that a client encoded twice, and keeps no password of one',
    ...upload('', hello, { request: `POST ${files}?uri=memory%253A%252F%252Fu%253Ap%2540%252Fin%252Fa.mov` }),
    status: 200,
    says: { jsonPart: { path: 'a.mov' }, lacks: ['u:p', 'u%3Ap'] },
    events: closed,
  },
  {
    name: 'leaves a file open that the client says is to grow: its hash would be that of a part',
    ...upload('a', hello, { request: `POST ${files}?path=a&state=OPEN` }),
    status: 200,
    says: { jsonPart: { state: 'OPEN', size: 11 }, lacks: ['hash'] },
    events: [['file/new', 'VX-1']],
    lies: { a: hello },
  },
  {
    name: 'replaces the bytes of a file under each of its addresses',
    given: [
      upload('a', 'old'),
      { ...upload('a', 'newer'), request: 'POST /API/file/VX-1/data' },
      { ...upload('a', 'newest'), request: 'POST /API/storage/file/VX-1/data' },
    ],
    ...upload('a', hello, { request: 'POST /API/storage/VX-1/file/VX-1/data' }),
    status: 200,
    says: { jsonPart: { id: 'VX-1', size: 11, hash: sha1, state: 'CLOSED' } },
    events: replaced,
    lies: { a: hello },
  },
  {
    name: 'tells of an open file that it is closed, and nothing twice',
    given: [upload('a', 'old', { request: `POST ${files}?path=a&state=OPEN` })],
    ...upload('a', hello, { request: 'POST /API/file/VX-1/data' }),
    status: 200,
    events: [
      ['file/close', 'VX-1'],
      ['file/hash', 'VX-1'],
    ],
    lies: { a: hello },
  },
];

const missing = { answers: { 'portico-error': 'no-such-entity' }, status: 404 } as const;

const refused: readonly Row[] = [
  ...['sha-256', 'sha-512', 'sha', 'md5'].flatMap((name) =>
    ['content-digest', 'repr-digest'].map((header) => ({
      name: `if its ${header} by ${name} is that of other bytes: a replaced file keeps the old ones`,
      given: [upload('a', 'old')],
      ...upload('', hello, {
        request: 'POST /API/file/VX-1/data',
        headers: { [header]: `${digest('sha-256', hello)}, ${digest(name, 'hello_world')}` },
      }),
      status: 400,
      answers: { 'portico-error': 'digest-mismatch' },
      says: { contains: [`header ${header}`] },
      lies: { a: 'old' },
    })),
  ),
  ...['sha-256=:AAAA:', 'sha-256', 'sha-256=x', 'sha-256=:_*:', '', ','].map((header) => ({
    name: `if its digest cannot be read: ${header}`,
    ...upload('a', hello, { headers: { 'content-digest': header } }),
    status: 400,
    answers: { 'portico-error': 'bad-header' },
    lies: {},
  })),
  {
    name: 'if a file has its path: 409 with the id of that file',
    given: [upload('a', 'first')],
    ...upload('a', hello),
    status: 409,
    answers: { 'portico-error': 'file-exists' },
    says: { jsonPart: { fileAlreadyExists: { storageId: 'VX-1', fileId: 'VX-1', path: 'a' } } },
    lies: { a: 'first' },
  },
  {
    name: 'if a file lies at its path that no scan has found yet',
    place: ({ from: place }) => place.put('a', 'found'),
    ...upload('a', hello),
    status: 409,
    says: { jsonPart: { fileAlreadyExists: { storageId: 'VX-1', fileId: null, path: 'a' } } },
    lies: { a: 'found' },
  },
  {
    name: 'to a storage that is not there',
    ...upload('a', '', { request: 'POST /API/storage/VX-9/file/data?path=a' }),
    ...missing,
  },
  { name: 'of a file that is not there', ...upload('a', '', { request: 'POST /API/file/VX-9/data' }), ...missing },
  {
    name: 'of a file of another storage',
    given: [upload('a', 'first')],
    ...upload('a', hello, { request: 'POST /API/storage/VX-2/file/VX-1/data' }),
    ...missing,
    lies: { a: 'first' },
  },
  {
    name: 'of a storage that was deleted, and of its files',
    given: [upload('a', 'first')],
    place: sqlIn('UPDATE storage SET deleted_at = 1'),
    ...upload('b', hello),
    ...missing,
  },
  {
    name: 'in parts without a path',
    ...upload('', hello, { request: `POST ${files}?transferId=mine` }),
    status: 400,
    says: { contains: ['path'] },
  },
  {
    name: 'without an address where the storage is not named',
    ...upload('', hello, { request: 'POST /API/storage/file/data?path=a' }),
    status: 400,
    says: { contains: ['Expected the address of the new file'] },
  },
  {
    name: 'with an address below no method',
    ...upload('', hello, { request: 'POST /API/storage/file/data?uri=memory:///elsewhere/a' }),
    status: 400,
    says: { contains: ['below a method'] },
  },
  {
    name: 'with a state that no file with its bytes has',
    ...upload('', hello, { request: `POST ${files}?path=a&state=LOST` }),
    status: 400,
    says: { contains: ['Expected one of CLOSED, OPEN'] },
  },
  {
    name: 'with a header that is no number',
    ...upload('a', hello, { headers: { size: '1e3' } }),
    status: 400,
    answers: { 'portico-error': 'bad-header' },
    says: { contains: ['header size', '1e3'] },
  },
  {
    name: 'with other bytes than the header size says',
    pieces: ['hello', ' world, and more'],
    ...upload('a', '', { headers: { size: '11', index: '0' } }),
    status: 400,
    says: { contains: ['Expected 11 bytes'] },
    lies: {},
  },
  {
    name: 'with fewer bytes than the header size says',
    pieces: ['hello'],
    ...upload('a', '', { headers: { size: '11', index: '0' } }),
    status: 400,
    says: { contains: ['Expected 11 bytes'] },
    lies: {},
  },
  {
    name: 'of a part without the name of its upload',
    ...upload('a', 'world', { headers: { size: '11', index: '6' } }),
    status: 400,
    says: { contains: ['transferId', 'Expected a name'] },
    lies: {},
  },
  {
    name: 'of a part without the size of the file',
    ...upload('a', 'world', { headers: { index: '6' } }),
    status: 400,
    says: { contains: ['header size'] },
  },
  {
    name: 'if the storage has no method that writes',
    place: sqlIn('UPDATE storage_method SET write = 0, version = 2'),
    ...upload('a', hello),
    status: 400,
    answers: { 'portico-error': 'storage-unable' },
    says: { contains: ['a method that writes'] },
  },
  {
    name: 'to a storage that others write to',
    place: sqlIn(`UPDATE storage SET type = 'SHARED'`),
    ...upload('a', hello),
    status: 400,
    answers: { 'portico-error': 'storage-unable' },
  },
  {
    name: 'if the storage is being evacuated',
    place: sqlIn(`UPDATE storage SET state = 'EVACUATING'`),
    ...upload('a', hello),
    status: 400,
    says: { contains: ['EVACUATING'] },
  },
  {
    name: 'to a storage that nobody can reach: 503, to be tried again',
    place: ({ from: place }) => {
      place.offline = 'The disk is not mounted';
    },
    ...upload('a', hello),
    status: 503,
    answers: { 'portico-error': 'storage-offline', 'retry-after': '30' },
    says: { contains: ['The disk is not mounted'] },
  },
  {
    name: 'that would leave less room than the setting says: 507 with a sentence',
    settings: { minFreeBytes: mebibyte },
    place: ({ from: place }) => {
      place.room = mebibyte + 10;
    },
    ...upload('a', hello, { headers: { 'content-length': '11' } }),
    status: 507,
    answers: { 'portico-error': 'no-space' },
    says: { contains: ['PORTICO_MIN_FREE_BYTES', 'are free'] },
    lies: {},
  },
  {
    name: 'that fills the disk on its way: 507, and nothing is half there',
    settings: { minFreeBytes: 0 },
    place: ({ from: place }) => {
      place.room = 5;
    },
    pieces: [hello],
    ...upload('a', ''),
    status: 507,
    answers: { 'portico-error': 'no-space' },
    lies: {},
  },
  {
    name: 'of more bytes than one user may have in open uploads: 413 with the setting',
    settings: { maxTransferBytes: 10 },
    ...upload('a', hello, { headers: { 'content-length': '11' } }),
    status: 413,
    says: { contains: ['maxTransferBytes'] },
    lies: {},
  },
  {
    name: 'of such bytes without a length',
    settings: { maxTransferBytes: 10 },
    pieces: ['hello', ' world'],
    ...upload('a', ''),
    status: 413,
    says: { contains: ['maxTransferBytes'] },
    lies: {},
  },
  {
    name: 'of a file that a job needs as it is',
    given: [upload('a', 'first')],
    place: sqlIn(`UPDATE file SET state = 'BEING_READ'`),
    ...upload('a', hello, { request: 'POST /API/file/VX-1/data' }),
    status: 409,
    answers: { 'portico-error': 'file-busy' },
    lies: { a: 'first' },
  },
  { name: 'by a caller who only reads', ...upload('a', hello, { as: viewer }), status: 403, lies: {} },
  { name: 'by nobody', ...upload('a', hello, { as: undefined }), status: 401, lies: {} },
];

describeMatrix('an upload in one go', (entry) => {
  itUploads(entry, kept);

  it('takes the path of a deleted file whose bytes still wait', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(upload('a', 'deleted'));
    await sqlIn(`UPDATE file SET state = 'TO_BE_DELETED', delete_due = 9e15`)(world);
    const answer = await world.send(upload('a', hello));
    expect([answer.status, bodyOf(answer)['id'], textAt(world.from, 'a')]).toEqual([200, 'VX-2', hello]);
  });
});

describeMatrix('an upload in one go is refused', (entry) => {
  itUploads(entry, refused);

  it('if its sender goes away: nothing is left', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    let break_ = (_reason: Error) => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(100_000));
        break_ = (reason) => controller.error(reason);
      },
    });
    const sent = world.send(upload('a', '', { body, headers: { 'content-length': '200000' } })).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 20));
    break_(new Error('The cable is out'));
    const answer = await sent;
    // Over a socket nobody is there to be answered.
    if (answer) expect([answer.status, answer.headers.get('portico-error')]).toEqual([400, 'body-broken']);
    await expect.poll(() => [world.from.files.size, world.from.staged.size]).toEqual([0, 0]);
    expect(await rowsOf(world, 'file')).toEqual([]);
  });

  it('of two at once for one path: one wins, and the other is told its id', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const answers = await Promise.all(['one', 'other'].map((text) => world.send(upload('a', text))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
    expect(textAt(world.from, 'a')).toBe(answers[0] === won ? 'one' : 'other');
    const { fileAlreadyExists } = bodyOf(lost!) as { fileAlreadyExists: { fileId: string | null } };
    expect([bodyOf(won!)['id'], null]).toContain(fileAlreadyExists.fileId);
    expect(world.from.staged.size).toBe(0);
    expect(await rowsOf(world, 'file')).toHaveLength(1);
  });
});
