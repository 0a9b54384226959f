import { externalIdentifierListDocument } from '../../documents/index.ts';
import type { Call } from '../../http/call.ts';
import { type Params, type Route, route, segment } from '../../http/route.ts';
import type { Maybe } from '../../lib/maybe.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { typeInWords } from '../../lib/sentence.ts';
import type { Entity } from '../../room/entity.ts';
import type { Statement } from '../../store/contract.ts';
import type { EntityParts, EntityResource } from '../place.ts';
import { listOf } from './documents.ts';
import { add, mostExternalIds, remove, type TakenCode } from './rules.ts';
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
export function shortExternalIdRoutes<E extends Entity>({
  kind,
  path,
  write,
  acting,
  find,
  changed,
}: ExternalIdResource<E>): readonly Route[] {
  return [
    route({
      method: 'DELETE',
      path: `${path}/:externalId{opaque}`,
      says: `Deletes one external id of the ${typeInWords(kind.noun)}. Short form of the path with external-id.`,
      aside: true,
      access: write,
      acting,
      async handle(call, params) {
        const entity = await find(params, call);
        await call.commit(changed(entity, remove(kind, entity.id, segment(params, 'externalId'))));
      },
    }),
  ];
}

/** Names that others give an entity, by which they find it again. */
export function externalIdRoutes<E extends Entity>(parts: EntityParts, place: ExternalIdResource<E>): readonly Route[] {
  const { kind, read, write, acting, taken = 'bad-value', listedAs = kind.noun } = place;
  const { type: owner } = kind;
  const noun = typeInWords(kind.noun);
  const all = `${place.path}/external-id`;
  const one = `${all}/:externalId{opaque}`;
  return [
    route({
      method: 'GET',
      path: all,
      says: `The external ids of the ${noun}.`,
      answers: externalIdentifierListDocument,
      access: read,
      async handle(call, params) {
        const { id } = await place.find(params, call);
        return listOf(listedAs, (await externalIdsOf(parts.store, owner, [id], mostExternalIds)).get(id) ?? []);
      },
    }),
    route({
      method: 'DELETE',
      path: all,
      says: `Deletes all external ids of the ${noun}.`,
      access: write,
      acting,
      handle: (call, params) => change(call, params, (id) => [removeExternalIds({ type: owner, id })]),
    }),
    route({
      method: 'PUT',
      path: one,
      says: `Gives the ${noun} an external id.`,
      access: write,
      acting,
      handle: (call, params) =>
        change(call, params, async (id) => {
          const externalId = segment(params, 'externalId');
          const namespace = await place.namespaceOf?.(externalId);
          const changes = add(kind, id, externalId, taken, namespace?.name);
          return namespace ? [namespace.guard, ...changes] : changes;
        }),
    }),
    route({
      method: 'DELETE',
      path: one,
      says: `Deletes one external id of the ${noun}.`,
      access: write,
      acting,
      handle: (call, params) => change(call, params, (id) => remove(kind, id, segment(params, 'externalId'))),
    }),
  ];

  function change(call: Call, params: Params, decide: (id: string) => Maybe<Statement[]>): Promise<void> {
    return retryWhenChanged(async () => {
      const entity = await place.find(params, call);
      await call.commit(place.changed(entity, await decide(entity.id)));
    });
  }
}
