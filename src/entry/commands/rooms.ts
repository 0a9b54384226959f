import { createReadStream, type Dirent, type Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { rooms } from '../../composition/rooms.ts';
import type { Service } from '../../composition/service.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { systemRandom } from '../../core/lib/random.ts';
import { CommandError, type LocalFile, type RoomCommand } from '../../room/command.ts';
import { forTerminal, printLine } from '../output.ts';
import { gatherSecurity } from '../plugins/read-input.ts';
import type { Command } from './command.ts';
import { withService } from './command.ts';

/** Reads one line from the input. A terminal gets a prompt and shows no typed characters. */
export function readPassword(): Promise<string> {
  const terminal = process.stdin.isTTY === true;
  if (terminal) process.stderr.write('Password: ');
  const nowhere = new Writable({ write: (_chunk, _encoding, written) => written() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal });
  return new Promise((resolve) => {
    let line = '';
    lines.once('line', (text) => {
      line = text;
      lines.close();
    });
    lines.once('close', () => {
      if (terminal) process.stderr.write('\n');
      resolve(line);
    });
  });
}

/** A file of this machine, or the files of a folder with those of the folders in it, by their names. */
async function* localFiles(source: string): AsyncGenerator<LocalFile> {
  const stats = await stat(source).catch(() => undefined);
  if (!stats) throw new CommandError(`Expected a file or a folder: "${source.slice(0, 80)}"`);
  const path = await realpath(source);
  if (stats.isFile()) yield local(path, stats);
  else yield* filesIn(path, path);
}

/** Holds one folder at a time. A file or folder that cannot be read fails when it is opened, and stops no other. */
async function* filesIn(folder: string, root: string): AsyncGenerator<LocalFile> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    yield { ...local(folder, { size: 0, mtimeMs: 0 }, root), open: () => errored(error) };
    return;
  }
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path, root);
    // A file that was removed since the folder was read fails when it is opened.
    else if (entry.isFile()) yield local(path, await stat(path).catch(() => ({ size: 0, mtimeMs: 0 })), root);
  }
}

const errored = (error: unknown) => new ReadableStream<Uint8Array>({ start: (stream) => stream.error(error) });

const local = (path: string, { size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>, root?: string): LocalFile => ({
  name: basename(path),
  path,
  ...(root !== undefined && { place: relative(root, path) }),
  size,
  modified: Math.floor(mtimeMs),
  open(signal) {
    // With an aborted signal the file stream emits its error before anything listens, which ends the process.
    if (signal?.aborted) return errored(signal.reason);
    const stream = createReadStream(path, { highWaterMark: pieceBytes, ...(signal && { signal }) });
    return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
  },
});

/** Bytes that are read at once: each piece costs a turn of the loop. */
const pieceBytes = 256 * 1024;

/** Prints lines, and keeps a status line below them on a terminal. */
function screen({ stdout } = process) {
  let last = '';
  const write = (text: string) => {
    stdout.write(`\r\x1b[K${forTerminal(text).slice(0, Math.max(1, (stdout.columns ?? 80) - 1))}`);
    last = text;
  };
  const rewrite = stdout.isTTY === true ? (text: string) => (text === last ? undefined : write(text)) : undefined;
  return {
    rewrite,
    tell(text: string): void {
      const shown = last;
      rewrite?.('');
      printLine(text);
      rewrite?.(shown);
    },
  };
}

/** Turns the first signal to stop into an abort, for commands that ask for it. The second one ends the process. */
function interruptions() {
  const stopping = new AbortController();
  const stop = () => stopping.abort(new CommandError('Stopped'));
  return {
    interruption(): AbortSignal {
      for (const name of signals) process.once(name, stop);
      return stopping.signal;
    },
    release: () => signals.map((name) => process.off(name, stop)),
  };
}
const signals = ['SIGINT', 'SIGTERM'] as const;

/** The commands of all rooms, by name. Each works on the database beside a running server. */
export const roomCommands: readonly (readonly [string, Command])[] = rooms.flatMap((room) =>
  'commands' in room
    ? Object.entries(room.commands).map(([name, command]) => [name, commandOf(room.name, command)] as const)
    : [],
);

function commandOf(room: string, { run, opensStorages, ...form }: RoomCommand): Command {
  return {
    ...form,
    async run(given) {
      const settings = given.settings();
      const security = opensStorages && (await gatherSecurity(settings)).input;
      const work = async ({ store, rooms: opened, groups, configure }: Service) => {
        if (!groups.has(room))
          throw new CommandError(`Expected the extension "${room}", which this service leaves out`);
        // A command must not migrate under a server of another version.
        await store.checkSchema();
        if (security) await configure(security);
        const { interruption, release } = interruptions();
        const provides = (opened as Readonly<Record<string, unknown>>)[room];
        const context = {
          store,
          provides,
          settings,
          random: systemRandom,
          now: () => systemClock.now(),
          ...screen(),
          interruption,
          sleep: (milliseconds: number) => systemClock.sleep(milliseconds),
          readPassword,
          localFiles,
        };
        await run(given, context as never).finally(release);
      };
      await withService(settings, work);
    },
  };
}
