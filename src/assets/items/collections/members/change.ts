import { ServiceError } from '../../../../core/lib/errors.ts';
import { groupBy } from '../../../../core/lib/group-by.ts';
import { uuidFrom } from '../../../../core/lib/random.ts';
import { changedMeanwhile } from '../../../../core/lib/retry-when-changed.ts';
import { yieldTurn } from '../../../../core/lib/turn.ts';
import type { CommitPlan, Statement } from '../../../../core/store/contract.ts';
import { badParameter } from '../../../../http/parameters/index.ts';
import { noSuchEntity } from '../../../../room/entities/find.ts';
import { checkKey, keyValuesFrom } from '../../../../room/entities/key-values/rules.ts';
import { type KeyValues, removeKeys, setKeyValues } from '../../../../room/entities/key-values/store.ts';
import type { Caller } from '../../../../security/caller.ts';
import { havingAmong } from '../../../access/public.ts';
import { accessOf } from '../../../access/public-reading.ts';
import { collectionName } from '../../contract/entities.ts';
import { type CollectionRow, collectionMustExist, collectionsThere, itemsThere } from '../../contract/store.ts';
import type { CollectionContent, CollectionReorder } from '../../documents.ts';
import { itemEvent } from '../../events.ts';
import { librariesThere } from '../../libraries-sql.ts';
import type { ItemsContext } from '../../settings.ts';
import { membersNamed } from './named.ts';
import {
  gap,
  keyOf,
  type Member,
  type MemberEntry,
  type MemberKey,
  MemberOrder,
  noSuchMember,
  type OrderedMember,
  replaceBy,
  unique,
} from './order.ts';
import {
  appendMember,
  collectionHasRoom,
  collectionMembersAmong,
  findMember,
  memberHas,
  memberKeys,
  membersOfCollection,
  memberThere,
  noCycle,
  type Passing,
  placeMembers,
  removeMembers,
  removeOtherMembers,
  sameVersion,
} from './store.ts';

/** Entity type of memberships in key-value metadata. The id is their reference. */
export const membershipType = 'collection-member';

const place = '/CollectionDocument/content/metadata/field/key';

/** Members of a document, with names resolved to ids. */
export interface Entries {
  readonly entries: readonly MemberEntry[];
  readonly metadata: ReadonlyMap<string, KeyValues>;
}

export async function entriesFrom(
  { settings }: ItemsContext,
  call: Caller,
  content: readonly CollectionContent[] = [],
): Promise<Entries> {
  const names = content.map(({ id, type = 'item' }) => ({ type, id }));
  // Members to remove may be deleted already, or invisible to the caller.
  const toPlace = names.filter((_, index) => content[index]!.mode !== 'remove');
  const ids = await membersNamed(call.reader, call, toPlace);
  const idsByName = new Map(toPlace.map((name, index) => [name, ids[index]!]));
  const entries = names.map((name, index): MemberEntry => {
    const { mode, before, after } = content[index]!;
    return { type: name.type, id: idsByName.get(name) ?? name.id, mode, before, after };
  });
  const metadata = new Map<string, KeyValues>();
  for (const [index, { metadata: document }] of content.entries()) {
    if (document) metadata.set(keyOf(entries[index]!), keyValuesFrom(document, place, settings.maxMetadataBytes));
  }
  return { entries, metadata };
}

/** Moves of a document, in order. */
export const movesFrom = ({ item = [], collection = [], library = [] }: CollectionReorder): readonly MemberEntry[] =>
  Object.entries({ item, collection, library }).flatMap(([type, moves]) =>
    moves.map((move): MemberEntry => ({ ...move, type, mode: 'move' })),
  );

/**
 * Rights and metadata that new members get from the collection. Access entries, locks and storage rules need ALL on the
 * member, metadata WRITE. Otherwise anybody who can read an entity could own or describe it, by a collection of their own.
 */
async function passingAmong(call: Caller, members: readonly MemberKey[]): Promise<(member: MemberKey) => Passing> {
  const { reader } = call;
  const viewer = await accessOf(reader, call);
  const having = { ALL: new Set<string>(), WRITE: new Set<string>() };
  for (const [type, ofType] of groupBy(members, (member) => member.type)) {
    const ids = ofType.map(({ id }) => id);
    const keep = async (level: keyof typeof having) => {
      for (const id of await havingAmong(reader, viewer, type, ids, level)) having[level].add(keyOf({ type, id }));
    };
    await Promise.all([keep('ALL'), keep('WRITE')]);
  }
  return (member) => ({
    passes: having.ALL.has(keyOf(member)) ? 1 : 0,
    inherits: having.WRITE.has(keyOf(member)) ? 1 : 0,
  });
}

