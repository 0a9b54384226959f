import { ServiceError } from '../../core/lib/errors.ts';
import { after, type Maybe } from '../../core/lib/maybe.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import type { Caller } from '../../security/caller.ts';
import type { Entity, EntityKind, KindName } from '../entity.ts';
import { canBeExternalId } from './external-ids/rules.ts';
import { entityOf } from './external-ids/store.ts';

/** The entity that a path names by its id, by its name, or by an external id. */
export const findEntity = <E extends Entity>(reader: Reader, kind: EntityKind<E>, name: string): Maybe<E | undefined> =>
  after(kind.find(name), (entity) => (entity || !canBeExternalId(name) ? entity : findByOtherName(reader, kind, name)));

async function findByOtherName<E extends Entity>(
  reader: Reader,
  kind: EntityKind<E>,
  name: string,
): Promise<E | undefined> {
  const id = await entityOf(reader, kind.type, name);
  if (id !== undefined) return kind.find(id);
  const short = idInLongForm(kind, name);
  return short === undefined ? undefined : findEntity(reader, kind, short);
}

/** Clients also write the id of an item as `ITEM-VX-1`. */
function idInLongForm({ noun }: KindName, name: string): string | undefined {
  const start = `${noun.toUpperCase()}-`;
  return name.startsWith(start) ? name.slice(start.length) : undefined;
}

/** Finds an entity. 404 if there is none. */
export async function entityNamed<E extends Entity>(reader: Reader, kind: EntityKind<E>, name: string): Promise<E> {
  return existing(kind, name, await findEntity(reader, kind, name));
}

function existing<E>(kind: KindName, name: string, entity: E | undefined): E {
  if (entity) return entity;
  throw noSuchEntity(kind, name);
}

/** Entity in a path, for kinds without access entries: the role of the route decides. */
export const pathEntity = <E extends Entity>(reader: Reader, kind: EntityKind<E>): PathEntity<E> => ({
  kind: kind.type,
  find: (name) => after(findEntity(reader, kind, name), (entity) => existing(kind, name, entity)),
  ahead: (name) => kind.find(name),
  stays: ({ id }) => kind.mustExist(id, noSuchEntity(kind, id)),
});

/** Refuses as the path would now: somebody has deleted the entity meanwhile, or revoked the rights on it. */
export async function refusedNow(
  at: PathEntity<Entity> | undefined,
  kind: Pick<KindName, 'noun'>,
  id: string,
  call: Caller,
): Promise<never> {
  await at?.find(id, call, {});
  throw noSuchEntity(kind, id);
}

export const noSuchEntity = ({ noun }: Pick<KindName, 'noun'>, name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: noun, id: name.slice(0, 80) });

/** Name of an entity in events, by which notifications about one entity are found. */
export const nameInEvents = (kind: EntityKind, entity: Entity): string => kind.nameInEvents?.(entity) ?? entity.id;
