import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { type Answer, describeMatrix, type Sent } from '../../support/matrix.ts';
import { rowsOf, textAt } from '../../support/requests.ts';
import { other, type RoomWorld, uploader, viewer, worldOf } from '../../support/world.ts';
import { upload } from './support.ts';

const hello = 'hello world';
const hour = 3_600_000;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const metadata = (pairs: Record<string, string>) =>
  Object.entries(pairs)
    .map(([key, value]) => (value === '' ? key : `${key} ${base64(value)}`))
    .join(',');
const where = metadata({ storage: 'VX-1', path: 'in/', filename: 'a b.mov', filetype: 'video/quicktime', plain: '' });

const tus = (request: string, headers: Record<string, string> = {}, body?: Sent['body'], as = uploader): Sent => ({
  as,
  request,
  headers: { 'tus-resumable': '1.0.0', ...headers },
  ...(body !== undefined && { body }),
});

const create = (headers: Record<string, string> = {}, as = uploader) =>
  tus('POST /API/upload', { 'upload-length': '11', 'upload-metadata': where, ...headers }, undefined, as);

const offsetType = { 'content-type': 'application/offset+octet-stream' };
const patch = (at: string, offset: number, body: string, headers: Record<string, string> = {}) =>
  tus(`PATCH ${at}`, { ...offsetType, 'upload-offset': String(offset), ...headers }, body);

async function created(world: RoomWorld, sent = create()): Promise<string> {
  const answer = await world.send(sent);
  expect([answer.status, answer.body]).toEqual([201, '']);
  return answer.headers.get('location')!;
}

const told = ({ status, headers }: Answer, ...names: readonly string[]) => [
  status,
  ...names.map((name) => headers.get(name)),
];

const checksum = (algorithm: string, text: string) =>
  `${algorithm} ${createHash(algorithm).update(text).digest('base64')}`;

