import type { Random } from '../lib/random.ts';
import type { Store } from '../store/store.ts';

/** A command line that cannot be followed. */
export class CommandError extends Error {}

/** What was written behind the name of a command. */
export interface CommandLine {
  readonly words: readonly string[];
  has(flag: string): boolean;
  /** What was given for one of its own options, each time. */
  option(name: string): readonly string[];
}

/** How a command is written: for the manual, and to read its line. */
export interface CommandForm {
  readonly usage: string;
  readonly says: string;
  /** Names of the words that it takes; all of them must be there. */
  readonly words?: readonly string[];
  /** Words that may follow them. */
  readonly optional?: readonly string[];
  /** Its own flags, which take no value. */
  readonly flags?: readonly string[];
  /** Its own options, which take a value and may be repeated. */
  readonly options?: readonly string[];
  /** A sentence for each flag and option, and for words that need one: "portico help COMMAND" prints them. */
  readonly about?: Readonly<Record<string, string>>;
}

/** What a command of a room works with: the database beside a running server, without a listener. */
export interface Desk<Offers = unknown, Settings = unknown> {
  readonly store: Store;
  /** Of its own room. */
  readonly offers: Offers;
  readonly settings: Settings;
  readonly random: Random;
  now(): number;
  tell(text: string): void;
  sleep(milliseconds: number): Promise<void>;
  readPassword(): Promise<string>;
}

/** A command that a room brings. It asks for no credentials: it is for those who have the database. */
export interface RoomCommand<D = never> extends CommandForm {
  /** It works with the storages that security.ini and the host bring. */
  readonly opensStorages?: true;
  run(line: CommandLine, desk: D): Promise<void>;
}

/** By name: `user add`. */
export type RoomCommands<D = never> = Readonly<Record<string, RoomCommand<D>>>;
