import { expect, it } from 'vitest';
import { describeMatrix } from '../../support/matrix.ts';
import { bodyOf, json, rowsOf, textAt } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { other, uploader, viewer, worldOf } from '../../support/world.ts';
import { files, part, upload } from './support.ts';

const mine = { path: 'a', id: 'mine', size: 11 };

/** Spellings of paths that lead out of a storage, or that two readers take for two files, once the query is decoded. */
const paths = [
  '../etc/passwd',
  '..',
  '.',
  'a/../../b',
  'a/..',
  './a',
  'a/./b',
  '/etc/passwd',
  '//host/share',
  'a//b',
  'a/',
  '\\windows',
  '..\\..\\a',
  'a\\..\\b',
  'a\0b',
  'a\nb',
  'a\x7fb',
  'x'.repeat(5000),
] as const;

/** As they stand in a query. */
const encoded = [
  '%2e%2e%2fetc',
  '%2e%2e/etc',
  '..%2fetc',
  'a%2f..%2fb',
  '%2fetc',
  'a%00',
  'a%5c..%5cb',
  '%c0%ae%c0%ae/etc',
  '%ff',
  '..%c0%af',
] as const;

const uris = [
  'memory:///in/../secret',
  'memory:///in/%2e%2e/secret',
  'memory:///in/a%2f..%2f..%2fsecret',
  'memory:///in/%2fsecret',
  'memory:///in//secret',
  'memory:///in/a%5cb',
  'memory:///in/',
  'memory:///in',
  'memory:///inside/a',
  'memory:///in/a%00',
  'memory:///in/%zz',
  'javascript:alert(1)',
  'file:///etc/passwd',
] as const;

describeMatrix('paths of uploads', (entry) => {
  it('that lead out of the storage, or mean two things, are refused in every form', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const asked = [
      ...paths.map((path) => `path=${encodeURIComponent(path)}`),
      ...encoded.map((path) => `path=${path}`),
      ...uris.map((uri) => `uri=${encodeURIComponent(uri)}`),
    ];
    for (const query of asked) {
      for (const more of ['', '&transferId=t']) {
        const answer = await world.send(upload('', 'x', { request: `POST ${files}?${query}${more}` }));
        expect([query, answer.status], answer.body).toEqual([query, 400]);
      }
    }
    expect([world.from.files.size, world.from.staged.size]).toEqual([0, 0]);
    expect([await rowsOf(world, 'file'), await rowsOf(world, 'transfer')]).toEqual([[], []]);
  });

  it('that only look like it are files of that name', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const names = ['..a', '...', 'a..b/c', '.hidden', 'a%2fb', '%2e%2e', "it's", 'ü/ö', '~', 'CON', 'a b', '+'];
    for (const name of names) expect([name, (await world.send(upload(name, name))).status]).toEqual([name, 200]);
    for (const name of names) expect(textAt(world.from, name)).toBe(name);
    const found = (await rowsOf(world, 'file')).map(({ path }) => path);
    expect(found).toEqual(names);
  });
});

describeMatrix('the upload of another user', (entry) => {
  it('is not gone on with by its name: the word of a client counts for itself only', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(part({ ...mine, index: 0 }, 'hello '));
    const stolen = await world.send(part({ ...mine, index: 6 }, 'WORLD', { as: other }));
    // To the other user the path is taken, and the upload does not exist.
    expect([stolen.status, stolen.headers.get('portico-error')]).toEqual([409, 'file-exists']);
    expect(bodyOf(await world.send(part({ ...mine, index: 6 }, 'world')))['state']).toBe('CLOSED');
    expect(textAt(world.from, 'a')).toBe('hello world');
  });

  it('of the same file does not mix with it, whatever both call it', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(upload('a', 'old'));
    const replace = (as: typeof other, index: number, text: string) => ({
      ...part({ ...mine, index }, text, { as }),
      request: 'POST /API/file/VX-1/data?transferId=mine',
    });
    await world.send(replace(uploader, 0, 'hello '));
    await world.send(replace(other, 0, 'HELLO '));
    await world.send(replace(other, 6, 'WORLD'));
    expect(textAt(world.from, 'a')).toBe('HELLO WORLD');
    await world.send(replace(uploader, 6, 'world'));
    expect(textAt(world.from, 'a')).toBe('hello world');
  });

  it('cannot be guessed by its id, and nothing tells whether it exists', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(part({ ...mine, index: 0 }, 'hello '));
    const id = String((await rowsOf(world, 'transfer'))[0]!['id']);
    const stripped = async (name: string) => {
      const { status, body } = await world.send({ as: other, request: `GET /API/transfer/${name}`, headers: json });
      return [status, body.replaceAll(name, '')];
    };
    expect(await stripped(id)).toEqual(await stripped('nothing'));
    expect(await stripped('mine')).toEqual(await stripped('nothing'));
    const taken = part({ path: 'b', id, size: 11, index: 0 }, 'HELLO ', { as: other });
    expect((await world.send(taken)).status).toBe(200);
    expect((await rowsOf(world, 'transfer')).map(({ owner, name }) => [owner, name])).toEqual([
      ['uploader', 'mine'],
      ['other', id],
    ]);
  });

  it('is not ended, nor slowed down, by somebody who only reads', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(part({ ...mine, index: 0 }, 'hello '));
    const before = await rowsOf(world, 'transfer');
    const id = String(before[0]!['id']);
    const attempts = [
      { as: viewer, request: `PUT /API/transfer/${id}?priority=1` },
      { as: viewer, request: `POST ${files}?path=a&transferId=mine` },
    ];
    for (const sent of attempts) expect((await world.send(sent)).status).toBeGreaterThanOrEqual(403);
    expect(await rowsOf(world, 'transfer')).toEqual(before);
  });
});

describeMatrix('floods of an upload', (entry) => {
  it('with ten thousand gaps in one file are refused before its row grows without end', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(part({ path: 'a', id: 'mine', size: 1_000_000, index: 0 }, 'x'));
    const gaps = JSON.stringify(Array.from({ length: 10_000 }, (_, at) => [at * 10, at * 10 + 1]));
    await world.service.store.commit(
      { changes: [{ sql: 'UPDATE transfer SET ranges = ?, received = 10000', args: [gaps] }], events: [] },
      { user: 'test' },
    );
    const answer = await world.send(part({ path: 'a', id: 'mine', size: 1_000_000, index: 500_000 }, 'x'));
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([409, 'part-conflict']);
    expect((await rowsOf(world, 'transfer'))[0]!['ranges']).toBe(gaps);
  });

  it('with an endless name are refused', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const answer = await world.send(part({ ...mine, id: 'x'.repeat(256), index: 0 }, 'hello '));
    expect([answer.status, await rowsOf(world, 'transfer')]).toEqual([400, []]);
  });

  it('with sizes that no number holds are refused', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    for (const size of ['9999999999999999', '-1', '1.5', '0x10', '', ' ', 'NaN']) {
      const answer = await world.send(part({ ...mine, index: 0 }, 'hello ', { headers: { size } }));
      expect([size, answer.status]).toEqual([size, 400]);
    }
    const huge = await world.send(part({ ...mine, size: 999_999_999_999_999, index: 0 }, 'hello '));
    expect(huge.status).toBe(413);
  });

  it('never read a body of bytes into memory as a document, however large', async () => {
    const world = await worldOf('uploads', { settings: { maxBodyBytes: 1024 } }, entry.open);
    const answer = await world.send(upload('a', 'x'.repeat(100_000), { as: admin }));
    expect([answer.status, bodyOf(answer)['size']]).toEqual([200, 100_000]);
  });
});
