import { simpleMetadataDocument } from '../../documents/index.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { textOr } from '../../http/reads.ts';
import { plain } from '../../http/reply.ts';
import { type Params, type Route, route, segment } from '../../http/route.ts';
import type { Maybe } from '../../lib/maybe.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { typeInWords } from '../../lib/sentence.ts';
import type { Entity } from '../../room/entity.ts';
import type { CoreSettings } from '../../settings/core.ts';
import type { Statement } from '../../store/contract.ts';
import type { EntityParts, EntityResource } from '../place.ts';
import { keyValuesFrom, simpleMetadata } from './documents.ts';
import { checkKey, compileBelow, compilePath, noSuchKey, type OnPath, onlyPair, type Pair } from './rules.ts';
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

  return [
    route({
      method: 'GET',
      path,
      says: `The metadata of the ${noun}.`,
      answers: simpleMetadataDocument,
      access: read,
      handle: async (call, params) => simpleMetadata(await pairsOf(call, params)),
    }),
    route({
      method: 'PUT',
      path,
      says: 'Sets metadata. Other keys stay.',
      reads: simpleMetadataDocument,
      access: write,
      acting,
      ...status,
      handle(call, params) {
        const values = keyValuesFrom(call.body, keyPlace, mostBytes);
        return change(call, params, (id) => setKeyValues(owner, id, values, false));
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: `Removes all metadata of the ${noun}.`,
      access: write,
      acting,
      ...status,
      handle: (call, params) => change(call, params, (id) => removeOnPath(id, () => true)),
    }),
    route({
      method: 'GET',
      path: onPath,
      says: 'The value of one key, or the document of all keys below it.',
      answers: raw(['text', simpleMetadataDocument]),
      access: read,
      async handle(call, params) {
        const key = segment(params, 'key');
        const isBelow = compileBelow(key);
        const pairs = await pairsOf(call, params);
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
      reads: textOr(simpleMetadataDocument),
      access: write,
      acting,
      ...status,
      handle(call, params) {
        const { body } = call;
        const key = segment(params, 'key');
        checkKey(key, 'path');
        // A document sets the keys below this one, a text this one. No body is the empty text, whatever its type.
        const values =
          typeof body === 'string'
            ? { pairs: [[key, body] as const], mostBytes }
            : keyValuesFrom(body, keyPlace, mostBytes, `${key}/`);
        return change(call, params, (id) => setKeyValues(owner, id, values, false));
      },
    }),
    route({
      method: 'DELETE',
      path: onPath,
      says: 'Removes the keys of the path. "*" matches any part.',
      access: write,
      acting,
      ...status,
      handle(call, params) {
        const key = segment(params, 'key');
        const isMeant = compilePath(key);
        return change(call, params, async (id) => {
          const removals = await removeOnPath(id, isMeant);
          if (removals.length === 0 && !lenient) throw noSuchKey(key);
          return removals;
        });
      },
    }),
  ];

  async function pairsOf(call: Call, params: Params): Promise<readonly Pair[]> {
    return all((await place.find(params, call)).id);
  }

  async function all(id: string): Promise<readonly Pair[]> {
    return (await keyValuesOf(parts.store, owner, [id])).get(id) ?? [];
  }

  async function removeOnPath(id: string, isMeant: OnPath): Promise<Statement[]> {
    const keys = (await all(id)).map(({ key }) => key).filter(isMeant);
    return removeKeys(owner, id, new Set(keys));
  }

  /** Nothing to change is no change: no event tells of it. */
  function change(call: Call, params: Params, decide: (id: string) => Maybe<Statement[]>): Promise<void> {
    const inTurn = place.inTurn ?? ((_params, decide) => retryWhenChanged(decide));
    return inTurn(params, async () => {
      const entity = await place.find(params, call);
      const changes = await decide(entity.id);
      if (changes.length > 0) await call.commit(place.changed(entity, changes));
    });
  }
}
