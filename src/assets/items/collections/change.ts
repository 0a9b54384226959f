import { askEach } from '../../../core/lib/maybe.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { serialOf } from '../../../core/lib/serial.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import { changeInTurn, forgetEntity } from '../../../room/entities/changes.ts';
import { noSuchEntity } from '../../../room/entities/find.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { forgetAccess, ownerOf } from '../../access/public.ts';
import { giveExternalIds } from '../../definitions/public.ts';
import { askerOf } from '../../definitions/public-reading.ts';
import {
  type ChangeSetRequest,
  expectUnlocked,
  forgetMetadata,
  prepareMetadata,
  systemChange,
} from '../../metadata/public.ts';
import { collectionName, collectionNamed } from '../contract/entities.ts';
import {
  type CollectionRow,
  collectionMustExist,
  deleteCollectionRow,
  insertCollection,
  setAbsoluteTime,
} from '../contract/store.ts';
import { deletable, forgetDeletionLocks } from '../deletion-locks/rules.ts';
import type { Collection, CollectionReorder } from '../documents.ts';
import { itemEvent } from '../events.ts';
import type { Origin } from '../origin.ts';
import type { ItemsContext } from '../settings.ts';
import { forgetFolder } from './folders-sql.ts';
import {
  arrangeMembers,
  type Entries,
  entriesFrom,
  firstMembers,
  movesFrom,
  replaceMembers,
} from './members/change.ts';
import { areSteps, moveToEnd, takeSteps } from './members/order.ts';
import { leaveCollections, parentCollections, removeAllMembers } from './members/store.ts';

const ownerOfMetadata = (id: string) => ({ kind: 'collection', id }) as const;

interface NewCollectionOptions {
  also?(id: string): CommitPlan;
  readonly origin?: Origin;
}

/**
 * Creates collection, OWNER entry, external ids, members and metadata in one commit. `also`: further changes for it.
 */
export async function newCollection(
  parts: ItemsContext,
  call: Caller,
  name: string | undefined,
  externalIds: readonly string[],
  document: Collection,
  { also = () => changing(), origin = {} }: NewCollectionOptions = {},
): Promise<string> {
  const { store, clock } = parts;
  const subject = subjectOf(call);
  const createdAt = origin.created ?? clock.now();
  const owner = origin.owner ?? { id: subject.user?.id, name: subject.name };
  const { id } = await call.change(async () => {
    const entries = await entriesFrom(parts, call, document.content);
    const id = await store.nextId('collection');
    const serial = serialOf(id);
    const entryId = await store.nextId('access');
    const plan: CommitPlan = {
      changes: [
        insertCollection({ id, serial, createdAt, absoluteTime: Number(document.absoluteTime ?? false) }),
        ownerOf({ type: 'collection', id, serial, entryId, userId: owner.id }),
        ...(await giveExternalIds(parts, collectionName, id, externalIds)),
        ...(await firstMembers(parts, call, id, entries)),
      ],
      events: [itemEvent('collection/create', id, { collectionId: id })],
      touches: [{ kind: 'collection', id, aspect: 'owner' }],
    };
    const title = name === undefined ? {} : { title: name };
    const first = systemChange({
      collectionId: id,
      ...title,
      user: owner.name,
      created: new Date(createdAt).toISOString(),
    });
    const rights = { asker: await askerOf(call), skipForbidden: false } as const;
    const changeSets = [...changeSetsFrom(document, subject.name), first];
    const metadata = await prepareMetadata(parts, { isNew: true, ...ownerOfMetadata(id) }, changeSets, rights);
    return { id, ...together(plan, metadata, also(id)) };
  });
  return id;
}

const changeSetsFrom = ({ metadata }: Collection, by: string): readonly ChangeSetRequest[] =>
  metadata === undefined ? [] : [{ by, document: metadata }];

/** Renames a collection, by its metadata field `title`. */
const titleChange = (name: string, by: string): ChangeSetRequest => ({
  ...systemChange({ title: name }),
  by,
  system: false,
});

/** Applies members, name and metadata of a document. */
export async function putCollection(
  parts: ItemsContext,
  call: Caller,
  id: string,
  document: Collection,
  clear: boolean | undefined,
): Promise<void> {
  const { name: by } = subjectOf(call);
  await inTurnOfCollection(parts, id, async (row) => {
    const named = await entriesFrom(parts, call, document.content);
    // A document without content only renames: the members stay.
    const isSilent = document.content === undefined && clear === undefined;
    const members = isSilent ? undefined : await putMembers(parts, call, row, named, clear ?? true);
    const changeSets = [
      ...(document.name === undefined ? [] : [titleChange(document.name, by)]),
      ...changeSetsFrom(document, by),
    ];
    await commitBoth(parts, call, id, [members, timesOf(row, document)], changeSets);
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

export const renameCollection = (parts: ItemsContext, call: Caller, id: string, name: string): Promise<void> =>
  changeInTurn(parts, { kind: 'collection', id }, () =>
    commitBoth(parts, call, id, [], [titleChange(name, subjectOf(call).name)]),
  );

async function commitBoth(
  parts: ItemsContext,
  call: Caller,
  id: string,
  changes: readonly (CommitPlan | undefined)[],
  changeSets: readonly ChangeSetRequest[],
): Promise<void> {
  const owner = ownerOfMetadata(id);
  const rights = { asker: await askerOf(call), skipForbidden: false };
  const metadata = changeSets.length > 0 ? await prepareMetadata(parts, owner, changeSets, rights) : undefined;
  const works = [...changes, metadata].flatMap((work) => work ?? []);
  if (works.length === 0) return;
  const unlocked = metadata ? [expectUnlocked(owner, subjectOf(call).name, metadata.fields, parts.clock.now())] : [];
  await call.commit(together(changing(...unlocked), ...works));
}

/** Moves members, one entry after the other. */
export async function reorderCollection(
  parts: ItemsContext,
  call: Caller,
  id: string,
  document: CollectionReorder,
): Promise<void> {
  await inTurnOfCollection(parts, id, async (row) => {
    const steps = movesFrom(document);
    const work = await arrangeMembers(parts, call, row, (order) => takeSteps(order, steps));
    if (work) await call.commit(work);
  });
}

/** Serialises changes of one collection. `decide` gets its row as it is now. */
const inTurnOfCollection = <T>(
  parts: ItemsContext,
  id: string,
  decide: (row: CollectionRow) => Promise<T>,
): Promise<T> =>
  changeInTurn(parts, { kind: 'collection', id }, async () => decide(await collectionNamed(parts.store, id)));

/** Deletes collections in one commit. Their members stay. The caller has `ALL` on each. */
export async function deleteCollections(
  parts: ItemsContext,
  call: Caller,
  rows: readonly CollectionRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const going = new Set(rows.map(({ id }) => id));
  await call.change(async () => together(...(await askEach([...going], (id) => deletion(parts, id, going)))));
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
        .map((parent) => itemEvent('collection/modify', parent, { collectionId: parent })),
      itemEvent('collection/delete', id, { collectionId: id }),
    ],
    touches: [{ kind: 'collection', id, aspect: 'owner' }],
  };
}
