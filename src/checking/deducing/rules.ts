import type { ComponentRow } from '../../assets/shapes/store.ts';
import type { DeducedComponent } from './components.ts';

/** A file with what it was found to hold. */
export interface DeducedFile {
  readonly fileId: string;
  readonly components: readonly DeducedComponent[];
}

/** What becomes of the components of a shape. */
export interface Filling {
  /** They get what was found, and the file. */
  readonly filled: readonly { readonly row: ComponentRow; readonly fileId: string; readonly to: DeducedComponent }[];
  readonly added: readonly { readonly fileId: string; readonly component: DeducedComponent }[];
  /** A placeholder expected them, or an earlier check found them, and they are not in the file. */
  readonly removed: readonly ComponentRow[];
}

/** Which files the components of a shape have, by component. */
export type FilesOfComponents = ReadonlyMap<string, readonly string[]>;

/**
 * Gives each part of the files its component: the one that has the file already, else one that a placeholder expects,
 * else a new one. A file that only some tracks have says nothing of others.
 */
export function fillingOf(
  rows: readonly ComponentRow[],
  uses: FilesOfComponents,
  files: readonly DeducedFile[],
): Filling {
  const claimed = new Set<string>();
  const filled: Filling['filled'][number][] = [];
  const added: Filling['added'][number][] = [];
  const removed: ComponentRow[] = [];
  const has = ({ id }: ComponentRow, fileId: string) => uses.get(id)?.includes(fileId) ?? false;
  for (const { fileId, components } of files) {
    const own = rows.filter((row) => has(row, fileId));
    const isWhole = own.length === 0 || own.some(({ kind }) => kind === 'container' || kind === 'binary');
    const others = rows.some((row) => !has(row, fileId) && (uses.get(row.id)?.length ?? 0) > 0);
    for (const component of components) {
      const { kind } = component;
      const free = (row: ComponentRow) => row.kind === kind && !claimed.has(row.id);
      const mayTake = isWhole && (kind === 'container' || kind === 'binary' || !others);
      const row = own.find(free) ?? (mayTake ? rows.find((each) => each.expected === 1 && free(each)) : undefined);
      if (row) {
        claimed.add(row.id);
        filled.push({ row, fileId, to: component });
      } else if (mayTake && !(kind === 'container' && rows.some((each) => each.kind === 'container'))) {
        added.push({ fileId, component });
      }
    }
    // The file had these tracks when it was checked before.
    if (isWhole) removed.push(...own.filter((row) => !claimed.has(row.id) && isTrack(row)));
    if (own.length > 0 || components.some(({ kind }) => kind === 'container')) continue;
    // A container was expected of a file that is none.
    const open = rows.find((row) => row.kind === 'container' && row.expected === 1 && !claimed.has(row.id));
    if (open) removed.push(open);
  }
  return { filled, added, removed };
}

/** The same for files that join a shape: each part is one more component, and nothing of the others changes. */
export function joiningOf(
  rows: readonly ComponentRow[],
  uses: FilesOfComponents,
  files: readonly DeducedFile[],
): Filling {
  const claimed = new Set<string>();
  const filled: Filling['filled'][number][] = [];
  const added: Filling['added'][number][] = [];
  for (const { fileId, components } of files) {
    for (const component of components) {
      const { kind } = component;
      // A job that runs again finds those that it has made.
      const row = rows.find(
        (each) => each.kind === kind && !claimed.has(each.id) && uses.get(each.id)?.includes(fileId),
      );
      if (row) {
        claimed.add(row.id);
        filled.push({ row, fileId, to: component });
      } else if (kind !== 'container' || rows.every((each) => each.kind !== 'container')) {
        added.push({ fileId, component });
      }
    }
  }
  return { filled, added, removed: [] };
}

/** Checks number the tracks that they find. */
const isTrack = ({ document }: ComponentRow): boolean => 'essenceStreamId' in (JSON.parse(document) as object);

/** What the check of a file says comes first. What somebody else wrote beside it stays. */
export const mergedProperties = (
  { document }: ComponentRow,
  { properties }: DeducedComponent,
): Readonly<Record<string, unknown>> => ({
  ...(JSON.parse(document) as Readonly<Record<string, unknown>>),
  ...properties,
});
