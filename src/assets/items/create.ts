import type { AccessControl } from '../../core/documents/index.ts';
import { askEach } from '../../core/lib/maybe.ts';
import { serialOf } from '../../core/lib/serial.ts';
import { together } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import { findUser, groupsNamed } from '../../identity/public-reading.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { addEntries, entryRequest, type Grantor, grantorOf, ownerOf } from '../access/public.ts';
import type { AccessTarget } from '../access/public-reading.ts';
import { giveExternalIds } from '../definitions/public.ts';
import { askerOf, type FieldReader } from '../definitions/public-reading.ts';
import { type ChangeSetRequest, prepareMetadata, systemChange } from '../metadata/public.ts';
import { type MetadataDocumentValue, newMetadataAhead } from '../metadata/public-reading.ts';
import { type ExpectedCounts, newShape } from '../shapes/public.ts';
import { itemName } from './contract/entities.ts';
import { insertItem } from './contract/store.ts';
import { itemEvent } from './events.ts';
import { everybody, newItemAccess, profileNamed, settingsOf, someItemAccess } from './importing/store.ts';
import type { Origin } from './origin.ts';
import type { ItemsContext } from './settings.ts';

/** User or service that creates an item. */
interface Creator {
  readonly name: string;
  /** Undefined: unknown to the service. */
  readonly userId: string | undefined;
  readonly grantor: Grantor;
  /** User whose rights in fields count. Undefined: the service itself creates the item. */
  readonly asker?: FieldReader;
}

export async function creatorOf(call: Caller): Promise<Creator> {
  const { name, user } = subjectOf(call);
  return { name, userId: user?.id, grantor: await grantorOf(call), asker: await askerOf(call) };
}

/** Entries of a new item besides OWNER: the defaults of its creator and of everybody, and those of a profile. */
async function firstEntries(
  { store }: ItemsContext,
  { userId, grantor }: Creator,
  target: AccessTarget,
  settings: string | undefined,
): Promise<CommitPlan> {
  const givesSome = (await someItemAccess(store, {}))?.some === 1;
  const groups = givesSome ? await newItemAccess(store, { userId: userId ?? everybody }) : [];
  const profile =
    settings === undefined ? [] : (settingsOf((await profileNamed(store, settings)).document).access ?? []);
  const ofGroups = groups.map(({ name, permission }) => ({ group: name, permission }));
  const documents = [...ofGroups, ...(await withExistingGrantees(store, profile))];
  const requests = documents.map((each) => entryRequest(each, '/ImportSettingsDocument/access'));
  return addEntries(store, target, requests, grantor);
}

/** Entries of a profile, without those of deleted users and groups. */
export async function withExistingGrantees(
  reader: Reader,
  entries: readonly AccessControl[],
): Promise<readonly AccessControl[]> {
  if (entries.length === 0) return [];
  const names = entries.flatMap(({ group }) => group ?? []);
  const groups = new Set((await groupsNamed(reader, { names })).map(({ name }) => name));
  const areThere = await askEach(entries, ({ user, group }) =>
    group === undefined ? findUser(reader, { name: user! }) : groups.has(group),
  );
  return entries.filter((_entry, index) => areThere[index]);
}

interface NewItemOptions {
  readonly externalIds: readonly string[];
  /** Change sets of the caller, before those of the service. */
  readonly metadata?: MetadataDocumentValue | undefined;
  /** Name of the file that is to come. */
  readonly filename?: string | undefined;
  /** Components of a placeholder shape. Undefined: no shape. */
  readonly expected?: ExpectedCounts | undefined;
  /** Tags of the shape. The caller guards that they exist. */
  readonly tags: readonly string[];
  /** Import profile whose entries the item gets, besides the defaults of its creator. */
  readonly settings?: string | undefined;
  readonly origin?: Origin;
}

/** Starts the reads of `prepareItem` that are the same for all creators, for `Store.ahead`. */
export const anyItemAhead = ({ store }: Pick<ItemsContext, 'store'>): Promise<unknown> =>
  Promise.all([newMetadataAhead(store), someItemAccess(store, {})]);

/** Starts the reads of `prepareItem`, for `Store.ahead`. */
export const itemAhead = ({ store }: Pick<ItemsContext, 'store'>, userId: string | undefined): Promise<unknown> =>
  Promise.all([anyItemAhead({ store }), newItemAccess(store, { userId: userId ?? everybody })]);

/**
 * Prepares a new item with OWNER entry, external ids, placeholder shape, and the change sets of caller and service. The
 * caller commits the result.
 */
export async function prepareItem(
  parts: ItemsContext,
  creator: Creator,
  { externalIds, metadata, filename = '', expected, tags, settings, origin = {} }: NewItemOptions,
): Promise<CommitPlan & { readonly id: string; readonly shapeId: string | undefined }> {
  const { store, clock } = parts;
  const { name, userId, asker } = creator;
  const owner = origin.owner ?? { id: userId, name };
  const id = await store.nextId('item');
  const serial = serialOf(id);
  const createdAt = origin.created ?? clock.now();
  const changes: readonly Statement[] = [
    insertItem({ id, serial, createdAt }),
    ownerOf({ type: 'item', id, serial, entryId: await store.nextId('access'), userId: owner.id }),
    ...(await giveExternalIds(parts, itemName, id, externalIds)),
  ];
  const plan: CommitPlan = {
    changes,
    events: [itemEvent('item/create', id, { itemId: id })],
    touches: [{ kind: 'item', id, aspect: 'owner' }],
  };
  const changeSets: readonly ChangeSetRequest[] = [
    ...(metadata ? [{ by: name, document: metadata }] : []),
    systemChange({
      ...{ created: new Date(createdAt).toISOString(), mediaType: 'none', itemId: id, user: owner.name },
      ...(filename !== '' && { originalFilename: filename }),
    }),
    ...(expected && tags.length > 0 ? [systemChange({ shapeTag: [...tags] })] : []),
  ];
  const rights = asker && ({ asker, skipForbidden: false } as const);
  const [granted, shape, described] = await Promise.all([
    firstEntries(parts, creator, { type: 'item', id }, settings),
    expected && newShape(parts, { itemId: id, essenceVersion: 0, tags, expected }),
    prepareMetadata(parts, { kind: 'item', id, isNew: true }, changeSets, rights),
  ]);
  return { id, shapeId: shape?.id, ...together(plan, granted, ...(shape ? [shape] : []), described) };
}
