import { forgetAccess, ownerOf } from '../../access/public.ts';
import { mustHave } from '../../access/public-reading.ts';
import { giveExternalIds } from '../../definitions/public.ts';
import { askerOf } from '../../definitions/public-reading.ts';
import { noSuchEntity } from '../../entities/find.ts';
import { forgetEntity } from '../../entities/forget.ts';
import { changeInTurn } from '../../entities/turns.ts';
import { changedMeanwhile, retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { serialOf } from '../../media/public-reading.ts';
import {
  type ChangeSetWish,
  expectUnlocked,
  forgetMetadata,
  prepareMetadata,
  systemChange,
} from '../../metadata/public.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { changing, together } from '../../store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../store/contract.ts';
import { collectionName, collectionNamed } from '../contract/collection/kind.ts';
import {
  type CollectionRow,
  collectionMustExist,
  deleteCollectionRow,
  insertCollection,
  setAbsoluteTime,
} from '../contract/collection/store.ts';
import { deletable, forgetDeletionLocks } from '../deletion-locks/rules.ts';
import type { Collection, CollectionReorder } from '../documents/collection.ts';
import { happened } from '../events.ts';
import type { ItemsContext } from '../settings.ts';
import { forgetFolder } from './folders/store.ts';
import {
  arrangeMembers,
  type Entries,
  entriesFrom,
  firstMembers,
  movesFrom,
  replaceMembers,
} from './members/change.ts';
import { areSteps, moveToEnd, takeSteps } from './members/rules.ts';
import { leaveCollections, removeAllMembers } from './members/store.ts';
import { parentCollections } from './parents.ts';

const ownerOfMetadata = (id: string) => ({ kind: 'collection', id }) as const;

/**
 * Creates collection, OWNER entry, external ids, members and metadata in one commit. `also`: further changes for it.
 */
export async function newCollection(
  parts: ItemsContext,
  call: Caller,
  name: string | undefined,
  externalIds: readonly string[],
  document: Collection,
  also: (id: string) => CommitPlan = () => changing(),
): Promise<string> {
  const { store, clock } = parts;
  const subject = subjectOf(call);
  return retryWhenChanged(async () => {
    const entries = await entriesFrom(parts, call, document.content);
    const id = await store.nextId('collection');
    const serial = serialOf(id);
    const entryId = await store.nextId('access');
    const made: CommitPlan = {
      changes: [
        insertCollection({ id, serial, now: clock.now(), absoluteTime: Number(document.absoluteTime ?? false) }),
        ownerOf({ type: 'collection', id, serial, entryId, userId: subject.user?.id }),
        ...(await giveExternalIds(parts, collectionName, id, externalIds)),
        ...(await firstMembers(parts, call, id, entries)),
      ],
      events: [happened('collection/create', id, { collectionId: id })],
      touches: [{ kind: 'collection', id, aspect: 'owner' }],
    };
    const title = name === undefined ? {} : { title: name };
    const first = systemChange({
      collectionId: id,
      ...title,
      user: subject.name,
      created: new Date(clock.now()).toISOString(),
    });
    const rights = { asker: await askerOf(call), skipForbidden: false, isNew: true } as const;
    const wishes = [...wishFrom(document, subject.name), first];
    const metadata = await prepareMetadata(parts, ownerOfMetadata(id), wishes, rights);
    await call.commit(together(made, metadata, also(id)));
    return id;
  });
}

const wishFrom = ({ metadata }: Collection, by: string): readonly ChangeSetWish[] =>
  metadata === undefined ? [] : [{ by, document: metadata }];

/** Renames a collection, by its metadata field `title`. */
const titleWish = (name: string, by: string): ChangeSetWish => ({
  ...systemChange({ title: name }),
  by,
  system: false,
});

/** Applies members, name and metadata of a document. */
export async function putCollection(
  parts: ItemsContext,
  call: Caller,
  path: string,
  document: Collection,
  clear: boolean | undefined,
): Promise<string> {
  const { name: by } = subjectOf(call);
  return inTurnOfCollection(parts, path, async () => {
    const row = await writable(parts, call, path);
    const named = await entriesFrom(parts, call, document.content);
    // A document without content only renames: the members stay.
    const isSilent = document.content === undefined && clear === undefined;
    const members = isSilent ? undefined : await putMembers(parts, call, row, named, clear ?? true);
    const wishes = [...(document.name === undefined ? [] : [titleWish(document.name, by)]), ...wishFrom(document, by)];
    await commitBoth(parts, call, row, [members, timesOf(row, document)], wishes);
    return row.id;
  });
}

/** Undefined: the document changes nothing about the times. */
const timesOf = ({ id, absoluteTime: is }: CollectionRow, { absoluteTime }: Collection): CommitPlan | undefined =>
  absoluteTime === undefined || Number(absoluteTime) === is
    ? undefined
    : changing(setAbsoluteTime({ id, absoluteTime: Number(absoluteTime) }));

function putMembers(
  parts: ItemsContext,
  call: Caller,
  row: CollectionRow,
  named: Entries,
  clear: boolean,
): Promise<CommitPlan | undefined> {
  const { entries, metadata } = named;
  if (areSteps(entries)) return arrangeMembers(parts, call, row, (order) => takeSteps(order, entries), metadata);
  if (clear) return replaceMembers(parts, call, row, named);
  return arrangeMembers(parts, call, row, (order) => moveToEnd(order, entries), metadata);
}

export async function renameCollection(parts: ItemsContext, call: Caller, path: string, name: string): Promise<void> {
  await inTurnOfCollection(parts, path, async () => {
    const row = await writable(parts, call, path);
    await commitBoth(parts, call, row, [], [titleWish(name, subjectOf(call).name)]);
  });
}

async function commitBoth(
  parts: ItemsContext,
  call: Caller,
  { id }: CollectionRow,
  changes: readonly (CommitPlan | undefined)[],
  wishes: readonly ChangeSetWish[],
): Promise<void> {
  const owner = ownerOfMetadata(id);
  const rights = { asker: await askerOf(call), skipForbidden: false };
  const metadata = wishes.length > 0 ? await prepareMetadata(parts, owner, wishes, rights) : undefined;
  const works = [...changes, metadata].flatMap((work) => work ?? []);
  if (works.length === 0) return;
  const unlocked = metadata ? [expectUnlocked(owner, subjectOf(call).name, metadata.fields, parts.clock.now())] : [];
  const there: CommitPlan = {
    changes: [collectionMustExist(id, noSuchEntity(collectionName, id)), ...unlocked],
    events: [],
  };
  await call.commit(together(there, ...works));
}

/** Moves members, one entry after the other. */
export async function reorderCollection(
  parts: ItemsContext,
  call: Caller,
  path: string,
  document: CollectionReorder,
): Promise<string> {
  return inTurnOfCollection(parts, path, async () => {
    const row = await writable(parts, call, path);
    const steps = movesFrom(document);
    const work = await arrangeMembers(parts, call, row, (order) => takeSteps(order, steps));
    if (work) await call.commit(work);
    return row.id;
  });
}

/** Serialises changes of one collection. */
export async function inTurnOfCollection<T>(parts: ItemsContext, path: string, decide: () => Promise<T>): Promise<T> {
  const { id } = await collectionNamed(parts.store, path);
  return changeInTurn(parts, { kind: 'collection', id }, decide);
}

async function writable(parts: ItemsContext, call: Caller, path: string): Promise<CollectionRow> {
  const row = await collectionNamed(parts.store, path);
  await mustHave(parts.store, call, collectionName, row, 'WRITE');
  return row;
}

/** Deletes collections in one commit. Their members stay. */
export async function deleteCollections(
  parts: ItemsContext,
  call: Caller,
  find: () => Promise<readonly CollectionRow[]>,
): Promise<void> {
  await retryWhenChanged(async () => {
    const rows = await find();
    for (const row of rows) await mustHave(parts.store, call, collectionName, row, 'ALL');
    const going = new Set(rows.map(({ id }) => id));
    const works = [];
    for (const { id } of rows) works.push(await deletion(parts, id, going));
    if (works.length > 0) await call.commit(together(...works));
  });
}

async function deletion({ store, clock }: ItemsContext, id: string, going: ReadonlySet<string>): Promise<CommitPlan> {
  const parents = await parentCollections(store, { type: 'collection', id });
  const locks = await forgetDeletionLocks(store, 'collection', id);
  const changes: Statement[] = [
    collectionMustExist(id, noSuchEntity(collectionName, id)),
    deletable(collectionName, id, clock.now()),
    ...leaveCollections({ type: 'collection', id }, parents, changedMeanwhile('Collection', id)),
    deleteCollectionRow({ id }),
    ...removeAllMembers.map((statement) => statement({ id })),
    // After the members: their files may now belong in another folder.
    forgetFolder({ collectionId: id }),
    forgetAccess('collection', id),
    ...locks.changes,
    ...forgetEntity('collection', id),
    ...forgetMetadata(ownerOfMetadata(id)),
  ];
  return {
    changes,
    events: [
      ...locks.events,
      ...parents
        .filter((parent) => !going.has(parent))
        .map((parent) => happened('collection/modify', parent, { collectionId: parent })),
      happened('collection/delete', id, { collectionId: id }),
    ],
    touches: [{ kind: 'collection', id, aspect: 'owner' }],
  };
}
