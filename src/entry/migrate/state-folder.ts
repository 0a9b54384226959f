import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateFolder, StoredLine } from './journal.ts';

const newline = 0x0a;

/** A folder of this machine that only its owner reads: it has names of people, and what they wrote. */
export async function stateFolder(path: string): Promise<StateFolder & { close(): Promise<void> }> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const handles = new Map<string, Promise<Appended>>();
  const waiting = new Map<string, Line[]>();
  let last: Promise<void> = Promise.resolve();

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
  /** Writes all lines at once that have come while others were written. */
  async function appendTo(name: string): Promise<void> {
    const lines = waiting.get(name) ?? [];
    waiting.delete(name);
    try {
      const file = await fileOf(name);
      let text = file.isTorn ? '\n' : '';
      let offset = file.size + text.length;
      const places = lines.map((line) => {
        const length = Buffer.byteLength(line.text);
        const place = { offset, length };
        text += `${line.text}\n`;
        offset += length + 1;
        return place;
      });
      await file.handle.appendFile(text);
      file.size = offset;
      file.isTorn = false;
      for (const [at, { written }] of lines.entries()) written(places[at]!);
    } catch (error) {
      for (const { failed } of lines) failed(error);
    }
  }

  return {
    lines: (name) => linesOf(join(path, name)),
    async lineAt(name, { offset, length }) {
      const { handle } = await fileOf(name);
      const { buffer } = await handle.read(new Uint8Array(length), 0, length, offset);
      return new TextDecoder().decode(buffer);
    },
    append: (name, text) =>
      new Promise((written, failed) => {
        const lines = waiting.get(name);
        const line = { text, written, failed };
        if (lines) lines.push(line);
        else {
          waiting.set(name, [line]);
          last = last.then(() => appendTo(name));
        }
      }),
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

interface Line {
  readonly text: string;
  written(place: Omit<StoredLine, 'text'>): void;
  failed(error: unknown): void;
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
