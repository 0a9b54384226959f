import type { ComponentRow } from '../../../assets/shapes/public.ts';
import type { DeducedComponent } from './components.ts';

/** File with its probed components. */
export interface DeducedFile {
  readonly fileId: string;
  readonly components: readonly DeducedComponent[];
}

/** Changes of the components of a shape. */
export interface Filling {
  /** Existing components that get probed values and the file. */
  readonly filled: readonly { readonly row: ComponentRow; readonly fileId: string; readonly to: DeducedComponent }[];
  readonly added: readonly { readonly fileId: string; readonly component: DeducedComponent }[];
  /** Components without a track in the file, expected by a placeholder or found by an earlier check. */
  readonly removed: readonly ComponentRow[];
}

/** File ids by component id. */
type FilesOfComponents = ReadonlyMap<string, readonly string[]>;

/**
 * Assigns each track to a component: the one with this file, else an expected one, else a new one. A file without some
 * tracks does not affect their components.
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
    // Tracks that an earlier check found, and that are gone now.
    if (isWhole) removed.push(...own.filter((row) => !claimed.has(row.id) && isTrack(row)));
    if (own.length > 0 || components.some(({ kind }) => kind === 'container')) continue;
    // Expected container of a file that has none.
    const open = rows.find((row) => row.kind === 'container' && row.expected === 1 && !claimed.has(row.id));
    if (open) removed.push(open);
  }
  return { filled, added, removed };
}

/** Assigns files that join a shape: each track gets a new component, and the others stay unchanged. */
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

/** Whether the component is a track. Checks number the tracks that they find. */
const isTrack = ({ document }: ComponentRow): boolean => 'essenceStreamId' in (JSON.parse(document) as object);

/** Merges properties. Probed values win; other existing ones stay. */
export const mergedProperties = (
  { document }: ComponentRow,
  { properties }: DeducedComponent,
): Readonly<Record<string, unknown>> => ({
  ...(JSON.parse(document) as Readonly<Record<string, unknown>>),
  ...properties,
});
