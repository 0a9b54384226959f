import type { ServiceError } from '../../core/lib/errors.ts';
import type { Reader } from '../../core/store/statement.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { havingAmong } from '../access/public.ts';
import {
  accessOf,
  askingOf,
  isAtLeast,
  levelsOn,
  notYours,
  type Operation,
  type RequiredLevel,
  type Viewer,
} from '../access/public-reading.ts';
import { itemName } from '../items/contract/entities.ts';
import { withTags } from './load.ts';
import { itemsAwaiting, shapesNamed, shapesWithFile } from './store.ts';

/** Item of a file, and tags of the shape that contains it. */
interface Owning {
  readonly itemId: string;
  readonly tags: readonly string[];
}

/** Caller whose right counts, and the job that asks on behalf of that caller. */
interface FileReader {
  readonly job: { readonly id: string; readonly itemId: string } | undefined;
  callOf(): Promise<Caller>;
}

/**
 * Whether a caller may read the bytes of a file. Files of items need READ for shapes or URIs on one of them, or the
 * role `_file_read`. Files without a component belong to the items of the jobs that import them. Files without an item
 * are left to the role of the route.
 */
export async function mayHaveBytes(reader: Reader, id: string, { job, callOf }: FileReader): Promise<boolean> {
  const owning = await owningOf(reader, id, job?.id ?? '');
  if (owning.length === 0 || owning.some(({ itemId }) => itemId === job?.itemId)) return true;
  const call = await callOf();
  if (await subjectOf(call).has('_file_read')) return true;
  const places = [...new Set(owning.map(({ itemId }) => itemId))].map((item) => ({ type: itemName.type, id: item }));
  const { levelOf } = await levelsOn(reader, await askingOf(call), places);
  return owning.some(({ itemId, tags }) => {
    const operations: readonly Operation[] = [{ type: 'SHAPE', extradata: tags }, { type: 'URI' }];
    return operations.some((each) => isAtLeast(levelOf({ type: itemName.type, id: itemId }, each), 'READ'));
  });
}

/** Starts the reads of `mayHaveBytes` for a job, for `Store.ahead`. */
export const bytesAhead = (reader: Reader, id: string, job: string): readonly unknown[] => [
  shapesWithFile(reader, { id }),
  itemsAwaiting(reader, { id, job }),
];

/** Refuses callers who may not read the bytes of a file. */
export async function mustHaveBytes(reader: Reader, call: Caller, id: string): Promise<void> {
  // Fast path: most callers that work with files have the role.
  if (await subjectOf(call).has('_file_read')) return;
  if (!(await mayHaveBytes(reader, id, { job: undefined, callOf: async () => call }))) throw foreignFile(id);
}

/** Refusal without the item, whose existence the caller may not know. */
export const foreignFile = (id: string): ServiceError =>
  notYours('Expected READ for shapes or addresses on an item that has the file, or the role _file_read', id);

/** Items of a file, through components or importing jobs. */
export async function itemsWithFile(reader: Reader, id: string): Promise<readonly string[]> {
  const uses = await shapesWithFile(reader, { id });
  const owning = uses.length > 0 ? uses : await itemsAwaiting(reader, { id, job: '' });
  return [...new Set(owning.map(({ itemId }) => itemId))];
}

/** Files of a page with an item on which the viewer has a level. `unused`: includes files without items. */
export async function filesHaving(
  reader: Reader,
  viewer: Viewer,
  files: readonly string[],
  level: RequiredLevel,
  unused: boolean,
): Promise<ReadonlySet<string>> {
  if (viewer.administrator) return new Set(files);
  const items = new Map<string, readonly string[]>();
  for (const id of new Set(files)) items.set(id, await itemsWithFile(reader, id));
  const all = [...new Set([...items.values()].flat())];
  const having = await havingAmong(reader, viewer, itemName.type, all, level);
  const isAmong = (of: readonly string[]) => (of.length === 0 ? unused : of.some((id) => having.has(id)));
  return new Set([...items].flatMap(([id, of]) => (isAmong(of) ? [id] : [])));
}

/** Refuses callers without WRITE on an item whose components lose a file. */
export async function mayAbandon(reader: Reader, call: Caller, id: string, items: readonly string[]): Promise<void> {
  const writable = await havingAmong(reader, await accessOf(reader, call), itemName.type, items, 'WRITE');
  if (writable.size < items.length) throw notYours('Expected WRITE on each item that loses the file', id);
}

async function owningOf(reader: Reader, id: string, job: string): Promise<readonly Owning[]> {
  const uses = await shapesWithFile(reader, { id });
  if (uses.length === 0) {
    return (await itemsAwaiting(reader, { id, job })).map(({ itemId }) => ({ itemId, tags: [] }));
  }
  const ids = [...new Set(uses.map(({ shapeId }) => shapeId))];
  const shapes = await withTags(reader, await shapesNamed(reader, { ids }));
  const tags = new Map(shapes.map((shape) => [shape.id, shape.tags]));
  return uses.map(({ itemId, shapeId }) => ({ itemId, tags: tags.get(shapeId) ?? [] }));
}