describeMatrix('tus 1.0', (entry) => {
  it('tells what it knows', async () => {
    const world = await worldOf('uploads', { settings: { maxTransferBytes: 2_000_000 } }, entry.open);
    for (const request of ['OPTIONS /API/upload', 'OPTIONS /upload/x']) {
      const answer = await world.send({ as: uploader, request });
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'tus-resumable': '1.0.0',
        'tus-version': '1.0.0',
        'tus-extension': 'creation,creation-with-upload,termination,checksum,expiration',
        'tus-max-size': '2000000',
        'tus-checksum-algorithm': 'sha1,sha256,md5',
        allow: expect.stringContaining('OPTIONS'),
      });
      expect(answer.status).toBe(204);
    }
  });

  it('begins an upload, appends to it, and tells how far it is', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const answer = await world.send(create());
    expect(told(answer, 'tus-resumable', 'upload-expires')).toEqual([
      201,
      '1.0.0',
      new Date(world.clock.now() + 24 * hour).toUTCString(),
    ]);
    const at = answer.headers.get('location')!;
    expect(at).toMatch(/^http:\/\/[^/]+\/API\/upload\/[\w-]{22}$/);
    expect(told(await world.send(tus(`HEAD ${at}`)), 'upload-offset', 'upload-length', 'upload-metadata')).toEqual([
      200,
      '0',
      '11',
      where,
    ]);
    expect(told(await world.send(patch(at, 0, 'hello ')), 'upload-offset', 'tus-resumable')).toEqual([
      204,
      '6',
      '1.0.0',
    ]);
    const head = await world.send(tus(`HEAD ${at}`));
    expect(told(head, 'upload-offset', 'cache-control')).toEqual([200, '6', 'no-store']);
    const last = await world.send(patch(at, 6, 'world'));
    expect(told(last, 'upload-offset', 'upload-expires', 'portico-file')).toEqual([204, '11', null, 'VX-1']);
    expect(textAt(world.from, 'in/a b.mov')).toBe(hello);
    expect((await world.events()).map(({ name }) => name).filter((name) => name.startsWith('file'))).toEqual([
      'file/new',
      'file/close',
      'file/hash',
    ]);
    const after = await world.send(tus(`HEAD ${at}`));
    expect(told(after, 'upload-offset', 'portico-file', 'portico-item')).toEqual([200, '11', 'VX-1', null]);
    await world.service.store.commit(
      {
        changes: [
          {
            sql: `INSERT INTO job (id, serial, type, status, priority, data, memo, created_at, total_steps, steps_begun, attempt, failures, instance, lease_until, fence, actor, notification_data) VALUES ('VX-9', 9, 'PLACEHOLDER_IMPORT', 'READY', 2, '[]', '{}', 0, 0, 0, 0, 0, '', 0, 0, '{}', '[]')`,
            args: [],
          },
          { sql: `INSERT INTO job_datum (job_id, key, value) VALUES ('VX-9', 'fileId', 'VX-1')`, args: [] },
        ],
        events: [],
      },
      { user: 'test' },
    );
    expect(told(await world.send(tus(`HEAD ${at}`)), 'portico-file', 'portico-job')).toEqual([200, 'VX-1', 'VX-9']);
    // A last request that is sent again, as its answer was lost.
    expect(told(await world.send(patch(at, 11, '', { 'content-length': '0' })), 'upload-offset')).toEqual([204, '11']);
    const asked = {
      as: uploader,
      request: `GET /API/transfer/${at.split('/').at(-1)}`,
      headers: { accept: 'application/json' },
    };
    expect(JSON.parse((await world.send(asked)).body)).toMatchObject({ state: 'FINISHED', fileId: 'VX-1' });
  });

  it('takes bytes with the request that begins it', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const part = { ...create(offsetType), body: 'hello ' };
    const answer = await world.send(part);
    expect(told(answer, 'upload-offset')).toEqual([201, '6']);
    const whole = await world.send({
      ...create({ ...offsetType, 'upload-metadata': metadata({ storage: 'VX-1', path: 'b.mov' }) }),
      body: hello,
    });
    expect(told(whole, 'upload-offset')).toEqual([201, '11']);
    expect(textAt(world.from, 'b.mov')).toBe(hello);
  });

  it('makes a file of no bytes at once', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    expect(told(await world.send(create({ 'upload-length': '0' })), 'upload-offset')).toEqual([201, '0']);
    expect(textAt(world.from, 'in/a b.mov')).toBe('');
  });

  it.each(['sha1', 'sha256', 'md5'])('keeps bytes that have their checksum by %s, and no others', async (algorithm) => {
    const world = await worldOf('uploads', {}, entry.open);
    const at = await created(world);
    const wrong = await world.send(patch(at, 0, 'hello_', { 'upload-checksum': checksum(algorithm, 'hello ') }));
    expect(told(wrong, 'portico-error', 'tus-resumable')).toEqual([460, 'checksum-mismatch', '1.0.0']);
    expect(told(await world.send(tus(`HEAD ${at}`)), 'upload-offset')).toEqual([200, '0']);
    const right = await world.send(patch(at, 0, 'hello ', { 'upload-checksum': checksum(algorithm, 'hello ') }));
    expect(told(right, 'upload-offset')).toEqual([204, '6']);
    const late = await world.send(patch(at, 6, 'worlD', { 'upload-checksum': checksum(algorithm, 'world') }));
    expect(late.status).toBe(460);
    await world.send(patch(at, 6, 'world'));
    expect(textAt(world.from, 'in/a b.mov')).toBe(hello);
    // The hash of a file of which bytes were sent twice is made by work.
    const [row] = await rowsOf(world, 'file');
    expect(row).toMatchObject({ hash: null, hash_due: world.clock.now(), state: 'CLOSED' });
  });

  it('keeps bytes that have their Content-Digest, and no others', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const at = await created(world);
    const digest = `sha-256=:${createHash('sha256').update('hello ').digest('base64')}:`;
    const wrong = await world.send(patch(at, 0, 'hello_', { 'content-digest': digest }));
    expect(told(wrong, 'portico-error')).toEqual([400, 'digest-mismatch']);
    expect(told(await world.send(tus(`HEAD ${at}`)), 'upload-offset')).toEqual([200, '0']);
    const right = await world.send(patch(at, 0, 'hello ', { 'content-digest': digest }));
    expect(told(right, 'upload-offset')).toEqual([204, '6']);
  });

  it('ends an upload, and its bytes with it', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const at = await created(world);
    await world.send(patch(at, 0, 'hello '));
    expect((await world.send(tus(`DELETE ${at}`))).status).toBe(204);
    expect([world.from.staged.size, (await rowsOf(world, 'file'))[0]!['state']]).toEqual([0, 'TO_BE_DELETED']);
    for (const sent of [tus(`HEAD ${at}`), patch(at, 6, 'world'), tus(`DELETE ${at}`)]) {
      expect((await world.send(sent)).status).toBe(404);
    }
    // The path is free again.
    await created(world);
  });

  it('forgets an upload that is whole, and leaves its file', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const at = await created(world);
    await world.send(patch(at, 0, hello));
    expect((await world.send(tus(`DELETE ${at}`))).status).toBe(204);
    expect((await world.send(tus(`HEAD ${at}`))).status).toBe(404);
    expect(textAt(world.from, 'in/a b.mov')).toBe(hello);
  });

  it('ends one that nobody goes on with at the time that it told', async () => {
    const world = await worldOf('uploads', { settings: { transferIdleHours: 1 } }, entry.open);
    const at = await created(world);
    const expires = Date.parse((await world.send(tus(`HEAD ${at}`))).headers.get('upload-expires')!);
    expect(expires).toBe(world.clock.now() + hour);
    await world.clock.advance(hour + 1);
    await world.service.tick();
    expect((await world.send(tus(`HEAD ${at}`))).status).toBe(404);
    expect(world.from.staged.size).toBe(0);
  });

  it('lets a client go on at once whose broken connection is not noticed yet', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const at = await created(world);
    let sent = 0;
    const hanging = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ === 0) controller.enqueue(new TextEncoder().encode('hel'));
        else return new Promise(() => undefined);
      },
    });
    const headers = { ...offsetType, 'upload-offset': '0', 'content-length': '11' };
    const first = world.send(tus(`PATCH ${at}`, headers, hanging)).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const head = await world.send(tus(`HEAD ${at}`));
    expect(told(head, 'upload-offset')).toEqual([200, '3']);
    expect(told(await world.send(patch(at, 3, 'lo world')), 'upload-offset')).toEqual([204, '11']);
    await first;
    expect(textAt(world.from, 'in/a b.mov')).toBe(hello);
  });
});