/** Members of a new collection, for the commit that creates it. */
export async function firstMembers(
  parts: ItemsContext,
  call: Caller,
  id: string,
  { entries, metadata }: Entries,
): Promise<readonly Statement[]> {
  const members = unique(entries).map(
    ({ type, id: memberId }, index): Member => ({
      type,
      id: memberId,
      position: (index + 1) * gap,
      reference: uuidFrom(parts.random),
    }),
  );
  if (members.length === 0) return [];
  const passing = await passingAmong(call, members);
  return [...added(parts, id, members), ...placeMembers(id, members, passing), ...described(members, metadata)];
}

/** Rearranges members as `arrange` decides. Undefined: no change. */
export async function arrangeMembers(
  parts: ItemsContext,
  call: Caller,
  row: CollectionRow,
  arrange: (order: MemberOrder) => readonly OrderedMember[],
  metadata: Entries['metadata'] = new Map(),
): Promise<CommitPlan | undefined> {
  const order = new MemberOrder();
  for await (const slice of membersOfCollection(call.reader, row.id)) {
    order.load(slice);
    await yieldTurn();
  }
  const placed = arrange(order);
  const { removed } = order;
  const named = [...metadata.keys()].flatMap((key) => order.storedAs(key) ?? []);
  const stored = [...placed.flatMap((each) => order.stored(each) ?? []), ...named];
  return rearranged(parts, call, row, { placed, stored, removal: removeMembers(row.id, removed) }, metadata);
}

/** Replaces all members by those of the document, in its order. Undefined: no change. */
export async function replaceMembers(
  parts: ItemsContext,
  call: Caller,
  row: CollectionRow,
  { entries, metadata }: Entries,
): Promise<CommitPlan | undefined> {
  const { id } = row;
  const stored = await collectionMembersAmong(parts.store, { collectionId: id, rows: memberKeys(entries) });
  const removal = stored.length < row.members ? removeOtherMembers(id, entries) : [];
  return rearranged(parts, call, row, { placed: replaceBy(stored, entries), stored, removal }, metadata);
}

interface Rearrangement {
  readonly placed: readonly OrderedMember[];
  /** Stored members that are positioned or named. */
  readonly stored: readonly Member[];
  readonly removal: readonly Statement[];
}

async function rearranged(
  parts: ItemsContext,
  call: Caller,
  { id, version }: CollectionRow,
  { placed, stored, removal }: Rearrangement,
  metadata: Entries['metadata'],
): Promise<CommitPlan | undefined> {
  const storedByKey = new Map(stored.map((member) => [keyOf(member), member]));
  const placing = placed.map(
    (each): Member => ({
      ...each,
      reference: storedByKey.get(keyOf(each))?.reference ?? uuidFrom(parts.random),
    }),
  );
  const fresh = placing.filter((member) => !storedByKey.has(keyOf(member)));
  const words = described([...storedByKey.values(), ...fresh], metadata);
  if (placed.length + removal.length + words.length === 0) return undefined;
  const passing = await passingAmong(call, fresh);
  return modified(id, [
    sameVersion({ collectionId: id, version }, changedMeanwhile('Collection', id)),
    ...removal,
    ...added(parts, id, fresh),
    ...placeMembers(id, placing, passing),
    collectionHasRoom({ collectionId: id, max: parts.settings.maxCollectionMembers }, full(parts, id)),
    ...words,
  ]);
}

