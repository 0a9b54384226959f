import { externalIdentifierListDocument } from '../../../core/documents/index.ts';
import { typeInWords } from '../../../core/lib/messages.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { type Route, route, segment } from '../../../http/route.ts';
import type { Entity } from '../../entity.ts';
import { changeAt, changeOf, declared, type EntityParts, type EntityResource } from '../place.ts';
import { add, listOf, looksLikeId, maxExternalIds, remove, type TakenCode } from './rules.ts';
import { externalIdsOf, removeExternalIds } from './store.ts';

/** A place whose entities have external ids. */
export interface ExternalIdResource<E extends Entity = Entity> extends EntityResource<E> {
  /** The refusal of an external id that another entity has. Left out: 400. Notifications came first, with 409. */
  readonly taken?: TakenCode;
  /** Namespace of a new external id, with a guard that it still exists. Undefined: the kind has no namespaces. */
  namespaceOf?(externalId: string): Promise<Namespaced | undefined>;
  /** Name of the kind in the list. Default: its noun. */
  readonly listedAs?: string;
}

export interface Namespaced {
  readonly name: string;
  readonly guard: Statement;
}

/** Short form of a deletion, if no other route has its path. */
export function shortExternalIdRoutes<E extends Entity>(resource: ExternalIdResource<E>): readonly Route[] {
  const { kind, path, write, acting } = resource;
  const { entities, entityIn } = declared(resource, 'write');
  return [
    route({
      method: 'DELETE',
      path: `${path}/:externalId{opaque}`,
      says: `Deletes one external id of the ${typeInWords(kind.noun)}. Short form of the path with external-id.`,
      isUnlisted: true,
      entities,
      access: write,
      acting,
      async handle(call, segments) {
        const entity = entityIn(segments);
        const changes = remove(kind, entity.id, segment(segments, 'externalId'));
        await call.commit(changeOf(resource, entity, changes));
      },
    }),
  ];
}

/** Names that others give an entity, by which they find it again. */
export function externalIdRoutes<E extends Entity>(
  parts: EntityParts,
  resource: ExternalIdResource<E>,
): readonly Route[] {
  const { kind, read, write, acting, taken = 'bad-value', listedAs = kind.noun } = resource;
  const { type: owner } = kind;
  const noun = typeInWords(kind.noun);
  const all = `${resource.path}/external-id`;
  const one = `${all}/:externalId{opaque}`;
  const { entities: readable, entityIn } = declared(resource, 'read');
  const { entities: writable } = declared(resource, 'write');
  return [
    route({
      method: 'GET',
      path: all,
      says: `The external ids of the ${noun}.`,
      entities: readable,
      answers: externalIdentifierListDocument,
      access: read,
      async handle(_call, segments) {
        const { id } = entityIn(segments);
        return listOf(listedAs, (await externalIdsOf(parts.store, owner, [id], maxExternalIds)).get(id) ?? []);
      },
    }),
    route({
      method: 'DELETE',
      path: all,
      says: `Deletes all external ids of the ${noun}.`,
      entities: writable,
      access: write,
      acting,
      handle: (call, segments) =>
        changeAt(resource, call, entityIn(segments), (id) => [removeExternalIds({ type: owner, id })]),
    }),
    route({
      method: 'PUT',
      path: one,
      says: `Gives the ${noun} an external id.`,
      entities: writable,
      access: write,
      acting,
      handle: (call, segments) =>
        changeAt(resource, call, entityIn(segments), async (id) => {
          const externalId = segment(segments, 'externalId');
          const namespace = looksLikeId(externalId) ? undefined : await resource.namespaceOf?.(externalId);
          const changes = await add(parts.store, kind, id, externalId, taken, namespace?.name);
          return namespace ? [namespace.guard, ...changes] : changes;
        }),
    }),
    route({
      method: 'DELETE',
      path: one,
      says: `Deletes one external id of the ${noun}.`,
      entities: writable,
      access: write,
      acting,
      handle: (call, segments) =>
        changeAt(resource, call, entityIn(segments), (id) => remove(kind, id, segment(segments, 'externalId'))),
    }),
  ];
}
