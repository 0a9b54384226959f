import { badValue } from '../../../core/documents/error.ts';
import { existing } from '../../../core/lib/checks.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { serialOf } from '../../../core/lib/serial.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import { keyValuesOf } from '../../../room/entities/key-values/store.ts';
import type { Caller } from '../../../security/caller.ts';
import { askingOf, isAtLeast, lacking, levelsOn, mustHave } from '../../access/public-reading.ts';
import { itemName, itemNamed } from '../contract/entities.ts';
import type { ItemsContext } from '../settings.ts';
import type { ItemRelation } from './rules.ts';
import { areEqual, endsOf, noSuchRelation, type RelationDirection, relate } from './rules.ts';
import {
  findRelation,
  noneBetweenSince,
  type RelationRow,
  relationMustExist,
  relationsBetween,
  relationType,
} from './store.ts';

/** Relation to be created between two items that the caller may relate. */
interface RelationRequest {
  /** Ids of the items. */
  readonly item: string;
  readonly other: string;
  readonly direction: RelationDirection;
  readonly pairs: readonly (readonly [key: string, value: string])[];
}

/** Limit of relations read between two items. */
const maxBetween = 1000;

/** Creates all requested relations, or none. Returns them in order. */
export async function relateItems(
  parts: ItemsContext,
  call: Caller,
  requests: readonly RelationRequest[],
  allowDuplicate: boolean,
): Promise<readonly RelationRow[]> {
  const { rows } = await call.change(async () => {
    const works: CommitPlan[] = [];
    const rows: RelationRow[] = [];
    for (const request of requests) {
      const { row, work } = await relateOne(parts, request, allowDuplicate);
      rows.push(row);
      if (work) works.push(work);
    }
    return { rows, ...together(...works) };
  });
  return rows;
}

async function relateOne(
  { store, settings }: ItemsContext,
  { item, other, direction, pairs }: RelationRequest,
  allowDuplicate: boolean,
): Promise<{ readonly row: RelationRow; readonly work?: CommitPlan }> {
  const ends = endsOf(item, other, direction);
  const between = { one: item, other };
  const existing = allowDuplicate ? [] : await relationsBetween(store, { ...between, limit: maxBetween });
  const metadata = await metadataOfAll(store, existing);
  const equal = existing.find((row) => areEqual(row, metadata(row), ends, pairs));
  if (equal) return { row: equal };
  const id = await store.nextId('relation');
  const row = { id, serial: serialOf(id), ...ends };
  const alone = noneBetweenSince(
    { ...between, serial: existing.at(-1)?.serial ?? -1 },
    changedMeanwhile('ItemRelation', item),
  );
  const work = relate(row, pairs, settings.maxMetadataBytes);
  return { row, work: allowDuplicate ? work : together(changing(alone), work) };
}

async function metadataOfAll(reader: Reader, rows: readonly RelationRow[]) {
  const ids = rows.map(({ id }) => id);
  const pairsById = ids.length > 0 ? await keyValuesOf(reader, relationType, ids) : new Map();
  return ({ id }: RelationRow): RelationRequest['pairs'] =>
    (pairsById.get(id) ?? []).map(({ key, value }: { key: string; value: string }) => [key, value] as const);
}

/** Document of a relation, without metadata where none is read. */
export const documentOf = (
  { id, ...direction }: Omit<RelationRow, 'serial'>,
  pairs: RelationRequest['pairs'] = [],
) => ({
  id,
  direction: { source: direction.source, target: direction.target, type: direction.type },
  value: pairs.map(([key, value]) => ({ key, value })),
});

export async function relationDocuments(
  reader: Reader,
  rows: readonly RelationRow[],
): Promise<readonly ItemRelation[]> {
  const metadata = await metadataOfAll(reader, rows);
  return rows.map((row) => documentOf(row, metadata(row)));
}

export const relationDocument = async (reader: Reader, row: RelationRow): Promise<ItemRelation> =>
  (await relationDocuments(reader, [row]))[0]!;

/** Parses relations of a document. The caller needs WRITE on the first item of each, and READ on the other one. */
export async function requestsOf(
  reader: Reader,
  call: Caller,
  relations: readonly ItemRelation[] = [],
): Promise<readonly RelationRequest[]> {
  const requests: RelationRequest[] = [];
  for (const { direction, value = [] } of relations) {
    const { source, target, type = 'D' } = direction;
    const word = (['U', 'D', 'S', 'T'] as const).find((each) => each === type.toUpperCase());
    if (!word) throw badValue('/ItemRelationListDocument/relation/direction/type', 'D or U', type);
    const [item, other] = [await itemNamed(reader, source), await itemNamed(reader, target)];
    await mustHave(reader, call, itemName, item, 'WRITE', undefined, source);
    await mustHave(reader, call, itemName, other, 'READ', undefined, target);
    const pairs = value.map((each) => [each.key, each.value] as const);
    requests.push({ item: item.id, other: other.id, direction: word, pairs });
  }
  return requests;
}

/** Relations in paths. Reading one needs READ on both of its items, changing it WRITE on one of them. */
export const relationAt =
  (reader: Reader) =>
  (level: 'READ' | 'WRITE'): PathEntity<RelationRow> => ({
    kind: 'relation',
    async find(id, call) {
      const row = existing(await findRelation(reader, { id }), noSuchRelation, id);
      const ends = [row.source, row.target].map((end) => ({ type: itemName.type, id: end }));
      const { levelOf } = await levelsOn(reader, await askingOf(call), ends);
      const allowed = ends.map((end) => isAtLeast(levelOf(end), level));
      if (level === 'READ' ? allowed.every(Boolean) : allowed.some(Boolean)) return row;
      throw lacking(itemName, allowed[0] ? row.target : row.source, level);
    },
    stays: ({ id }) => relationMustExist(id, noSuchRelation(id)),
  });
