import {
  attribute,
  content,
  document,
  element,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';
import { badValue } from '../../../core/documents/error.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { noSuchEntity } from '../../../room/entities/find.ts';
import { checkKey } from '../../../room/entities/key-values/rules.ts';
import { type KeyValue, removeAllKeys, removeKeys, setKeyValues } from '../../../room/entities/key-values/store.ts';
import type { Parameters } from '../../../security/parameters.ts';
import { itemName } from '../contract/entities.ts';
import { itemMustExist } from '../contract/store.ts';
import { insertRelation, type RelationRow, relationType, removeRelationRow, turnRelation } from './store.ts';

export type RelationDirection = 'U' | 'S' | 'T' | 'D';
type Ends = Pick<RelationRow, 'source' | 'target' | 'type'>;
type Pair = readonly [key: string, value: string];

/** Stored source, target and type of a relation from the view of an item. */
export function endsOf(item: string, other: string, direction: RelationDirection): Ends {
  if (item === other) throw badValue('path', 'two items', item);
  if (direction === 'T') return { source: other, target: item, type: 'D' };
  return { source: item, target: other, type: direction === 'U' ? 'U' : 'D' };
}

/** Parameters with other names are metadata. Empty values count as none. */
export function pairsOf(parameters: Parameters, reserved: readonly string[]): readonly Pair[] {
  const pairs = [...parameters].flatMap(([key, values]) =>
    reserved.includes(key) ? [] : values.map((value) => [key, value] as const),
  );
  for (const [key] of pairs) checkKey(key, 'parameter');
  return pairs;
}

/** Whether two relations are equal. Undirected ones may have source and target swapped. */
export function areEqual(one: Ends, pairs: readonly Pair[], other: Ends, others: readonly Pair[]): boolean {
  const isTurned = one.type === 'U' && one.source === other.target && one.target === other.source;
  const sameEnds = isTurned || (one.source === other.source && one.target === other.target);
  return one.type === other.type && sameEnds && textOf(pairs) === textOf(others);
}

const textOf = (pairs: readonly Pair[]): string => JSON.stringify(pairs.map((pair) => JSON.stringify(pair)).toSorted());

export function relate(row: RelationRow, pairs: readonly Pair[], mostBytes: number): CommitPlan {
  const { id, source, target } = row;
  return changing(
    itemMustExist(source, noSuchEntity(itemName, source)),
    itemMustExist(target, noSuchEntity(itemName, target)),
    insertRelation(row),
    ...metadata(id, pairs, mostBytes),
  );
}

const metadata = (id: string, pairs: readonly Pair[], mostBytes: number) => {
  const added = pairs.map(([key, value]): KeyValue => [key, value, 'add']);
  return added.length === 0 ? [] : setKeyValues(relationType, id, { pairs: added, mostBytes }, false);
};

/** Turns a relation, and replaces the values of each named key. */
export function changeRelation(
  row: RelationRow,
  direction: RelationDirection | undefined,
  pairs: readonly Pair[],
  mostBytes: number,
): { readonly row: RelationRow; readonly work: CommitPlan } {
  const { id, source, target } = row;
  const ends = direction && endsOf(source, target, direction);
  const filled = pairs.filter(([, value]) => value !== '');
  const changes = [
    ...(ends ? [turnRelation({ id, ...ends })] : []),
    ...removeKeys(relationType, id, new Set(pairs.map(([key]) => key))),
    ...metadata(id, filled, mostBytes),
  ];
  return { row: { ...row, ...ends }, work: { changes, events: [] } };
}

export const removeRelation = ({ id }: RelationRow): CommitPlan =>
  changing(removeAllKeys({ owner: relationType, id }), removeRelationRow({ id }));

export const noSuchRelation = (id: string) => noSuchEntity({ noun: 'ItemRelation' }, id);

const relation = structure('ItemRelationType', {
  id: element(string).outputOnly,
  direction: element(
    structure('ItemRelationDirectionType', {
      source: element(string).required,
      target: element(string).required,
      type: attribute(string).says('D: from the source to the target. U: undirected.'),
    }),
  ).required,
  value: list(structure('ItemRelationValueType', { key: attribute(string).required, value: content(string).required })),
});

export const itemRelationDocument = document('ItemRelationDocument', relation);
export type ItemRelation = Value<typeof itemRelationDocument>;

export const itemRelationListDocument = document('ItemRelationListDocument', { relation: list(relation) });
