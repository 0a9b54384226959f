import { mayRead, mayWrite } from '../../access/public.ts';
import { askingOf, isAtLeast, lacking, levelsOn } from '../../access/public-reading.ts';
import { badValue } from '../../documents/bad-value.ts';
import { keyValuesOf } from '../../entities/key-values/store.ts';
import { changedMeanwhile, retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { serialOf } from '../../media/public-reading.ts';
import type { Caller } from '../../security/caller.ts';
import { changing, together } from '../../store/commit-plan.ts';
import type { CommitPlan } from '../../store/contract.ts';
import type { Reader } from '../../store/statement.ts';
import { itemName, itemNamed } from '../contract/item/kind.ts';
import type { ItemsContext } from '../settings.ts';
import type { ItemRelation } from './documents.ts';
import { areEqual, endsOf, noSuchRelation, type RelationDirection, relate } from './rules.ts';
import { findRelation, noneBetweenSince, type RelationRow, relationsBetween, relationType } from './store.ts';

interface RelationWish {
  readonly item: string;
  readonly other: string;
  readonly direction: RelationDirection;
  readonly pairs: readonly (readonly [key: string, value: string])[];
}

/** Limit of relations read between two items. */
const mostBetween = 1000;

/** Creates all requested relations, or none. Returns them in order. */
export async function relateItems(
  parts: ItemsContext,
  call: Caller,
  wishes: readonly RelationWish[],
  allowDuplicate: boolean,
): Promise<readonly RelationRow[]> {
  return retryWhenChanged(async () => {
    const works: CommitPlan[] = [];
    const rows: RelationRow[] = [];
    for (const wish of wishes) {
      const { row, work } = await relateOne(parts, call, wish, allowDuplicate);
      rows.push(row);
      if (work) works.push(work);
    }
    if (works.length > 0) await call.commit(together(...works));
    return rows;
  });
}

async function relateOne(
  { store, settings }: ItemsContext,
  call: Caller,
  { item, other, direction, pairs }: RelationWish,
  allowDuplicate: boolean,
): Promise<{ readonly row: RelationRow; readonly work?: CommitPlan }> {
  const [first, second] = [await itemNamed(store, item), await itemNamed(store, other)];
  await mayWrite(store, call, itemName, first);
  await mayRead(store, call, itemName, second);
  const ends = endsOf(first.id, second.id, direction);
  const between = { one: first.id, other: second.id };
  const known = allowDuplicate ? [] : await relationsBetween(store, { ...between, limit: mostBetween });
  const metadata = await metadataOfAll(store, known);
  const equal = known.find((row) => areEqual(row, metadata(row), ends, pairs));
  if (equal) return { row: equal };
  const id = await store.nextId('relation');
  const row = { id, serial: serialOf(id), ...ends };
  const alone = noneBetweenSince(
    { ...between, serial: known.at(-1)?.serial ?? -1 },
    changedMeanwhile('ItemRelation', first.id),
  );
  const work = relate(row, pairs, settings.maxMetadataBytes);
  return { row, work: allowDuplicate ? work : together(changing(alone), work) };
}

async function metadataOfAll(reader: Reader, rows: readonly RelationRow[]) {
  const ids = rows.map(({ id }) => id);
  const found = ids.length > 0 ? await keyValuesOf(reader, relationType, ids) : new Map();
  return ({ id }: RelationRow): RelationWish['pairs'] =>
    (found.get(id) ?? []).map(({ key, value }: { key: string; value: string }) => [key, value] as const);
}

export async function relationDocuments(
  reader: Reader,
  rows: readonly RelationRow[],
): Promise<readonly ItemRelation[]> {
  const metadata = await metadataOfAll(reader, rows);
  return rows.map((row) => ({
    id: row.id,
    direction: { source: row.source, target: row.target, type: row.type },
    value: metadata(row).map(([key, value]) => ({ key, value })),
  }));
}

/** Parses a document into a wish. */
export function relationWish({ direction, value = [] }: ItemRelation): RelationWish {
  const { source, target, type = 'D' } = direction;
  const word = (['U', 'D', 'S', 'T'] as const).find((each) => each === type.toUpperCase());
  if (!word) throw badValue('/ItemRelationListDocument/relation/direction/type', 'D or U', type);
  const pairs = value.map((each) => [each.key, each.value] as const);
  return { item: source, other: target, direction: word, pairs };
}

/** The relation named by the path. Access to one of its items is enough. */
export async function relationNamed(
  { store }: ItemsContext,
  call: Caller,
  id: string,
  level: 'READ' | 'WRITE',
): Promise<RelationRow> {
  const row = await findRelation(store, { id });
  if (!row) throw noSuchRelation(id);
  const ends = [row.source, row.target].map((end) => ({ type: itemName.type, id: end }));
  const { levelOf } = await levelsOn(store, await askingOf(call), ends);
  const allowed = ends.map((end) => isAtLeast(levelOf(end), level));
  if (level === 'READ' ? allowed.every(Boolean) : allowed.some(Boolean)) return row;
  throw lacking(itemName, allowed[0] ? row.target : row.source, level);
}
