import { badValue } from '../../../../core/documents/bad-value.ts';
import { externalIdentifierListDocument } from '../../../../core/documents/index.ts';
import { answer } from '../../../../http/answers.ts';
import { type Route, role, route } from '../../../../http/route.ts';
import type { CoreContext } from '../../../../room/context.ts';
import { looksLikeId } from '../../../../room/entities/external-ids/rules.ts';
import { accountOf } from '../../../../security/caller.ts';
import { administrator } from '../../../../security/subject.ts';
import { namespaceMatcher } from '../give.ts';
import { allNamespaces, ownersAmong } from '../store.ts';
import { duplicateListDocument } from './documents.ts';
import { duplicatesOf, ownedIn } from './rules.ts';

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
        const reader = store.reader(accountOf(call));
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
