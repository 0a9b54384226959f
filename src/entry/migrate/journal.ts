import type { Remark } from './report.ts';

/** Folder that a migration keeps between its runs. */
export interface StateFolder {
  /** Lines of a file, the last one also without its end. None: there is no file. */
  lines(name: string): AsyncIterable<StoredLine>;
  lineAt(name: string, line: Omit<StoredLine, 'text'>): Promise<string>;
  /** Adds a line, and says where it is. */
  append(name: string, text: string): Promise<Omit<StoredLine, 'text'>>;
  /** Replaces a file, at once or not at all. */
  write(name: string, text: string): Promise<void>;
}

export interface StoredLine {
  readonly text: string;
  /** Place of the first byte, and number of bytes without the end of the line. */
  readonly offset: number;
  readonly length: number;
}

/** Digests of the parts of an entity, by their keys. */
export type Digests = Readonly<Record<string, string>>;

/** `isRead`: the original says it each time that it is read. Otherwise it holds until its part is brought again. */
interface NotedRemark extends Remark {
  readonly isRead?: true;
}

/** Entity as it came over. */
interface Noted {
  readonly kind: string;
  /** Id at the original, or name. */
  readonly old: string;
  /** Id here, or name. */
  readonly id: string;
  readonly hash: string;
  readonly parts: Digests;
  /** Remarks on what is not here as it was. */
  readonly remarks?: readonly NotedRemark[];
  /** True: its creation began, and may have ended. */
  readonly begun?: true;
  /** True: it was deleted, here too. */
  readonly gone?: true;
}

/** Milliseconds after which a run begins again, and does not go on where another one was killed. */
const maxPause = 24 * 3_600_000;

interface Pass {
  /** Digest of what the run was told. Empty: it has ended. */
  readonly pass: string;
  readonly began: number;
}

type Row = Pick<Noted, 'id' | 'hash' | 'begun'> & Omit<StoredLine, 'text'>;

const file = 'journal.jsonl';

/** The journal is of another original. */
export class OtherOriginal extends Error {}

/**
 * Notes on what came over, one line each. A lost line costs only time: what it says is found again at the target. The
 * memory has an id and a digest for each entity; their parts stay in the file.
 */
export class Journal {
  readonly #folder: StateFolder;
  readonly #rows = new Map<string, Map<string, Row>>();
  #pass: (Pass & { readonly offset: number }) | undefined;

  private constructor(folder: StateFolder) {
    this.#folder = folder;
  }

  static async open(folder: StateFolder, from: string): Promise<Journal> {
    const journal = new Journal(folder);
    let isHeaded = false;
    for await (const { text, ...place } of folder.lines(file)) {
      const line = objectIn(text) as (Partial<Noted & Pass> & { readonly from?: string }) | undefined;
      if (line?.from !== undefined && line.from !== from) throw new OtherOriginal(line.from);
      isHeaded ||= line?.from !== undefined;
      if (line?.pass !== undefined) journal.#pass = { ...(line as Pass), offset: place.offset };
      if (line?.kind !== undefined) journal.#keep(line as Noted, place);
    }
    // A kill may have torn the last line: the next one begins on its own.
    await folder.append(file, isHeaded ? '' : JSON.stringify({ from }));
    return journal;
  }

  /** Begins a run, or goes on with one that was told the same and was killed. */
  async beginPass(pass: string, now: number): Promise<void> {
    if (this.#pass?.pass === pass && now - this.#pass.began < maxPause) return;
    const line = { pass, began: now };
    this.#pass = { ...line, ...(await this.#folder.append(file, JSON.stringify(line))) };
  }

  async endPass(): Promise<void> {
    await this.#folder.append(file, JSON.stringify({ pass: '', began: 0 }));
  }

  /** Whether an entity came over, or was looked at, in the run that goes on. */
  isFresh(kind: string, old: string): boolean {
    const row = this.#rows.get(kind)?.get(old);
    return row !== undefined && !row.begun && row.offset > (this.#pass?.offset ?? 0);
  }

  find(kind: string, old: string): Pick<Noted, 'id' | 'hash' | 'begun'> | undefined {
    return this.#rows.get(kind)?.get(old);
  }

  /** Parts and remarks as they were noted last. Undefined: they are not known. */
  async lastOf(kind: string, old: string): Promise<Pick<Noted, 'parts' | 'remarks'> | undefined> {
    const row = this.#rows.get(kind)?.get(old);
    if (!row || row.begun) return undefined;
    const noted = objectIn(await this.#folder.lineAt(file, row)) as Partial<Noted> | undefined;
    return noted?.parts && { parts: noted.parts, ...(noted.remarks && { remarks: noted.remarks }) };
  }

  /** All that is not here as it was, of all runs. */
  async *remarks(): AsyncGenerator<Remark> {
    for await (const { text, offset } of this.#folder.lines(file)) {
      if (!text.includes('"remarks"')) continue;
      const { kind = '', old = '', remarks = [] } = (objectIn(text) ?? {}) as Partial<Noted>;
      if (this.#rows.get(kind)?.get(old)?.offset === offset) yield* remarks;
    }
  }

  /** Ids at the original of all that came over. */
  oldIds(kind: string): Iterable<string> {
    return this.#rows.get(kind)?.keys() ?? [];
  }

  async note(noted: Noted): Promise<void> {
    this.#keep(noted, await this.#folder.append(file, JSON.stringify(noted)));
  }

  /** Says that an entity is about to be created. */
  begin(kind: string, old: string): Promise<void> {
    return this.note({ kind, old, id: '', hash: '', parts: {}, begun: true });
  }

  /** Says that an entity was deleted. */
  forget(kind: string, old: string): Promise<void> {
    return this.note({ kind, old, id: '', hash: '', parts: {}, gone: true });
  }

  /** Whether the creation of any entity of the kind began and its end was not noted. */
  hasBegun(kind: string): boolean {
    return [...(this.#rows.get(kind)?.values() ?? [])].some(({ begun }) => begun === true);
  }

  #keep({ kind, old, id, hash, begun, gone }: Noted, place: Omit<StoredLine, 'text'>): void {
    let rows = this.#rows.get(kind);
    if (!rows) {
      rows = new Map();
      this.#rows.set(kind, rows);
    }
    if (gone) rows.delete(old);
    else rows.set(old, { id, hash, ...(begun && { begun }), ...place });
  }
}

function objectIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
