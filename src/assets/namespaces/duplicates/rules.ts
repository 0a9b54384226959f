import type { ExternalIdentifierList } from '../../../documents/index.ts';
import { groupBy } from '../../../lib/group-by.ts';

export interface Owned {
  readonly type: string;
  readonly externalId: string;
  readonly entityId: string;
}

export interface Duplicate {
  readonly type: string;
  readonly externalId: string;
  readonly entity: readonly { readonly id: string; readonly isKnown: boolean }[];
}

/** External ids that several entities of one type would have, those that are here already included. */
export function duplicatesOf(given: readonly Owned[], known: readonly Owned[]): readonly Duplicate[] {
  const all = [
    ...known.map((each) => ({ ...each, isKnown: true })),
    ...given.map((each) => ({ ...each, isKnown: false })),
  ];
  const byId = groupBy(all, ({ type, externalId }) => JSON.stringify([type, externalId]));
  return [...byId.values()].flatMap((owned) => {
    const { type, externalId } = owned[0]!;
    const entity = owned
      .filter((each, index) => owned.findIndex(({ entityId }) => entityId === each.entityId) === index)
      .map(({ entityId, isKnown }) => ({ id: entityId, isKnown }));
    return entity.length > 1 ? [{ type, externalId, entity }] : [];
  });
}

/** What a list says, with the types of its entities. `typeOf`: throws where there is no such type. */
export const ownedIn = ({ id = [] }: ExternalIdentifierList, typeOf: (word: string) => string): readonly Owned[] =>
  id.map(({ entityType = '', externalId = '', entityId = '' }) => ({ type: typeOf(entityType), externalId, entityId }));
