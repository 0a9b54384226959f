import {
  alsoNamed,
  attribute,
  boolean,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';
import { badValue } from '../../../core/documents/error.ts';
import { type ExternalIdentifierList, externalIdentifierListDocument } from '../../../core/documents/index.ts';
import { existing } from '../../../core/lib/checks.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { groupBy } from '../../../core/lib/group-by.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { answer } from '../../../http/answers.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { checkName } from '../../../identity/public-reading.ts';
import type { CoreContext } from '../../../room/context.ts';
import { looksLikeId } from '../../../room/entities/external-ids/rules.ts';
import { noSuchEntity } from '../../../room/entities/find.ts';
import { administrator } from '../../../security/subject.ts';
import { maxNamespaces, namespaceMatcher } from './give.ts';
import {
  allNamespaces,
  findNamespace,
  idIsSomewhere,
  type NamespaceRow,
  namespacesFit,
  namespaceThere,
  ownersAmong,
  putNamespaceRow,
  removeIdEverywhere,
  removeNamespace,
} from './store.ts';

const namespace = structure('ExternalIdentifierNamespaceType', {
  name: element(string).says('The name in the path. In requests it is ignored.'),
  pattern: element(string).required.says('A regular expression that matches the whole external id.'),
  priority: element(integer).says('Priority: of several matching namespaces, the lowest number wins. Default: 0.'),
});

/** Clients may send a single namespace under the root of a list. */
export const namespaceDocument = alsoNamed(
  document('ExternalIdentifierNamespaceDocument', namespace),
  'ExternalIdentifierNamespaceListDocument',
);
type Namespace = Value<typeof namespaceDocument>;

export const namespaceListDocument = document('ExternalIdentifierNamespaceListDocument', {
  namespace: list(namespace),
});

/** Creates or changes a namespace. Existing external ids stay, even if the new pattern does not match them. */
function putNamespace(name: string, { pattern, priority = 0 }: Namespace): { row: NamespaceRow; work: CommitPlan } {
  checkName(name, 'path');
  namespaceMatcher(pattern);
  const row = { name, pattern, priority };
  const changes = [putNamespaceRow(row), namespacesFit({ max: maxNamespaces }, tooMany(name))];
  return { row, work: { changes, events: [] } };
}

const tooMany = (id: string): ServiceError =>
  new ServiceError('bad-value', { context: 'path', id, explanation: `Expected at most ${maxNamespaces} namespaces` });

const deleteNamespace = (name: string): CommitPlan =>
  changing(namespaceThere({ name }, noSuchNamespace(name)), ...removeNamespace.map((statement) => statement({ name })));

/** Removes an external id from all entities. */
const deleteId = (externalId: string): CommitPlan =>
  changing(
    idIsSomewhere({ externalId }, noSuchEntity({ noun: 'ExternalId' }, externalId)),
    removeIdEverywhere({ externalId }),
  );

const noSuchNamespace = (name: string): ServiceError => noSuchEntity({ noun: 'ExternalIdentifierNamespace' }, name);

/** Routes for namespaces: patterns of external ids for items, collections and libraries. */
export function namespaceRoutes({ store }: CoreContext): readonly Route[] {
  const path = '/external-id/:namespace';
  return [
    route({
      method: 'GET',
      path: '/external-id',
      says: 'All namespaces of external ids, in order of priority.',
      answers: namespaceListDocument,
      access: role(administrator),
      handle: async () => ({ namespace: await allNamespaces(store, {}) }),
    }),
    route({
      method: 'GET',
      path,
      says: 'One namespace of external ids.',
      answers: namespaceDocument,
      access: role(administrator),
      async handle(_call, { namespace }) {
        return existing(await findNamespace(store, { name: namespace }), noSuchNamespace, namespace);
      },
    }),
    route({
      method: 'PUT',
      path,
      says: 'Creates or changes a namespace. Existing external ids stay as they are.',
      reads: namespaceDocument,
      answers: namespaceDocument,
      access: role(administrator),
      acting: 'refused',
      async handle(call, { namespace }) {
        const document = call.body;
        const { row, work } = putNamespace(namespace, document);
        await call.commit(work);
        return row;
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes a namespace and its external ids.',
      access: role(administrator),
      acting: 'refused',
      async handle(call, { namespace }) {
        await call.commit(deleteNamespace(namespace));
      },
    }),
    route({
      method: 'DELETE',
      path: '/external-id/id/:externalId{opaque}',
      says: 'Removes an external id from every item and collection.',
      access: role(administrator),
      acting: 'refused',
      async handle(call, { externalId }) {
        await call.commit(deleteId(externalId));
      },
    }),
  ];
}

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
function duplicatesOf(wanted: readonly Owned[], stored: readonly Owned[]): readonly Duplicate[] {
  const all = [
    ...stored.map((each) => ({ ...each, isKnown: true })),
    ...wanted.map((each) => ({ ...each, isKnown: false })),
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
export function duplicateRoutes({ entities }: Pick<CoreContext, 'entities'>): readonly Route[] {
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
