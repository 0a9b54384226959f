import { importCommands } from '../../src/production/ingest/commands.ts';
import type { LocalFile } from '../../src/room/command.ts';
import type { TestClock } from './clock.ts';
import type { TestService } from './service.ts';

/** A file that the command names, or with `place` one of the folder that it names. */
export const localFile = (name: string, content: string | Uint8Array<ArrayBuffer>, place?: string): LocalFile => ({
  name,
  path: `/media/${place ?? name}`,
  ...(place !== undefined && { place }),
  size: content.length,
  modified: 1_700_000_000_000,
  open: () => new Blob([content]).stream(),
});

/** Files of a folder, with their names as contents. */
export const folderOf = (...names: readonly string[]): readonly LocalFile[] =>
  names.map((name) => localFile(name, name, name));

interface Desk {
  readonly service: Pick<TestService['service'], 'store' | 'rooms'>;
  readonly clock: Pick<TestClock, 'now'>;
  /** Whenever the command rests. */
  rest(said: readonly string[]): Promise<void>;
  /** Stops the command. */
  readonly signal?: AbortSignal;
  /** The last line of the terminal, each time that it is written. Undefined: there is no terminal. */
  readonly screen?: string[];
}

/** Runs `portico import` to its end. */
export async function runImport(
  { service, clock, rest, signal = new AbortController().signal, screen }: Desk,
  words: readonly string[],
  files: readonly LocalFile[],
  options: Readonly<Record<string, readonly string[]>> = {},
) {
  const said: string[] = [];
  const line = {
    words,
    has: (flag: string) => options[flag] !== undefined,
    option: (name: string) => options[name] ?? [],
  };
  const context = {
    store: service.store,
    provides: service.rooms.ingest,
    settings: undefined,
    random: undefined,
    now: () => clock.now(),
    tell: (text: string) => said.push(text),
    rewrite: screen && ((text: string) => screen.push(text)),
    interruption: () => signal,
    sleep: () => rest(said),
    readPassword: async () => '',
    async *localFiles() {
      yield* files;
    },
  };
  const ended = await importCommands['import']!.run(line, context as never).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { said, ended };
}