/** Appends a member. An existing member keeps its position and gets the metadata. */
export async function addToCollection(
  parts: ItemsContext,
  call: Caller,
  { id }: CollectionRow,
  wanted: MemberKey,
  pairs: readonly string[],
): Promise<void> {
  const { store, settings } = parts;
  await call.change(async () => {
    const [memberId] = await membersNamed(call.reader, call, [wanted]);
    const member = { type: wanted.type, id: memberId! };
    const storedMember = await findMember(store, { collectionId: id, ...member });
    const reference = storedMember?.reference ?? uuidFrom(parts.random);
    const { set, removed } = metadataChange(pairs);
    const words = [
      ...removeKeys(membershipType, reference, removed),
      ...(set.length > 0
        ? setKeyValues(membershipType, reference, { pairs: set, mostBytes: settings.maxMetadataBytes }, false)
        : []),
    ];
    if (storedMember && words.length === 0) return undefined;
    const passing = storedMember ? undefined : (await passingAmong(call, [member]))(member);
    const joins = passing
      ? [...added(parts, id, [member]), appendMember({ collectionId: id, ...member, reference, ...passing })]
      : [];
    const changed = changedMeanwhile('Collection', id);
    const changes = [
      ...joins,
      memberHas({ collectionId: id, ...member, reference }, changed),
      collectionHasRoom({ collectionId: id, max: settings.maxCollectionMembers }, full(parts, id)),
      ...words,
    ];
    return modified(id, changes);
  });
}

/** Adds a new entity in the commit that creates it: its creator has ALL on it. */
export function joinNew(parts: ItemsContext, { id }: CollectionRow, member: MemberKey): CommitPlan {
  const max = parts.settings.maxCollectionMembers;
  return modified(id, [
    collectionMustExist(id, noSuchEntity(collectionName, id)),
    ...added(parts, id, [member]),
    appendMember({ collectionId: id, ...member, reference: uuidFrom(parts.random), passes: 1, inherits: 1 }),
    collectionHasRoom({ collectionId: id, max }, full(parts, id)),
  ]);
}

/** Parses `metadata=key=value` as setting a key, and `metadata=-key` as removing it. */
export function metadataChange(pairs: readonly string[]) {
  const set: (readonly [key: string, value: string])[] = [];
  const removed: string[] = [];
  for (const pair of pairs) {
    const end = pair.indexOf('=');
    const isRemoval = pair.startsWith('-');
    if (!isRemoval && end < 1) throw badParameter('metadata', 'Expected key=value, or -key', pair);
    const key = isRemoval ? pair.slice(1) : pair.slice(0, end);
    checkKey(key, 'parameter');
    if (isRemoval) removed.push(key);
    else set.push([key, pair.slice(end + 1)]);
  }
  return { set, removed };
}

export const removeMember = ({ id }: CollectionRow, member: MemberKey): CommitPlan =>
  modified(id, [memberThere({ collectionId: id, ...member }, noSuchMember(member.id)), ...removeMembers(id, [member])]);

/** Guards: the members exist, and none of them is the collection itself or above it. */
function added({ settings }: ItemsContext, id: string, members: readonly MemberKey[]): Statement[] {
  const idsOf = (type: string) => members.filter((member) => member.type === type).map((member) => member.id);
  const [items, collections, libraries] = [idsOf('item'), idsOf('collection'), idsOf('library')];
  const changed = changedMeanwhile('Collection', id);
  if (settings.maxCollectionMembers < members.length) throw full({ settings }, id);
  return [
    ...(items.length > 0 ? [itemsThere({ ids: items, count: items.length }, changed)] : []),
    ...(collections.length > 0 ? [collectionsThere({ ids: collections, count: collections.length }, changed)] : []),
    ...(libraries.length > 0 ? [librariesThere({ ids: libraries, count: libraries.length }, changed)] : []),
    ...noCycle(id, collections, cycle(id)),
  ];
}

const described = (members: readonly Member[], metadata: Entries['metadata']): Statement[] =>
  metadata.size === 0
    ? []
    : members.flatMap((member) => {
        const wanted = metadata.get(keyOf(member));
        return wanted ? setKeyValues(membershipType, member.reference, wanted, false) : [];
      });

/** Sends one event, whatever the number of members. */
const modified = (id: string, changes: readonly Statement[]): CommitPlan => ({
  changes,
  events: [itemEvent('collection/modify', id, { collectionId: id })],
  touches: [{ kind: 'collection', id, aspect: 'members' }],
});

const cycle = (id: string): ServiceError =>
  new ServiceError('bad-value', {
    context: 'collection',
    id,
    explanation: 'Expected members that are neither the collection itself nor above it',
  });

const full = ({ settings }: Pick<ItemsContext, 'settings'>, id: string): ServiceError =>
  new ServiceError('bad-value', {
    context: 'collection',
    id,
    explanation: `Expected at most ${settings.maxCollectionMembers} members (setting maxCollectionMembers)`,
  });
