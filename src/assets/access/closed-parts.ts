import type { Reader } from '../../core/store/statement.ts';
import { type ClosedIn, closedFields, closedShapes, closingFor } from './closed-sql.ts';
import { type Contexts, heldGrants, principalsText, ViewerCache } from './contexts.ts';
import type { Grant } from './contexts-sql.ts';
import type { Principals } from './precedence.ts';

/** Fields and shapes that access entries close to a viewer, in entities that the viewer may read. */
export interface ClosedParts {
  /** Undefined: no closed fields. */
  readonly fields: ClosedFields | undefined;
  /** Contexts with closed shapes, as an SQL parameter. Undefined: no closed shapes. */
  readonly shapes: string | undefined;
  /** Size in characters, for the cache. */
  readonly size: number;
  /** Whether entries on libraries apply. */
  readonly ofLibraries: boolean;
}

type Row = Awaited<ReturnType<typeof closedFields>>[number];

/** Entities with closed fields, by field. */
class ClosedFields {
  /** Entities with any closed field. */
  readonly any: ClosedIn;
  readonly size: number;
  readonly #rows: readonly Row[];
  /** Items outside of all contexts. */
  readonly #alone: readonly unknown[];
  readonly #known = new Map<string, ClosedIn | undefined>();

  constructor(rows: readonly Row[]) {
    this.#rows = rows;
    this.size = rows.reduce((sum, { ids }) => sum + ids.length, 0);
    this.#alone = [...new Set(rows.filter(({ kind }) => kind === 'item').flatMap(idsIn))];
    const all = (kind: Row['kind']) => rows.filter((row) => row.kind === kind && row.closed === 1).flatMap(idsIn);
    this.any = this.#closedIn(all('context'), all('item'))!;
  }

  /** Entities in which the field is closed. Undefined: none. */
  of(name: string): ClosedIn | undefined {
    // Names without entries share one result.
    const key = this.#rows.some((row) => row.name === name) ? `n ${name}` : '';
    if (!this.#known.has(key))
      this.#known.set(key, this.#closedIn(this.#ids('context', name), this.#ids('item', name)));
    return this.#known.get(key);
  }

  #ids(kind: Row['kind'], name: string): readonly unknown[] {
    const ids = (named: string | null, closed: number) =>
      this.#rows.filter((row) => row.kind === kind && row.name === named && row.closed === closed).flatMap(idsIn);
    const open = new Set(ids(name, 0));
    return [...ids(null, 1).filter((id) => !open.has(id)), ...ids(name, 1)];
  }

  #closedIn(contexts: readonly unknown[], items: readonly unknown[]): ClosedIn | undefined {
    if (contexts.length + items.length === 0) return undefined;
    const alone = this.#alone.length === 0 ? undefined : { all: textOf(this.#alone), closed: textOf(items) };
    return { contexts: textOf(contexts), alone };
  }
}

const idsIn = ({ ids }: Row): readonly unknown[] => JSON.parse(ids) as readonly unknown[];
const textOf = (ids: readonly unknown[]): string => JSON.stringify([...new Set(ids)]);

export const nothingClosed: ClosedParts = { fields: undefined, shapes: undefined, size: 0, ofLibraries: false };

const closedByCaller = new ViewerCache<ClosedParts>();

/**
 * Cost grows with the contexts and collections that entries of the user reach, and only if some entry closes anything.
 */
export function closedTo(reader: Reader, user: Principals, contexts: Contexts | undefined) {
  const principals = principalsText(user);
  return closedByCaller.get(reader, principals, async () => {
    const { fields, shapes } = (await closingFor(reader, { principals }))!;
    return fields + shapes === 0 ? nothingClosed : closedFor(reader, principals, contexts, fields === 1, shapes === 1);
  });
}

async function closedFor(
  reader: Reader,
  principals: string,
  contexts: Contexts | undefined,
  fields: boolean,
  shapes: boolean,
): Promise<ClosedParts> {
  const ofFields = fields ? await rowsOf(reader, principals, closedFields) : none;
  const ofShapes = shapes ? await rowsOf(reader, principals, closedShapes) : none;
  const rows = readableRows(ofFields.rows, contexts);
  const isClosing = rows.some(({ closed, ids }) => closed === 1 && ids !== '[]');
  const fieldSet = isClosing ? new ClosedFields(rows) : undefined;
  const ranks = ofShapes.rows[0]?.ids;
  const size = (fieldSet?.size ?? 0) + (ranks?.length ?? 0);
  return { fields: fieldSet, shapes: ranks, size, ofLibraries: ofFields.ofLibraries || ofShapes.ofLibraries };
}

/**
 * Rows without contexts that the viewer may not read: all fields are closed there, and nothing is found. With libraries all
 * stay, since some items of such a context may be readable.
 */
function readableRows(rows: readonly Row[], contexts: Contexts | undefined): readonly Row[] {
  if (rows.length === 0 || !contexts || contexts.ofLibraries || contexts.alone('READ')) return rows;
  const readable = new Set(JSON.parse(contexts.having('READ')) as unknown[]);
  return rows.map((row) =>
    row.kind === 'context' ? { ...row, ids: JSON.stringify(idsIn(row).filter((id) => readable.has(id))) } : row,
  );
}

interface ClosedRows {
  readonly rows: readonly Row[];
  readonly ofLibraries: boolean;
}

const none: ClosedRows = { rows: [], ofLibraries: false };

/** Second query only for grants that depend on other entries, which few users have. */
async function rowsOf(reader: Reader, principals: string, query: typeof closedFields): Promise<ClosedRows> {
  const rowsHeldBy = (grantIds: readonly string[]) => query(reader, { principals, held: grantIds });
  const first = await rowsHeldBy([]);
  const others = first.find(({ kind }) => kind === 'grant');
  const rows = others ? await rowsHeldBy(await heldGrants(reader, JSON.parse(others.ids) as readonly Grant[])) : first;
  return {
    rows: rows.filter(({ kind }) => kind === 'context' || kind === 'item'),
    ofLibraries: rows.some(({ kind }) => kind === 'library'),
  };
}
