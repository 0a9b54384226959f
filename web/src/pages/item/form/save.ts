import type { MetadataChangeSetDocument, MetadataDocument, MetadataListType } from 'portico/types';
import { get, send } from '../../../api/client.ts';
import { type Clash, changedIn, clashes, documentOfChange, newChange, same, type Values, valuesOf } from './model.ts';

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
 * Writes the same fields of several items, one after the other. Gives what takes all of it back, and counts the items
 * whose fields have changed meanwhile: later changes stay.
 */
export async function saveMany(
  ids: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
  names: readonly string[],
  values: Values,
  onProgress: (done: number) => void,
): Promise<() => Promise<number>> {
  const changes: (readonly [id: string, change: string])[] = [];
  let done = 0;
  for await (const some of ids) {
    for (const id of some) {
      const change = await write(id, documentOfChange(names, values));
      if (change !== undefined) changes.push([id, change]);
      done += 1;
      onProgress(done);
    }
  }
  return async () => {
    let changedSince = 0;
    for (const [id, change] of changes) {
      const now = valuesOf(await metadataOf(id));
      if (names.some((name) => !same(now[name], values[name]))) changedSince += 1;
      await takeBack(id, change);
    }
    return changedSince;
  };
}
