import type { ExternalIdentifierList } from '../../../../core/documents/index.ts';
import { groupBy } from '../../../../core/lib/group-by.ts';

interface Owned {
  readonly type: string;
  readonly externalId: string;
  readonly entityId: string;
}

interface Duplicate {
  readonly type: string;
  readonly externalId: string;
  readonly entity: readonly { readonly id: string; readonly isKnown: boolean }[];
}

/** External ids that several entities of one type would share, including stored ones. */
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

/** External ids in a list, with entity types. `typeOf` throws on unknown types. */
export const ownedIn = ({ id = [] }: ExternalIdentifierList, typeOf: (word: string) => string): readonly Owned[] =>
  id.map(({ entityType = '', externalId = '', entityId = '' }) => ({ type: typeOf(entityType), externalId, entityId }));
