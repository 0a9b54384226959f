import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { rooms } from '../../composition/rooms.ts';
import type { Service } from '../../composition/service.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { systemRandom } from '../../core/lib/random.ts';
import { CommandError, type LocalFile, type RoomCommand } from '../../room/command.ts';
import { printLine } from '../output.ts';
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
async function* localFiles(path: string): AsyncGenerator<LocalFile> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats) throw new CommandError(`Expected a file or a folder: "${path.slice(0, 80)}"`);
  if (stats.isFile()) {
    yield local(path, stats.size);
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
        const provides = (opened as Readonly<Record<string, unknown>>)[room];
        const context = {
          store,
          provides,
          settings,
          random: systemRandom,
          now: () => systemClock.now(),
          tell: printLine,
          sleep: (milliseconds: number) => systemClock.sleep(milliseconds),
          readPassword,
          localFiles,
        };
        await run(given, context as never);
      };
      await withService(settings, work);
    },
  };
}
