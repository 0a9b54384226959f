import { simpleMetadataDocument } from '../../../core/documents/index.ts';
import { typeInWords } from '../../../core/lib/messages.ts';
import type { CoreSettings } from '../../../core/settings/core.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { raw } from '../../../http/forms.ts';
import { textOr } from '../../../http/reads.ts';
import { plain } from '../../../http/reply.ts';
import { type Route, route, segment } from '../../../http/route.ts';
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
import { keyValuesOf, removeKeys, setKeyValues } from './store.ts';

interface KeyValueParts extends EntityParts {
  readonly settings: Pick<CoreSettings, 'maxMetadataBytes'>;
}

/** A place whose entities have key-value metadata. */
export interface KeyValueResource<E extends Entity = Entity> extends EntityResource<E> {
  /**
   * Set for users and groups, whose changes are answered with 200, even if a removed key is missing. Others: 204, and
   * 404.
   */
  readonly lenient?: true;
}

const keyPlace = '/SimpleMetadataDocument/field/key';

/** Key-value metadata of the entities at a path. */
export function keyValueRoutes<E extends Entity>(parts: KeyValueParts, place: KeyValueResource<E>): readonly Route[] {
  const { read, write, acting, lenient = false } = place;
  const owner = place.kind.type;
  const noun = typeInWords(place.kind.noun);
  const path = `${place.path}/metadata`;
  const onPath = `${path}/:key{.+}`;
  const status = lenient ? {} : ({ status: 204 } as const);
  const mostBytes = parts.settings.maxMetadataBytes;
  const { entities: readable, entityIn } = declared(place, 'read');
  const { entities: writable } = declared(place, 'write');

  return [
    route({
      method: 'GET',
      path,
      says: `The metadata of the ${noun}.`,
      entities: readable,
      answers: simpleMetadataDocument,
      access: read,
      handle: async (_call, segments) => simpleMetadata(await all(entityIn(segments).id)),
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
        return changeAt(place, call, entityIn(segments), (id) => setKeyValues(owner, id, values, false));
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
      handle: (call, segments) => changeAt(place, call, entityIn(segments), (id) => removeOnPath(id, () => true)),
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
        const pairs = await all(entityIn(segments).id);
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
        return changeAt(place, call, entityIn(segments), (id) => setKeyValues(owner, id, values, false));
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
        return changeAt(place, call, entityIn(segments), async (id) => {
          const removals = await removeOnPath(id, isMeant);
          if (removals.length === 0 && !lenient) throw noSuchKey(key);
          return removals;
        });
      },
    }),
  ];

  async function all(id: string): Promise<readonly Pair[]> {
    return (await keyValuesOf(parts.store, owner, [id])).get(id) ?? [];
  }

  async function removeOnPath(id: string, isMeant: OnPath): Promise<Statement[]> {
    const keys = (await all(id)).map(({ key }) => key).filter(isMeant);
    return removeKeys(owner, id, new Set(keys));
  }
}
