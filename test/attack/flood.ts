/** Facts about the started server that the floods use. */
export interface Given {
  /** Token of mallory, who is no administrator and has the roles that the floods need. */
  readonly token: string;
  /** Tokens of mallory and of the accounts that attack with mallory. */
  readonly tokens: readonly string[];
  /** Accounts whose owners come in for the first time while the flood goes on. */
  readonly accounts: readonly string[];
  /** The largest document and pattern that the server took at the preparation. */
  readonly accepted: Readonly<Record<string, string>>;
  /** Address of a folder that exports may write to. */
  readonly folder: string;
}

export interface Flood {
  readonly name: string;
  readonly connections: number;
  readonly seconds: number;
  /** Owners who come in for the first time meanwhile. Each costs a hash at the preparation. */
  readonly newcomers: number;
  /** Settings of the server, beside those that all floods have. */
  readonly settings?: Readonly<Record<string, string>>;
  /** MiB of the V8 heap at most. Absent: V8 decides, which leaves garbage for as long as the machine has memory. */
  readonly heap?: number;
  /** Statements for the database after that: what a caller would need many requests for. */
  readonly rows?: readonly string[];
  /** Requests that the preparation sends; of the candidates for one name the first that is accepted counts. */
  prepare?(token: string, tokens: readonly string[]): readonly Candidate[];
  /** Makes one request of the flood. Absent: the connections are `held`. */
  next?(serial: number, given: Given): Buffer;
  /** How many different requests there are; the flood makes each of them once. Absent: each one is new. */
  readonly different?: number;
  /** First bytes of each connection, and bytes that it sends slowly afterwards. */
  readonly held?: { begin(serial: number, given: Given): Buffer; readonly drip?: string };
  /** The most expensive single requests, each of which is sent alone to measure its turn. */
  worst?(given: Given): readonly Buffer[];
  /** An honest caller starts jobs meanwhile, one after the other, by this path. */
  jobs?(folder: string): string;
  /** How many accounts attack. Absent: mallory alone. */
  readonly attackers?: number;
  /** An honest caller opens streams of events meanwhile. */
  readonly streams?: true;
  /** An honest caller asks this meanwhile. */
  readonly search?: Search;
  /** The server is told to stop while the flood goes on. */
  readonly stops?: true;
  /** Answers are long: the flood reads them to their end and keeps nothing of them. */
  readonly long?: true;
  /** Requests that the administrator sends before the flood. */
  byAdmin?(folder: string): readonly (readonly [method: string, path: string, body?: unknown])[];
  /** Whether an answer tells what the caller may not read. */
  tells?(body: string): boolean;
  /** Whether an answer shows that the server did not see a header. */
  hides?(body: string): boolean;
}

export interface Search {
  readonly path: string;
  readonly document: unknown;
}

export interface Candidate {
  readonly name: string;
  /** Tells the flood which candidate was taken. */
  readonly as: string;
  readonly bytes: Buffer;
}
