import { beforeAll, describe, expect, it } from 'vitest';
import { ended } from '../../support/files.ts';
import { asking, rowsOf, textAt } from '../../support/requests.ts';
import { dataOf, itemOf } from '../../support/transfers.ts';
import { importer, type RoomWorld, sharedWorld } from '../../support/world.ts';

const ask = asking(importer);

const type = 'multipart/form-data; boundary=edge';
const file = (bytes: string, name = 'filename="clip.txt"', more = '') =>
  `--edge\r\nContent-Disposition: form-data; name="f"; ${name}\r\nContent-Type: text/plain\r\n${more}\r\n${bytes}\r\n`;
const field = (bytes: string) => `--edge\r\nContent-Disposition: form-data; name="note"\r\n\r\n${bytes}\r\n`;
const end = '--edge--\r\n';
const tricky = 'a\r\n--edg\r\r\n-\r\n--edg\0é';

describe('a form with a file', () => {
  let world: RoomWorld;
  const shared = sharedWorld('imports');
  beforeAll(() => {
    world = shared();
  });

  /** In pieces of a few bytes, so that each mark is cut somewhere. */
  const pieces = (text: string, size: number) => {
    const bytes = new TextEncoder().encode(text);
    let at = 0;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.byteLength) return controller.close();
        controller.enqueue(bytes.slice(at, at + size));
        at += size;
      },
    });
  };
  const send = (request: string, body: string, contentType = type, size = 0) =>
    world.send({
      ...ask(request),
      headers: { accept: 'application/json', 'content-type': contentType },
      body: size > 0 ? pieces(body, size) : body,
    });
  const textOf = (path: string) => textAt(world.from, path);
  const nothing = async () => [await rowsOf(world, 'file'), [...world.from.staged.keys()]];

  it.each([1, 2, 3, 5, 7, 11, 64, 0])('is kept as its file alone, in pieces of %s bytes', async (size) => {
    const body = `${field('left alone')}${file(tricky)}${field('this, too')}${end}`;
    const answer = await send(`POST /API/storage/VX-1/file/data?path=whole-${size}.txt`, body, type, size);
    expect([answer.status, textOf(`whole-${size}.txt`)], answer.body).toEqual([200, tricky]);
  });

  it.each([
    ['an empty file', `${file('')}${end}`, '', type],
    ['text ahead of it', `ahead\r\n${file('a')}${end}behind`, 'a', type],
    ['a boundary in quotes', `${file('a')}${end}`, 'a', 'Multipart/Form-Data; charset=utf-8; boundary="edge"'],
    ['no line at its end', `${file('a')}--edge--`, 'a', type],
  ])('may have %s', async (name, body, kept, contentType) => {
    const answer = await send(`POST /API/storage/VX-1/file/data?path=${encodeURIComponent(name)}`, body, contentType);
    expect([answer.status, textOf(name)], answer.body).toEqual([200, kept]);
  });

  it.each([
    ['another kind of parts', `${file('a')}${end}`, 'multipart/mixed; boundary=edge', 415],
    ['no boundary', `${file('a')}${end}`, 'multipart/form-data', 415],
    ['two files', `${file('a')}${file('b')}${end}`, type, 415],
    ['no file', `${field('a')}${end}`, type, 415],
    ['an encoded file', `${file('YQ==', undefined, 'Content-Transfer-Encoding: base64\r\n')}${end}`, type, 415],
    ['fields without end', `${field('a'.repeat(70_000))}${file('a')}${end}`, type, 415],
    ['a head without end', `--edge\r\nA: ${'a'.repeat(70_000)}`, type, 415],
    ['no end', file('a'), type, 400],
  ])('with %s is refused, and nothing is kept of it', async (_, body, contentType, status) => {
    const before = await nothing();
    for (const path of ['storage/VX-1/file/data?path=refused.txt', 'import/raw?storageId=VX-1']) {
      const answer = await send(`POST /API/${path}`, body, contentType);
      expect(answer.status, answer.body).toBe(status);
    }
    expect(await nothing()).toEqual(before);
  });

  it.each([
    ['a path', 'filename="C:\\\\in\\\\clip one.txt"', 'clip one.txt'],
    ['a plain name', 'filename=clip.txt', 'clip.txt'],
    ['letters of Unicode', 'filename="x"; filename*=UTF-8\'\'h%C3%A6vn.txt', 'hævn.txt'],
  ])('gives an import its name, also %s', async (_, name, told) => {
    const answer = await send('POST /API/import/raw?storageId=VX-1', `${file('hello', name)}${end}`);
    expect(answer.status, answer.body).toBe(200);
    const job = await ended(world, (JSON.parse(answer.body) as { jobId: string }).jobId);
    const item = await itemOf(world, dataOf(job, 'itemId')!, importer);
    expect(item.fields['originalFilename']).toBe(told);
    const [{ path } = { path: '' }] = item.shape[0]!.binaryComponent![0]!.file;
    expect([path.endsWith('.txt'), textOf(path)]).toEqual([true, 'hello']);
  });
});