interface Refused {
  readonly name: string;
  readonly sent: (at: string) => Sent;
  readonly status: number;
  readonly says?: string;
  readonly answers?: Record<string, string>;
}

const begun: readonly Refused[] = [
  {
    name: 'another version, and tells its own',
    sent: () => create({ 'tus-resumable': '0.2.2' }),
    status: 412,
    answers: { 'tus-version': '1.0.0', 'tus-resumable': '1.0.0' },
  },
  { name: 'no version', sent: () => ({ ...create(), headers: { 'upload-length': '11' } }), status: 412 },
  { name: 'no length', sent: () => create({ 'upload-length': '' }), status: 400, says: 'header Upload-Length' },
  {
    name: 'a length that comes later, which is not offered',
    sent: () => create({ 'upload-defer-length': '1' }),
    status: 400,
    says: 'Upload-Defer-Length',
  },
  {
    name: 'no storage',
    sent: () => create({ 'upload-metadata': metadata({ filename: 'a' }) }),
    status: 400,
    says: 'storage',
  },
  {
    name: 'a storage that is not there',
    sent: () => create({ 'upload-metadata': metadata({ storage: 'VX-9', filename: 'a' }) }),
    status: 404,
  },
  {
    name: 'no name',
    sent: () => create({ 'upload-metadata': metadata({ storage: 'VX-1' }) }),
    status: 400,
    says: 'filename',
  },
  {
    name: 'a name that leads out of the storage',
    sent: () => create({ 'upload-metadata': metadata({ storage: 'VX-1', filename: '../a' }) }),
    status: 400,
  },
  {
    name: 'a path that leads out of the storage',
    sent: () => create({ 'upload-metadata': metadata({ storage: 'VX-1', path: '../../etc/passwd' }) }),
    status: 400,
  },
  {
    name: 'a key twice',
    sent: () => create({ 'upload-metadata': `${where},storage VlgtMg==` }),
    status: 400,
    says: 'differ',
  },
  { name: 'what is no base64', sent: () => create({ 'upload-metadata': 'storage !!!' }), status: 400, says: 'base64' },
  { name: 'what is no UTF-8', sent: () => create({ 'upload-metadata': 'storage /w==' }), status: 400, says: 'UTF-8' },
  {
    name: 'more bytes than a user may upload',
    sent: () =>
      create({ 'upload-length': '2000001', 'upload-metadata': metadata({ storage: 'VX-1', filename: 'large' }) }),
    status: 413,
  },
  { name: 'somebody who only reads', sent: () => create({}, viewer), status: 403 },
  { name: 'another offset', sent: (at) => patch(at, 3, 'lo'), status: 409, says: 'Expected the offset 0: 3' },
  { name: 'another type', sent: (at) => patch(at, 0, 'x', { 'content-type': 'text/plain' }), status: 415 },
  { name: 'no offset', sent: (at) => patch(at, 0, 'x', { 'upload-offset': 'x' }), status: 400, says: 'Upload-Offset' },
  {
    name: 'bytes beyond the length',
    sent: (at) => patch(at, 0, `${hello}!`, { 'content-length': '12' }),
    status: 413,
    says: 'at most 11 bytes',
  },
  {
    name: 'a checksum by what it does not know',
    sent: (at) => patch(at, 0, 'x', { 'upload-checksum': 'crc32 AAAA' }),
    status: 400,
    says: 'sha1, sha256, md5',
  },
  {
    name: 'a checksum of the wrong length',
    sent: (at) => patch(at, 0, 'x', { 'upload-checksum': 'sha1 AAAA' }),
    status: 400,
  },
  {
    name: 'to another user, as if there were nothing',
    sent: (at) => tus(`HEAD ${at}`, {}, undefined, other),
    status: 404,
  },
  { name: 'the end to another user', sent: (at) => tus(`DELETE ${at}`, {}, undefined, other), status: 404 },
  { name: 'an upload that is not there', sent: () => patch('/API/upload/nothing', 0, 'x'), status: 404 },
];

describeMatrix('tus 1.0 refuses', (entry) => {
  for (const { name, sent, status, says = '', answers = {} } of begun) {
    it(name, async () => {
      const world = await worldOf('uploads', { settings: { maxTransferBytes: 2_000_000 } }, entry.open);
      const at = await created(world);
      const before = await rowsOf(world, 'transfer');
      const answer = await world.send(sent(at));
      expect(answer.status, answer.body).toBe(status);
      expect(answer.body).toContain(says);
      for (const [header, value] of Object.entries(answers)) expect(answer.headers.get(header)).toBe(value);
      expect([await rowsOf(world, 'transfer'), world.from.staged.size]).toEqual([before, 1]);
    });
  }

  it('a path that has a file, and names it', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(upload('in/a b.mov', 'first'));
    const answer = await world.send({ ...create(), headers: { ...create().headers, accept: 'application/json' } });
    expect([answer.status, JSON.parse(answer.body).fileAlreadyExists.fileId]).toEqual([409, 'VX-1']);
  });
});
