import { simpleMetadataDocument } from '../../documents/index.ts';
import { type Call, optionalDocument, requireDocument, sendsDocument, sentText } from '../../http/call.ts';
import { documentTypes, textOnly } from '../../http/negotiation.ts';
import { done, plain } from '../../http/reply.ts';
import {
  type Access,
  type Acting,
  administratorOrSelfWith,
  type Params,
  type Route,
  role,
  roleOrSelf,
} from '../../http/route.ts';
import { changedMeanwhile, retryWhenChanged } from '../../lib/retry-when-changed.ts';
import type { Statement, Work } from '../../store/contract.ts';
import { happened } from '../events.ts';
import { groupNamed } from '../groups/change.ts';
import { moveOn } from '../groups/store.ts';
import { onlyOwnAccount } from '../own-account.ts';
import type { IdentityParts } from '../parts.ts';
import { userNamed } from '../users/change.ts';
import { modified } from '../users/rules.ts';
import { moveUserOn } from '../users/store.ts';
import { fieldsOf, keyValuesFrom } from './documents.ts';
import { checkKey, compileBelow, compilePath, type OnPath, onlyPair, type Pair } from './rules.ts';
import { type KeyValueOwner, keyValuesOf, removeKeys, setKeyValues } from './store.ts';

/** Somebody who has metadata, as read. */
interface Owner {
  readonly id: string;
  /** The changes as one of this owner, with its event. */
  changed(changes: readonly Statement[]): Work;
}

interface Kind {
  readonly type: KeyValueOwner;
  readonly read: Access;
  readonly write: Access;
  /** What a caller that only acts may write. */
  actingOn(parts: IdentityParts): Acting;
  find(parts: IdentityParts, name: string): Promise<Owner>;
}

const kinds: readonly Kind[] = [
  {
    type: 'user',
    read: roleOrSelf('_administrator', 'name'),
    write: administratorOrSelfWith('_user_metadata_write', 'name'),
    actingOn: ({ store }) => onlyOwnAccount(store),
    async find(parts, name) {
      const row = await userNamed(parts, name);
      const events = [modified(row.name, ['metadata'])];
      const guards = moveUserOn(row, changedMeanwhile('User', name));
      return { id: row.id, changed: (changes) => ({ changes: [...guards, ...changes], events }) };
    },
  },
  {
    type: 'group',
    read: role('_group_read'),
    write: role('_group_write'),
    // Metadata of a group gives its members no right.
    actingOn: () => 'allowed',
    async find(parts, name) {
      const row = await groupNamed(parts, name);
      const events = [happened('group/modify', name, { group: name })];
      const guards = moveOn(row, changedMeanwhile('Group', name));
      return { id: row.id, changed: (changes) => ({ changes: [...guards, ...changes], events }) };
    },
  },
];

const place = '/SimpleMetadataDocument/field/key';

export const keyValueRoutes = (parts: IdentityParts): readonly Route[] =>
  kinds.flatMap((kind) => routesOf(parts, kind));

function routesOf(parts: IdentityParts, { type: owner, read, write, actingOn, find }: Kind): readonly Route[] {
  const acting = actingOn(parts);
  const path = `/${owner}/:name/metadata`;
  const onPath = `${path}/:key{.+}`;
  const mostBytes = parts.settings.maxMetadataBytes;

  return [
    {
      method: 'GET',
      path,
      says: 'The metadata of the entity.',
      answers: simpleMetadataDocument,
      access: read,
      produces: documentTypes,
      async handle(_call, type, params) {
        return parts.render(type, simpleMetadataDocument, fieldsOf(await pairsOf(params)));
      },
    },
    {
      method: 'PUT',
      path,
      says: 'Sets metadata; what the document does not name stays.',
      reads: simpleMetadataDocument,
      access: write,
      acting,
      produces: [],
      async handle(call, _type, params) {
        const document = await requireDocument(call, simpleMetadataDocument, parts.limits);
        const wanted = keyValuesFrom(document, place, mostBytes);
        return change(call, params, (id) => setKeyValues(owner, id, wanted, false));
      },
    },
    {
      method: 'DELETE',
      path,
      says: 'Removes all metadata of the entity.',
      access: write,
      acting,
      produces: [],
      handle: (call, _type, params) => remove(call, params, () => true),
    },
    {
      method: 'GET',
      path: onPath,
      says: 'The value of one key, or the document of all keys below it.',
      answers: ['text', simpleMetadataDocument],
      access: read,
      produces: [...textOnly, ...documentTypes],
      async handle(_call, type, params) {
        const key = params['key']!;
        const isBelow = compileBelow(key);
        const pairs = await pairsOf(params);
        if (type === 'text/plain') return plain(onlyPair(key, pairs).value);
        return parts.render(type, simpleMetadataDocument, fieldsOf(pairs.filter((pair) => isBelow(pair.key))));
      },
    },
    {
      method: 'PUT',
      path: onPath,
      says: 'Sets one key to the text that is sent, or the keys below it to a document.',
      reads: ['text', simpleMetadataDocument],
      access: write,
      acting,
      produces: [],
      async handle(call, _type, params) {
        const key = params['key']!;
        checkKey(key, 'path');
        // A document sets the keys below this one, a text this one. No body is the empty text, whatever its type.
        const isDocument = sendsDocument(call);
        const document = isDocument ? await optionalDocument(call, simpleMetadataDocument, parts.limits) : undefined;
        const text = isDocument ? '' : await sentText(call, parts.limits.bytes);
        const wanted = document
          ? keyValuesFrom(document, place, mostBytes, `${key}/`)
          : { pairs: [[key, text] as const], mostBytes };
        return change(call, params, (id) => setKeyValues(owner, id, wanted, false));
      },
    },
    {
      method: 'DELETE',
      path: onPath,
      says: 'Removes the keys that the path names; a star stands for any part.',
      access: write,
      acting,
      produces: [],
      handle: (call, _type, params) => remove(call, params, compilePath(params['key']!)),
    },
  ];

  async function pairsOf(params: Params): Promise<readonly Pair[]> {
    const { id } = await find(parts, params['name']!);
    return all(id);
  }

  async function all(id: string): Promise<readonly Pair[]> {
    return (await keyValuesOf(parts.store, owner, [id])).get(id) ?? [];
  }

  function remove(call: Call, params: Params, isMeant: OnPath) {
    return change(call, params, async (id) => {
      const keys = (await all(id)).map(({ key }) => key).filter(isMeant);
      return removeKeys(owner, id, new Set(keys));
    });
  }

  /** Nothing to change is no change: no event tells of it. */
  function change(call: Call, params: Params, decide: (id: string) => Promise<Statement[]> | Statement[]) {
    return retryWhenChanged(async () => {
      const { id, changed } = await find(parts, params['name']!);
      const changes = await decide(id);
      if (changes.length > 0) await parts.commit(changed(changes), call);
      return done;
    });
  }
}
