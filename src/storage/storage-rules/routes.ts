import { existing } from '../../core/lib/checks.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Statement } from '../../core/store/contract.ts';
import type { Call } from '../../http/call.ts';
import { choice, list, page, pageOf, text } from '../../http/parameters/index.ts';
import type { PathEntities } from '../../http/path-entity.ts';
import { type NoQuery, type Route, role, route } from '../../http/route.ts';
import { findEntity } from '../../room/entities/find.ts';
import { pageWithin } from '../../room/entities/page-weight.ts';
import type { Entity } from '../../room/entity.ts';
import type { Caller } from '../../security/caller.ts';
import { ruledByHook } from '../contract.ts';
import {
  type StorageRule,
  type StorageRules,
  storageDocument,
  storageRuleDocument,
  storageRulesDocument,
} from '../documents.ts';
import type { StorageParts } from '../parts.ts';
import { loadStorage, storageFrom } from '../storages/documents.ts';
import { noSuchStorageGroup } from '../storages/group-routes.ts';
import { noSuchStorage } from '../storages/rules.ts';
import { chooseStorage, noRules } from './choice.ts';
import {
  deleteStorageRule,
  noSuchStorageRule,
  precedences,
  type RuleType,
  ruleDestinations,
  ruleTypes,
  type StoredRule,
  storageRuleFrom,
  writeRule,
} from './rules.ts';
import { findRule, firstMissing, listRules, type RuleRow, rulesOf } from './store.ts';

export function ruleDocumentOf({ entityType, entityId, tag, precedence, document }: RuleRow): StorageRule {
  return {
    ...(tag !== '' && { id: tag }),
    ...(JSON.parse(document) as StoredRule),
    appliesTo: { ...(entityId !== '' && { id: entityId }), type: entityType },
    precedence: precedences[precedence],
  };
}

/** The rule of everything that has no rule of its own, and the others. */
function rulesDocumentOf(rows: readonly RuleRow[], isDefault: (row: RuleRow) => boolean): StorageRules {
  const defaultRow = rows.find(isDefault);
  return {
    ...(defaultRow && { default: ruleDocumentOf(defaultRow) }),
    tag: rows.filter((row) => row !== defaultRow).map(ruleDocumentOf),
  };
}

const read = role('_storage_rule_read');
const write = role('_storage_rule_write');

/** Entities whose files rules are about. */
export interface RuleResource {
  /** `/collection/:collection`; the rules are below it. */
  readonly path: string;
  readonly type: RuleType;
  /** Segment that names the entity. Left out: the rules are about all entities. */
  readonly part?: string;
  /** Entities of the path. Rules are read with READ and changed with ALL. */
  entities(level: 'READ' | 'ALL'): PathEntities;
  /** Further guards for the commit of a rule change. */
  guards?(id: string, caller: Caller): readonly Statement[];
}

/** Segments of a path with rules, its entities in place of their names. */
type Segments = Readonly<Record<string, unknown>>;

const idIn = ({ part }: Pick<RuleResource, 'part'>, segments: Segments): string =>
  part === undefined ? '' : (segments[part] as Entity).id;

const tagIn = ({ tag = '' }: Segments): string => String(tag);

/** Rules for a shape tag, whichever item the shape belongs to. */
const shapeTags: RuleResource = {
  path: '/shape-tag',
  type: 'GENERIC',
  entities: () => ({}),
};

export const storageRuleRoutes = (parts: StorageParts): readonly Route[] => [
  ...rulesAt(parts, shapeTags),
  route({
    method: 'GET',
    path: '/storage-rule',
    says: 'The storage rules of all entities.',
    query: {
      type: list(choice('The types of entities that the rules are about', ruleTypes)),
      tag: list(text('The shape tags of the rules')),
      ...page(parts.settings.maxPage),
    },
    answers: storageRulesDocument,
    access: read,
    async handle(call) {
      const { type: types = [], tag: tags = [] } = call.query;
      const filter = { types: JSON.stringify(types), tags: JSON.stringify(tags) };
      const values = { ...filter, ...pageOf(call.query) };
      const { reader } = call;
      const rows = await pageWithin(listRules, reader, values, parts.settings.maxPageValues);
      return rulesDocumentOf(rows, ({ entityType, tag }) => entityType === 'GENERIC' && tag === '');
    },
  }),
  route({
    method: 'GET',
    path: '/import/storage',
    says: 'The storage that would get a new file now.',
    query: {
      tag: list(text('Shape tags of the new shape. Default: "original"')),
      item: text('Item of the new shape'),
    },
    answers: storageDocument,
    access: role('_import'),
    async handle(call) {
      const { item, tag: tags = ['original'] } = call.query;
      if (item !== undefined) await mayReadItem(parts, call, item);
      const { reader } = call;
      const about = item === undefined ? noRules : await parts.hooks.need(ruledByHook)(reader, { item });
      const id = await chooseStorage(reader, { ...about, tags });
      if (id === undefined) throw noStorageFits(tags);
      return storageFrom(await loadStorage(reader, id));
    },
  }),
];

