import { execFileSync } from 'node:child_process';
import { crc32 as byZlib } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { crc32, portableCrc32 } from '../../../src/core/lib/crc32.ts';
import { type ZipEntry, zipOf } from '../../../src/core/lib/zip.ts';
import { maxTurnLength } from '../../support/turns.ts';
import { hasPython, unzipped } from '../../support/zips.ts';

const utf8 = new TextEncoder();
const streamOf = (...pieces: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });

const file = (name: string, text: string, more: Partial<ZipEntry> = {}): ZipEntry => {
  const bytes = utf8.encode(text);
  return { name, size: bytes.length, open: (from) => streamOf(bytes.subarray(from)), ...more };
};

const zeros = new Uint8Array(1024 * 1024);
/** A file of zeros that is nowhere. `read`: counts its bytes. */
const sparse = (name: string, size: number, read: (bytes: number) => void = () => undefined): ZipEntry => ({
  name,
  size,
  open(from) {
    let at = from;
    return new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (at === size) return controller.close();
          const piece = zeros.subarray(0, Math.min(zeros.length, size - at));
          at += piece.length;
          read(piece.length);
          controller.enqueue(piece);
        },
      },
      { highWaterMark: 0 },
    );
  },
});

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('an archive', () => {
  const modified = Date.UTC(2026, 10, 28, 13, 4, 54);
  const entries = [file('Filmé ☃.txt', 'one', { modified }), file('empty', ''), file('b/c.txt', 'two two')];

  it('is as long as was told before, and each part of it is the same bytes', async () => {
    const { size, open } = zipOf(entries);
    const whole = await bytesOf(open(0, size));
    expect(whole.length).toBe(size);
    for (let from = 0; from <= size; from += 7)
      for (const end of [size, Math.min(from + 40, size)])
        expect((await bytesOf(zipOf(entries).open(from, end))).equals(whole.subarray(from, end))).toBe(true);
  });

  it.runIf(hasPython)('is read by Python and unzip', async () => {
    const { size, open } = zipOf(entries);
    expect(unzipped(await bytesOf(open(0, size)))).toEqual([
      { name: 'Filmé ☃.txt', size: 3, date: [2026, 11, 28, 13, 4, 54], text: 'one' },
      { name: 'empty', size: 0, date: [1980, 1, 1, 0, 0, 0], text: '' },
      { name: 'b/c.txt', size: 7, date: [1980, 1, 1, 0, 0, 0], text: 'two two' },
    ]);
  });

  it.runIf(hasPython)('has ten thousand entries', async () => {
    const { size, open } = zipOf(Array.from({ length: 10_000 }, (_, at) => file(`${at}.txt`, String(at))));
    const files = unzipped(await bytesOf(open(0, size)));
    expect([files.length, files.at(-1)]).toMatchObject([10_000, { name: '9999.txt', text: '9999' }]);
  });

  it('has more entries than fit into 16 bits', async () => {
    const count = 70_000;
    const many = Array.from({ length: count }, (_, at) => file(`${at}`, ''));
    const { size, open } = zipOf(many, new Map(many.map((entry) => [entry, 0])));
    const end = await bytesOf(open(size - 98, size));
    expect([end.readUInt32LE(0), end.readUInt32LE(76)]).toEqual([0x06064b50, 0x06054b50]);
    expect([end.readBigUInt64LE(24), end.readUInt16LE(86)]).toEqual([BigInt(count), 0xffff]);
  });

  it.runIf(hasPython)(
    'of more than four gigabytes has fields of 64 bits, and is read with none of them on a disk',
    async () => {
      const gigabytes = 5 * 1024 ** 3;
      const large = [file('first', 'one'), sparse('large', gigabytes), file('far', 'two')];
      // Check sums that are known already: the bytes between are nobody's business here.
      const sums = new Map(
        large.map((entry) => [
          entry,
          entry.size === gigabytes ? 7 : crc32(utf8.encode(entry.name === 'far' ? 'two' : 'one')),
        ]),
      );
      const { size, open } = zipOf(large, sums);
      const [head, tail] = [await bytesOf(open(0, 200)), await bytesOf(open(size - 500, size))];
      const script = `
import io, json, sys, zipfile
size, head, tail = int(sys.argv[1]), bytes.fromhex(sys.argv[2]), bytes.fromhex(sys.argv[3])
class Sparse(io.RawIOBase):
  at = 0
  def seekable(self): return True
  def readable(self): return True
  def tell(self): return self.at
  def seek(self, to, whence=0):
    self.at = to + (0 if whence == 0 else self.at if whence == 1 else size)
    return self.at
  def read(self, count=-1):
    count = size - self.at if count < 0 else min(count, size - self.at)
    assert count < 100000
    out = bytes((head[i] if i < len(head) else tail[i - size + len(tail)] if i >= size - len(tail) else 0) for i in range(self.at, self.at + count))
    self.at += count
    return out
with zipfile.ZipFile(Sparse()) as z:
  print(json.dumps([[i.filename, i.file_size, i.header_offset] for i in z.infolist()] + [z.read('first').decode(), z.read('far').decode()]))
`;
      const args = ['-c', script, String(size), head.toString('hex'), tail.toString('hex')];
      expect(JSON.parse(execFileSync('python3', args).toString())).toEqual([
        ['first', 3, 0],
        ['large', gigabytes, 54],
        ['far', 3, 54 + 55 + gigabytes + 24],
        ...['one', 'two'],
      ]);
    },
  );

  it('goes on without reading what has its check sum, and tells what else it reads again', async () => {
    let read = 0;
    const large = sparse('large', 8 * zeros.length, (bytes) => {
      read += bytes;
    });
    const sums = new Map<ZipEntry, number>();
    const { size, open, unknownBefore } = zipOf([file('first', 'one'), large, file('last', 'two')], sums);
    expect(unknownBefore(0)).toBe(0);
    expect(unknownBefore(54 + 35 + zeros.length)).toBe(3 + zeros.length);
    expect(unknownBefore(size)).toBe(6 + large.size);
    const whole = await bytesOf(open(0, size));
    expect([read, unknownBefore(size)]).toEqual([large.size, 0]);
    read = 0;
    expect((await bytesOf(open(size - 300, size))).equals(whole.subarray(size - 300))).toBe(true);
    expect(read).toBeLessThanOrEqual(zeros.length);
    read = 0;
    expect((await bytesOf(open(200 + zeros.length, size))).equals(whole.subarray(200 + zeros.length))).toBe(true);
    expect(read).toBeLessThanOrEqual(7 * zeros.length);
  });

  it('reads no byte before it is wanted, and lets go of its file when its reader leaves', async () => {
    let [opened, left, read] = [0, 0, 0];
    const watched: ZipEntry = {
      name: 'film',
      size: 64 * zeros.length,
      open() {
        opened++;
        const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
          read++;
          controller.enqueue(zeros);
        };
        return new ReadableStream({ pull, cancel: () => void left++ }, { highWaterMark: 0 });
      },
    };
    const { size, open } = zipOf([watched, watched]);
    const reader = open(0, size).getReader();
    expect([opened, read]).toEqual([0, 0]);
    for (let count = 0; count < 4; count++) await reader.read();
    expect([opened, read]).toEqual([1, 3]);
    await reader.cancel();
    expect([opened, left]).toEqual([1, 1]);
  });

  it.each([
    ['shorter', 'tw'],
    ['longer', 'two two'],
  ])('breaks off where a file has become %s, and never ends as if it were whole', async (_, now) => {
    const { size, open } = zipOf([file('first', 'one'), file('second', now, { size: 3 })]);
    await expect(bytesOf(open(0, size))).rejects.toThrow('Expected the size of "second" to stay as it was');
  });

  it('lets others run while it adds up large pieces', async () => {
    const piece = new Uint8Array(16 * 1024 * 1024);
    const entry: ZipEntry = { name: 'piece', size: piece.length, open: () => streamOf(piece) };
    const turn = await maxTurnLength(3, 50, async () => {
      const { size, open } = zipOf([entry]);
      const reader = open(0, size).getReader();
      while (!(await reader.read()).done);
    });
    expect(turn).toBeLessThan(50);
  });
});

describe('the check sum', () => {
  it.each([
    ['of the runtime', crc32],
    ['of the service', portableCrc32],
  ])('%s is that of others, in one piece or several', (_, sum) => {
    const bytes = Uint8Array.from({ length: 1003 }, (_, at) => (at * 2654435761) >>> 13);
    expect(sum(utf8.encode('123456789'))).toBe(0xcbf43926);
    for (const at of [0, 1, 7, 8, 9, 500, 1003])
      expect(sum(bytes.subarray(at), sum(bytes.subarray(0, at)))).toBe(sum(bytes));
    if (byZlib) expect(sum(bytes)).toBe(byZlib(bytes));
  });
});
