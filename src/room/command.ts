import type { Random } from '../core/lib/random.ts';
import type { Store } from '../core/store/store.ts';

/** An invalid command line. */
export class CommandError extends Error {}

/** Words, flags and options after the name of a command. */
export interface CommandLine {
  readonly words: readonly string[];
  has(flag: string): boolean;
  /** Values of a repeatable option of the command. */
  option(name: string): readonly string[];
}

/** Syntax of a command, for the manual and the parser. */
export interface CommandForm {
  readonly usage: string;
  readonly says: string;
  /** Names of the required words. */
  readonly words?: readonly string[];
  /** Names of the optional words after them. */
  readonly optional?: readonly string[];
  /** Flags of the command, without a value. */
  readonly flags?: readonly string[];
  /** Repeatable options of the command, with a value. */
  readonly options?: readonly string[];
  /** Explanations of flags, options and words, printed by "portico help COMMAND". */
  readonly about?: Readonly<Record<string, string>>;
}

/** Environment of a room's command: the database, possibly beside a running server, without a listener. */
export interface CommandContext<Provided = unknown, Settings = unknown> {
  readonly store: Store;
  /** Interface of the command's own room. */
  readonly provides: Provided;
  readonly settings: Settings;
  readonly random: Random;
  now(): number;
  tell(text: string): void;
  /** Replaces the status line of a terminal. An empty text removes it. Undefined: the output is no terminal. */
  readonly rewrite?: ((text: string) => void) | undefined;
  /** Aborted when a signal asks the command to stop. After the first call, that signal no longer ends the process by itself. */
  interruption(): AbortSignal;
  sleep(milliseconds: number): Promise<void>;
  readPassword(): Promise<string>;
  /** A file of the machine of the command, or the files of a folder. */
  localFiles(path: string): AsyncIterable<LocalFile>;
}

/** A file of the machine on which a command runs. */
export interface LocalFile {
  readonly name: string;
  /** Absolute path on the machine of the command. */
  readonly path: string;
  /** Path below the folder that the command names. Undefined: the command names the file. */
  readonly place?: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
  open(signal?: AbortSignal): ReadableStream<Uint8Array>;
}

/** A command of a room. It needs no credentials, since it needs access to the database. */
export interface RoomCommand<D = never> extends CommandForm {
  /** Set if the command opens storages of security.ini and the host. */
  readonly opensStorages?: true;
  run(line: CommandLine, context: D): Promise<void>;
}

/** Commands by name, such as `user add`. */
export type RoomCommands<D = never> = Readonly<Record<string, RoomCommand<D>>>;

/** Prints rows under each other, the first as their heads. */
export function tellTable(tell: CommandContext['tell'], rows: readonly (readonly string[])[]): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const row of rows) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column]!));
    tell(cells.join('  ').trimEnd());
  }
}

const pageRows = 500;

/** Prints a list of any length page by page: each page has columns of its own width. */
export async function tellPages(
  { tell }: Pick<CommandContext, 'tell'>,
  heads: readonly string[],
  none: string,
  read: (page: { readonly offset: number; readonly limit: number }) => Promise<readonly (readonly string[])[]>,
): Promise<void> {
  for (let offset = 0; ; offset += pageRows) {
    const rows = await read({ offset, limit: pageRows });
    if (rows.length === 0 && offset === 0) return tell(none);
    if (rows.length > 0) tellTable(tell, offset === 0 ? [heads, ...rows] : rows);
    if (rows.length < pageRows) return;
  }
}

export const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
