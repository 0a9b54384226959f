import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateFolder, StoredLine } from './journal.ts';

const newline = 0x0a;

/** A folder of this machine that only its owner reads: it has names of people, and what they wrote. */
export async function stateFolder(path: string): Promise<StateFolder & { close(): Promise<void> }> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const handles = new Map<string, Promise<Appended>>();
  let last: Promise<unknown> = Promise.resolve();

  async function openFile(name: string): Promise<Appended> {
    const handle = await open(join(path, name), 'a+', 0o600);
    const { size } = await handle.stat();
    const { buffer } = await handle.read(new Uint8Array(1), 0, 1, Math.max(size - 1, 0));
    return { handle, size, isTorn: size > 0 && buffer[0] !== newline };
  }
  function fileOf(name: string): Promise<Appended> {
    let file = handles.get(name);
    if (!file) {
      file = openFile(name);
      handles.set(name, file);
    }
    return file;
  }
  async function appendTo(name: string, text: string) {
    const file = await fileOf(name);
    const begin = file.isTorn ? '\n' : '';
    const bytes = Buffer.from(`${begin}${text}\n`);
    const offset = file.size + begin.length;
    await file.handle.appendFile(bytes);
    file.size += bytes.byteLength;
    file.isTorn = false;
    return { offset, length: bytes.byteLength - begin.length - 1 };
  }

  return {
    lines: (name) => linesOf(join(path, name)),
    async lineAt(name, { offset, length }) {
      const { handle } = await fileOf(name);
      const { buffer } = await handle.read(new Uint8Array(length), 0, length, offset);
      return new TextDecoder().decode(buffer);
    },
    // Lanes write at once, and a line says where it begins.
    append(name, text) {
      const one = last.then(() => appendTo(name, text));
      last = one.catch(() => undefined);
      return one;
    },
    async write(name, text) {
      const next = join(path, `.${name}.next`);
      await writeFile(next, text, { mode: 0o600 });
      await rename(next, join(path, name));
    },
    async close() {
      await last;
      for (const file of handles.values()) await (await file).handle.close();
    },
  };
}

interface Appended {
  readonly handle: FileHandle;
  size: number;
  /** Whether the last line has no end. */
  isTorn: boolean;
}

async function* linesOf(path: string): AsyncGenerator<StoredLine> {
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  const lineOf = (bytes: Buffer): StoredLine => ({ text: bytes.toString(), offset, length: bytes.byteLength });
  try {
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
      rest = rest.byteLength === 0 ? piece : Buffer.concat([rest, piece]);
      let from = 0;
      for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline, from)) {
        yield lineOf(rest.subarray(from, end));
        offset += end + 1 - from;
        from = end + 1;
      }
      rest = rest.subarray(from);
    }
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ENOENT') throw error;
  }
  if (rest.byteLength > 0) yield lineOf(rest);
}
