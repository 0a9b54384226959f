import { about, action, emitterOf, firing } from '../../core/events/event-kinds.ts';

/** Deletion lock on an entity. */
type DeletionLockState = {
  readonly deletionLockId: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly expiryTime: number;
};

type ItemId = { readonly itemId: string };
type CollectionId = { readonly collectionId: string };

const ofCollection = { resource: '/collection', tells: ['collectionId'] } as const;

const ofLock = (word: string) =>
  ({
    resource: '/deletion-lock',
    since: '4.15',
    says: action(word),
    tells: ['deletionLockId', 'entityType', 'entityId', { key: 'expiryTime', time: 'expiryTime' }],
  }) as const;

const lock = { deletionLockId: 'VX-3', entityType: 'item', entityId: 'VX-7', expiryTime: 1_900_000_000_000 };

export const itemEvents = {
  'item/create': firing<ItemId>({ resource: '/item', says: action('CREATE'), tells: ['itemId'] }, { itemId: 'VX-7' }),
  'item/delete': firing<ItemId>({ resource: '/item', says: action('DELETE'), tells: ['itemId'] }, { itemId: 'VX-7' }),

  'collection/create': firing<CollectionId>({ ...ofCollection, says: action('CREATE') }, { collectionId: 'VX-5' }),
  'collection/delete': firing<CollectionId>({ ...ofCollection, says: action('DELETE') }, { collectionId: 'VX-5' }),
  /** Members were added, removed or moved. */
  'collection/modify': firing<CollectionId>(
    { ...ofCollection, says: about('collection', 'MODIFY') },
    { collectionId: 'VX-5' },
  ),

  'deletionLock/create': firing<DeletionLockState>(ofLock('CREATE'), lock),
  'deletionLock/modify': firing<DeletionLockState>(ofLock('MODIFY'), lock),
  'deletionLock/delete': firing<DeletionLockState>(ofLock('DELETE'), lock),
  /** The lock becomes the effective one: it protects its entity for the longest time. */
  'deletionLock/effective': firing<DeletionLockState>(ofLock('EFFECTIVE'), lock),
  'deletionLock/expire': firing<DeletionLockState>({ ...ofLock('EXPIRE'), fact: true }, lock),
};

export const itemEvent = emitterOf(itemEvents);