/** Checks the right to read the item, since the choice of a storage would reveal the item's rules. */
async function mayReadItem({ entities, store }: StorageParts, call: Call, id: string): Promise<void> {
  const items = Object.hasOwn(entities, '/item') ? entities['/item'] : undefined;
  const item = items && (await findEntity(store, items, id));
  if (!item) throw new ServiceError('no-such-entity', { type: 'Item', id: id.slice(0, 80) });
  await items.mayRead?.(call, item, id);
}

const noStorageFits = (tags: readonly string[]): ServiceError =>
  new ServiceError('no-such-entity', {
    type: 'Storage',
    id: tags.join(',').slice(0, 80),
    context: 'storage rules',
    explanation: 'Expected a storage that takes new files and that the rules allow',
  });

type RuleParts = Pick<StorageParts, 'store'> & {
  readonly settings: Pick<StorageParts['settings'], 'maxPage' | 'maxPageValues'>;
};

/** Writes and deletes rules for routes: for the tag in the path, or for all files. */
export function ruleWriting(parts: RuleParts, place: Omit<RuleResource, 'path'>) {
  const { store } = parts;
  const { type, guards = () => [] } = place;
  const put = async (call: Call<NoQuery, StorageRule>, segments: Segments): Promise<void> => {
    const id = idIn(place, segments);
    const wanted = storageRuleFrom(call.body);
    const { storages, groups } = ruleDestinations(wanted.rule);
    await call.change(async () => {
      const storage = await firstMissing(store, 'storage', storages);
      if (storage !== undefined) throw noSuchStorage(storage);
      const group = await firstMissing(store, 'group', groups);
      if (group !== undefined) throw noSuchStorageGroup(group);
      return writeRule({ type, id, tag: tagIn(segments) }, wanted, guards(id, call));
    });
  };
  const remove = (call: Caller, segments: Segments): Promise<void> => {
    const id = idIn(place, segments);
    return call.commit(deleteStorageRule({ type, id, tag: tagIn(segments) }, guards(id, call)));
  };
  const writing = { entities: place.entities('ALL'), access: write, acting: 'allowed' } as const;
  return {
    putting: { ...writing, reads: storageRuleDocument, handle: put } as const,
    removing: { ...writing, handle: remove } as const,
  };
}

/** The routes of the rules of one kind of entities. */
export function rulesAt(parts: RuleParts, place: RuleResource): readonly Route[] {
  const { store, settings } = parts;
  const { type } = place;
  const noun = type === 'GENERIC' ? 'shape tag' : type.toLowerCase();
  const entities = place.entities('READ');
  const path = `${place.path}/storage-rule`;
  const onTag = `${path}/:tag`;
  const { putting, removing } = ruleWriting(parts, place);

  return [
    route({
      method: 'GET',
      path,
      says: `The storage rules of the ${noun}: for all its files, and for single shape tags.`,
      entities,
      query: page(settings.maxPage),
      answers: storageRulesDocument,
      access: read,
      async handle(call, segments) {
        const values = { type, id: idIn(place, segments), ...pageOf(call.query) };
        const rows = await pageWithin(rulesOf, call.reader, values, settings.maxPageValues);
        return rulesDocumentOf(rows, ({ tag }) => tag === '');
      },
    }),
    route({ method: 'PUT', path, says: `Sets the storage rule for all files of the ${noun}.`, ...putting }),
    route({ method: 'DELETE', path, says: `Removes the storage rule for all files of the ${noun}.`, ...removing }),
    route({
      method: 'GET',
      path: onTag,
      says: `The storage rule of the ${noun} for one shape tag.`,
      entities,
      answers: storageRuleDocument,
      access: read,
      async handle(_call, segments) {
        const tag = tagIn(segments);
        const row = existing(await findRule(store, { type, id: idIn(place, segments), tag }), noSuchStorageRule, tag);
        return ruleDocumentOf(row);
      },
    }),
    route({ method: 'PUT', path: onTag, says: `Sets the storage rule of the ${noun} for one shape tag.`, ...putting }),
    route({ method: 'POST', path: onTag, says: `Sets the storage rule of the ${noun} for one shape tag.`, ...putting }),
    route({
      method: 'DELETE',
      path: onTag,
      says: `Removes the storage rule of the ${noun} for one shape tag.`,
      ...removing,
    }),
  ];
}
