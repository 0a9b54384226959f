import type { Settings } from '../../service/settings.ts';

/** A command line that cannot be followed. */
export class CommandError extends Error {}

export interface Given {
  readonly words: readonly string[];
  has(flag: string): boolean;
  /** What was given for one of its own options, each time. */
  option(name: string): readonly string[];
  settings(): Settings;
}

export interface Command {
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
  run(given: Given): Promise<void> | void;
}
