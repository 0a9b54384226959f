import { together } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import { serialOf } from '../../storage/public-reading.ts';
import { ownerOf } from '../access/public.ts';
import { giveExternalIds } from '../definitions/public.ts';
import { type ChangeSetWish, prepareMetadata, systemChange } from '../metadata/public.ts';
import { type MetadataDocumentValue, newMetadataAhead } from '../metadata/public-reading.ts';
import { type ExpectedCounts, newShape } from '../shapes/public.ts';
import { itemName } from './contract/item/entity.ts';
import { insertItem } from './contract/item/store.ts';
import { happened } from './events.ts';
import { everybody, newItemAccess } from './importing/access/store.ts';
import { type Creator, firstEntries } from './importing/entries.ts';
import type { ItemsContext } from './settings.ts';

interface ItemWish {
  readonly externalIds: readonly string[];
  /** Change sets of the caller, before those of the service. */
  readonly metadata?: MetadataDocumentValue | undefined;
  /** Components of a placeholder shape. Undefined: no shape. */
  readonly expected?: ExpectedCounts | undefined;
  /** Tags of the shape. The caller guards that they exist. */
  readonly tags: readonly string[];
  /** Import profile whose entries the item gets, besides the defaults of its creator. */
  readonly settings?: string | undefined;
}

/** Starts the reads of `prepareItem`, for `Store.ahead`. */
export const itemAhead = ({ store }: Pick<ItemsContext, 'store'>, userId: string | undefined): Promise<unknown> =>
  Promise.all([newMetadataAhead(store), newItemAccess(store, { userId: userId ?? everybody })]);

/**
 * Prepares a new item with OWNER entry, external ids, placeholder shape, and the change sets of caller and service. The
 * caller commits the result.
 */
export async function prepareItem(
  parts: ItemsContext,
  creator: Creator,
  { externalIds, metadata, expected, tags, settings }: ItemWish,
): Promise<CommitPlan & { readonly id: string; readonly shapeId: string | undefined }> {
  const { store, clock } = parts;
  const { name, userId, asker } = creator;
  const id = await store.nextId('item');
  const serial = serialOf(id);
  const now = clock.now();
  const changes: readonly Statement[] = [
    insertItem({ id, serial, createdAt: now }),
    ownerOf({ type: 'item', id, serial, entryId: await store.nextId('access'), userId }),
    ...(await giveExternalIds(parts, itemName, id, externalIds)),
  ];
  const plan: CommitPlan = {
    changes,
    events: [happened('item/create', id, { itemId: id })],
    touches: [{ kind: 'item', id, aspect: 'owner' }],
  };
  const wishes: readonly ChangeSetWish[] = [
    ...(metadata ? [{ by: name, document: metadata }] : []),
    systemChange({ created: new Date(now).toISOString(), mediaType: 'none', itemId: id, user: name }),
    ...(expected && tags.length > 0 ? [systemChange({ shapeTag: [...tags] })] : []),
  ];
  const rights = asker && ({ asker, skipForbidden: false } as const);
  const [granted, shape, described] = await Promise.all([
    firstEntries(parts, creator, { type: 'item', id }, settings),
    expected && newShape(parts, { itemId: id, essenceVersion: 0, tags, expected }),
    prepareMetadata(parts, { kind: 'item', id, isNew: true }, wishes, rights),
  ]);
  return { id, shapeId: shape?.id, ...together(plan, granted, ...(shape ? [shape] : []), described) };
}
