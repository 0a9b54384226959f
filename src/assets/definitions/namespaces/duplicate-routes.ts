import { badValue } from '../../../core/documents/bad-value.ts';
import { attribute, boolean, document, element, list, string, structure } from '../../../core/documents/describe.ts';
import { type ExternalIdentifierList, externalIdentifierListDocument } from '../../../core/documents/index.ts';
import { groupBy } from '../../../core/lib/group-by.ts';
import { answer } from '../../../http/answers.ts';
import { type Route, role, route } from '../../../http/route.ts';
import type { CoreContext } from '../../../room/context.ts';
import { looksLikeId } from '../../../room/entities/external-ids/rules.ts';
import { administrator } from '../../../security/subject.ts';
import { namespaceMatcher } from './give.ts';
import { allNamespaces, ownersAmong } from './store.ts';

const owner = structure('ExternalIdentifierOwnerType', {
  id: element(string),
  isKnown: attribute(boolean).says('The entity already has this external id.'),
});

export const duplicateListDocument = document('ExternalIdentifierDuplicateListDocument', {
  duplicate: list(
    structure('ExternalIdentifierDuplicateType', {
      entityType: element(string),
      namespace: element(string).says('Absent: no namespace matches.'),
      externalId: element(string),
      entity: list(owner),
    }),
  ),
});

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
function duplicatesOf(given: readonly Owned[], known: readonly Owned[]): readonly Duplicate[] {
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
const ownedIn = ({ id = [] }: ExternalIdentifierList, typeOf: (word: string) => string): readonly Owned[] =>
  id.map(({ entityType = '', externalId = '', entityId = '' }) => ({ type: typeOf(entityType), externalId, entityId }));

/** Route that checks external ids for uniqueness before a migration. */
export function duplicateRoutes({ store, entities }: CoreContext): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/external-id/duplicates',
      says: 'External ids of a list that several entities of one type would have, with the existing ones. A dry run.',
      reads: externalIdentifierListDocument,
      answers: answer(duplicateListDocument, { list: 'duplicate' }),
      access: role(administrator),
      acting: 'allowed',
      async handle(call) {
        const nouns = new Map(
          Object.values(entities).flatMap((kind) => [[kind.noun, kind] as const, [kind.type, kind] as const]),
        );
        const typeOf = (word: string): string => {
          const kind = nouns.get(word) ?? nouns.get(word.toLowerCase());
          if (kind) return kind.type;
          throw badValue('/ExternalIdentifierListDocument/id/entityType', 'a type of entities such as "Item"', word);
        };
        const owned = ownedIn(call.body, typeOf);
        const { reader } = call;
        const pairs = JSON.stringify(owned.map(({ type: of, externalId }) => [of, externalId]));
        const duplicates = duplicatesOf(owned, await ownersAmong(reader, { pairs }));
        const namespaces = await allNamespaces(reader, {});
        const duplicate = duplicates.map(({ type: of, externalId, entity }) => ({
          entityType: nouns.get(of)!.noun,
          namespace: looksLikeId(externalId)
            ? undefined
            : namespaces.find(({ pattern }) => namespaceMatcher(pattern)(externalId))?.name,
          externalId,
          entity,
        }));
        return { duplicate };
      },
    }),
  ];
}
