import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { CommandError, type LocalFile } from '../../room/command.ts';

/** A file of this machine, or the files of a folder with those of the folders in it, by their names. */
export async function* localFiles(path: string): AsyncGenerator<LocalFile> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new CommandError(`Expected a file or a folder: "${path.slice(0, 80)}"`);
  if (found.isFile()) {
    yield local(path, found.size);
    return;
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  for (const file of files.map((entry) => join(entry.parentPath, entry.name)).sort()) {
    yield local(file, (await stat(file)).size);
  }
}

const local = (path: string, size: number): LocalFile => ({
  name: basename(path),
  size,
  open: () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>,
});
