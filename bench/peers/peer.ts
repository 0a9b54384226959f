import type { Request } from './client.ts';
import type { WorkName } from './work.ts';

/** Where a server of a run keeps its data and listens, and where fetched programs are. */
export interface Place {
  readonly folder: string;
  readonly port: number;
  readonly downloads: string;
}

export interface Command {
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Requests one after the other, or a whole transfer. */
export type Task = ((serial: number) => Request) | { transfer(turn: number): Promise<void> };

export interface Column {
  readonly name: string;
  readonly tasks: Partial<Readonly<Record<WorkName, Task>>>;
  /** Reads one item, to see after a kill whether it is there. */
  item?(id: string): Request;
}

/** A server to compare with. */
export interface Peer {
  readonly name: string;
  /** A path with an answer below 500 as soon as the server listens. */
  readonly ready: string;
  /** Fetches the program. Throws what is missing. */
  get?(downloads: string): Promise<void>;
  /** Runs once in the new folder, before the first start. */
  create?(place: Place): Promise<void>;
  command(place: Place): Command;
  /** Fills the running server, and tells the requests to it. */
  fill(place: Place, items: number): Promise<readonly Column[]>;
}
