import type { MetadataChangeSetDocument, MetadataDocument, MetadataListType } from 'portico/types';
import { get, send } from '../../../api/client.ts';
import {
  type Clash,
  changedIn,
  clashes,
  documentOfChange,
  newChange,
  same,
  type Value,
  type Values,
  valuesOf,
} from './model.ts';

/** Metadata of an item with its revision. */
export interface FormItem {
  readonly id: string;
  readonly metadata: MetadataDocument;
}

const pathOf = (id: string): string => `/item/${encodeURIComponent(id)}/metadata`;

export async function metadataOf(id: string): Promise<MetadataDocument> {
  const { item = [] } = await get<MetadataListType>(pathOf(id), { query: { includeTransientMetadata: false } });
  return item[0]?.metadata ?? {};
}

interface SaveResult {
  /** Left out: nothing was written. */
  readonly undo?: () => Promise<void>;
  readonly clashes?: readonly Clash[];
}

/** Takes a change set back, as if it had never been. */
export const takeBack = (id: string, change: string): Promise<unknown> =>
  send('DELETE', `${pathOf(id)}/changes/${encodeURIComponent(change)}`);

/**
 * Writes metadata as one change set. Gives its id: the one that is new in the revision, or the last one, as a change
 * that only removes leaves nothing in the revision.
 */
export async function write(id: string, document: MetadataDocument, before?: string): Promise<string | undefined> {
  const answer = await send<MetadataListType>('PUT', pathOf(id), document, { query: { onlyReturnChanges: true } });
  const changeId = before === undefined ? undefined : newChange(before, answer.item?.[0]?.metadata?.revision);
  if (changeId !== undefined) return changeId;
  const { changeSet = [] } = await get<MetadataChangeSetDocument>(`${pathOf(id)}/changes`);
  return changeSet.at(-1)?.id;
}

/**
 * Writes what a person has changed in one item, unless somebody else has changed the same meanwhile. `seen`: clashes that
 * the person has decided. Another change may have come meanwhile.
 */
export async function saveOne(
  item: FormItem,
  base: Values,
  mine: Values,
  seen: readonly Clash[] = [],
): Promise<SaveResult> {
  const now = await metadataOf(item.id);
  const newClashes = clashes(base, mine, now);
  const isSeen = (one: Clash) => seen.some((each) => each.name === one.name && same(each.theirs, one.theirs));
  if (!newClashes.every(isSeen)) return { clashes: newClashes };
  const names = changedIn(base, mine);
  if (names.length === 0) return {};
  const change = await write(item.id, documentOfChange(names, mine), now.revision);
  return change === undefined ? {} : { undo: async () => void (await takeBack(item.id, change)) };
}

/**
 * Writes the same fields of several items, one after the other. `joined`: fields whose values join those that an item
 * has. Gives what takes all of it back, and counts the items whose fields have changed meanwhile: later changes stay.
 */
export async function saveMany(
  ids: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
  names: readonly string[],
  values: Values,
  onProgress: (done: number) => void,
  joined: ReadonlySet<string> = new Set(),
): Promise<() => Promise<number>> {
  const changes: (readonly [id: string, change: string, after: Values])[] = [];
  let done = 0;
  for await (const some of ids) {
    for (const id of some) {
      const before = joined.size > 0 ? valuesOf(await metadataOf(id)) : {};
      const isThere = (name: string, value: Value) => before[name]?.some((each) => same([each], [value]));
      const own = Object.fromEntries(
        names.flatMap((name) => {
          const missing = (values[name] ?? []).filter((value) => !joined.has(name) || !isThere(name, value));
          return joined.has(name) && missing.length === 0 ? [] : [[name, missing]];
        }),
      );
      const ownNames = Object.keys(own);
      const change = ownNames.length === 0 ? undefined : await write(id, documentOfChange(ownNames, own, joined));
      const after = ownNames.map((name) => [name, [...((joined.has(name) && before[name]) || []), ...own[name]!]]);
      if (change !== undefined) changes.push([id, change, Object.fromEntries(after)]);
      done += 1;
      onProgress(done);
    }
  }
  return async () => {
    let changedSince = 0;
    for (const [id, change, after] of changes) {
      const now = valuesOf(await metadataOf(id));
      if (Object.keys(after).some((name) => !same(now[name], after[name]))) changedSince += 1;
      await takeBack(id, change);
    }
    return changedSince;
  };
}
