import { simpleMetadataDocument } from '../../../core/documents/index.ts';
import { typeInWords } from '../../../core/lib/messages.ts';
import type { CoreSettings } from '../../../core/settings/core.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { raw } from '../../../http/forms.ts';
import { textOr } from '../../../http/reads.ts';
import { plain } from '../../../http/reply.ts';
import { type Route, route, segment } from '../../../http/route.ts';
import type { Caller } from '../../../security/caller.ts';
import type { Entity } from '../../entity.ts';
import { changeAt, declared, type EntityParts, type EntityResource } from '../place.ts';
import {
  checkKey,
  compileBelow,
  compilePath,
  keyValuesFrom,
  noSuchKey,
  type OnPath,
  onlyPair,
  type Pair,
  simpleMetadata,
} from './rules.ts';
import { type KeyValue, type KeyValues, keyValuesOf, removeKeys, setKeyValues } from './store.ts';

interface KeyValueParts extends EntityParts {
  readonly settings: Pick<CoreSettings, 'maxMetadataBytes'>;
}

/** A key whose value is kept elsewhere, and read and set like the others. */
export interface DerivedKey<E extends Entity = Entity> {
  readonly key: string;
  read(entity: E): Promise<string | undefined>;
  /** Without a text: removes the value. */
  write(entity: E, text: string | undefined): readonly Statement[];
}

/** A place whose entities have key-value metadata. */
export interface KeyValueResource<E extends Entity = Entity> extends EntityResource<E> {
  /**
   * Set for users and groups, whose changes are answered with 200, even if a removed key is missing. Others: 204, and
   * 404.
   */
  readonly lenient?: true;
  readonly derived?: DerivedKey<E>;
}

const keyPlace = '/SimpleMetadataDocument/field/key';

/** Key-value metadata of the entities at a path. */
export function keyValueRoutes<E extends Entity>(
  parts: KeyValueParts,
  resource: KeyValueResource<E>,
): readonly Route[] {
  const { read, write, acting, lenient = false, derived } = resource;
  const owner = resource.kind.type;
  const noun = typeInWords(resource.kind.noun);
  const path = `${resource.path}/metadata`;
  const onPath = `${path}/:key{.+}`;
  const status = lenient ? {} : ({ status: 204 } as const);
  const mostBytes = parts.settings.maxMetadataBytes;
  const { entities: readable, entityIn } = declared(resource, 'read');
  const { entities: writable } = declared(resource, 'write');

  return [
    route({
      method: 'GET',
      path,
      says: `The metadata of the ${noun}.`,
      entities: readable,
      answers: simpleMetadataDocument,
      access: read,
      handle: async (_call, segments) => simpleMetadata(await all(entityIn(segments))),
    }),
    route({
      method: 'PUT',
      path,
      says: 'Sets metadata. Other keys stay.',
      entities: writable,
      reads: simpleMetadataDocument,
      access: write,
      acting,
      ...status,
      handle(call, segments) {
        const values = keyValuesFrom(call.body, keyPlace, mostBytes);
        return change(call, entityIn(segments), values);
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: `Removes all metadata of the ${noun}.`,
      entities: writable,
      access: write,
      acting,
      ...status,
      handle(call, segments) {
        const entity = entityIn(segments);
        return changeAt(resource, call, entity, () => removeOnPath(entity, () => true));
      },
    }),
    route({
      method: 'GET',
      path: onPath,
      says: 'The value of one key, or the document of all keys below it.',
      entities: readable,
      answers: raw(['text', simpleMetadataDocument]),
      access: read,
      async handle(call, segments) {
        const key = segment(segments, 'key');
        const isBelow = compileBelow(key);
        const pairs = await all(entityIn(segments));
        if (call.type === 'text/plain') return plain(onlyPair(key, pairs).value);
        return call.render(
          call.type,
          simpleMetadataDocument,
          simpleMetadata(pairs.filter((pair) => isBelow(pair.key))),
        );
      },
    }),
    route({
      method: 'PUT',
      path: onPath,
      says: 'Sets one key to the text that is sent, or the keys below it to a document.',
      entities: writable,
      reads: textOr(simpleMetadataDocument),
      access: write,
      acting,
      ...status,
      handle(call, segments) {
        const { body } = call;
        const key = segment(segments, 'key');
        checkKey(key, 'path');
        // A document sets the keys below this one, a text this one. No body is the empty text, whatever its type.
        const values =
          typeof body === 'string'
            ? { pairs: [[key, body] as const], mostBytes }
            : keyValuesFrom(body, keyPlace, mostBytes, `${key}/`);
        return change(call, entityIn(segments), values);
      },
    }),
    route({
      method: 'DELETE',
      path: onPath,
      says: 'Removes the keys of the path. "*" matches any part.',
      entities: writable,
      access: write,
      acting,
      ...status,
      handle(call, segments) {
        const key = segment(segments, 'key');
        const isMeant = compilePath(key);
        const entity = entityIn(segments);
        return changeAt(resource, call, entity, async () => {
          const removals = await removeOnPath(entity, isMeant);
          if (removals.length === 0 && !lenient) throw noSuchKey(key);
          return removals;
        });
      },
    }),
  ];

  async function all(entity: E): Promise<readonly Pair[]> {
    const { id } = entity;
    const [values, value] = await Promise.all([keyValuesOf(parts.store, owner, [id]), derived?.read(entity)]);
    const pairs = values.get(id) ?? [];
    return value === undefined ? pairs : [...pairs, { key: derived!.key, value }];
  }

  function change(caller: Caller, entity: E, { pairs, mostBytes }: KeyValues): Promise<void> {
    const isDerived = ([key]: KeyValue) => key === derived?.key;
    const stored = { pairs: pairs.filter((pair) => !isDerived(pair)), mostBytes };
    const text = pairs.findLast(isDerived)?.[1];
    const changes = text === undefined ? [] : derived!.write(entity, text);
    return changeAt(resource, caller, entity, (id) => [...setKeyValues(owner, id, stored, false), ...changes]);
  }

  async function removeOnPath(entity: E, isMeant: OnPath): Promise<Statement[]> {
    const keys = new Set((await all(entity)).map(({ key }) => key).filter(isMeant));
    const changes = derived && keys.delete(derived.key) ? derived.write(entity, undefined) : [];
    return [...removeKeys(owner, entity.id, keys), ...changes];
  }
}
