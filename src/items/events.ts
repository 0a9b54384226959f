import { about, action, emitterOf, firing } from '../events/define.ts';
import type { CollectionChange, ItemChange } from '../events/payloads.ts';

/** Payload of access events. Entries grant to a user or to a group. */
type AccessEntry = {
  readonly itemId: string;
  readonly accessId: string;
  readonly permission: string;
  readonly user?: string;
  readonly group?: string;
};

export type ShapeState = {
  readonly itemId: string;
  readonly shapeId: string;
  readonly shapeTag?: readonly string[];
};

const accessKeys = ['itemId', 'accessId', 'permission', 'user', 'group'] as const;
const shapeKeys = ['itemId', 'shapeId', 'shapeTag'] as const;
const changeKeys = ['changeSetId', { key: 'userName', actor: true }, { changes: 'changes' }] as const;

const ofAccess = (trigger: string) =>
  ({ resource: '/item', says: about('access', trigger), tells: accessKeys }) as const;
const ofShape = (trigger: string) => ({ resource: '/item', says: about('shape', trigger), tells: shapeKeys }) as const;
const ofCollection = { resource: '/collection', tells: ['collectionId'] } as const;

const ofLock = (word: string) =>
  ({
    resource: '/deletion-lock',
    since: '4.15',
    says: action(word),
    tells: ['deletionLockId', 'entityType', 'entityId', { key: 'expiryTime', time: 'expiryTime' }],
  }) as const;

const ofDocument = { resource: '/document', since: '4.8' } as const;

const document = 'Rights & <Rules>';
const access = { itemId: 'VX-7', accessId: 'VX-31', permission: 'READ' };
const shape = { itemId: 'VX-7', shapeId: 'VX-12', shapeTag: ['original', 'lowres'] };
const untimed = { start: '-INF', end: '+INF' };
const lock = { deletionLockId: 'VX-3', entityType: 'item', entityId: 'VX-7', expiryTime: 1_900_000_000_000 };
const changes = [
  { field: 'title', values: ['Hafen & <Kai>', 'Überfahrt'], language: 'de_DE', ...untimed },
  { field: 'x_speaker', values: ['Ann'], track: 'A2', start: '250@PAL', end: '500@PAL' },
  { field: 'x_rights', values: [], ...untimed },
];

/** Deletion lock on an entity. */
type DeletionLockState = {
  readonly deletionLockId: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly expiryTime: number;
};

type ItemId = { readonly itemId: string };
type DocumentName = { readonly document: string };
type CollectionId = { readonly collectionId: string };

export const assetEvents = {
  'item/create': firing<ItemId>({ resource: '/item', says: action('CREATE'), tells: ['itemId'] }, { itemId: 'VX-7' }),
  'item/delete': firing<ItemId>({ resource: '/item', says: action('DELETE'), tells: ['itemId'] }, { itemId: 'VX-7' }),
  /** Sent per change set. */
  'metadata/modify': firing<ItemChange>(
    { resource: '/item', says: {}, tells: ['itemId', ...changeKeys] },
    { itemId: 'VX-7', changeSetId: 'VX-90', changes },
  ),
  'access/create': firing<AccessEntry>(ofAccess('CREATE'), { ...access, user: 'ann' }),
  'access/delete': firing<AccessEntry>(ofAccess('DELETE'), { ...access, group: 'editors' }),
  'access/change': firing<AccessEntry>(
    { ...ofAccess('CHANGE'), since: '4.0' },
    { ...access, permission: 'WRITE', group: 'editors' },
  ),
  'shape/create': firing<ShapeState>(ofShape('CREATE'), shape),
  'shape/modify': firing<ShapeState>(ofShape('MODIFY'), shape),
  'shape/delete': firing<ShapeState>(ofShape('DELETE'), shape),

  'collection/create': firing<CollectionId>({ ...ofCollection, says: action('CREATE') }, { collectionId: 'VX-5' }),
  'collection/delete': firing<CollectionId>({ ...ofCollection, says: action('DELETE') }, { collectionId: 'VX-5' }),
  /** Members were added, removed or moved. */
  'collection/modify': firing<CollectionId>(
    { ...ofCollection, says: about('collection', 'MODIFY') },
    { collectionId: 'VX-5' },
  ),
  'collection/metadata/modify': firing<CollectionChange>(
    { resource: '/collection', says: {}, tells: ['collectionId', ...changeKeys] },
    { collectionId: 'VX-5', changeSetId: 'VX-91', changes },
  ),

  'document/create': firing<DocumentName>({ ...ofDocument, says: action('CREATE'), tells: ['document'] }, { document }),
  /** Sent per change set. */
  'document/modify': firing<DocumentName & Pick<ItemChange, 'changeSetId' | 'changes'>>(
    { ...ofDocument, says: action('MODIFY'), tells: ['document', ...changeKeys] },
    { document, changeSetId: 'VX-92', changes },
  ),
  'document/delete': firing<DocumentName>({ ...ofDocument, says: action('DELETE'), tells: ['document'] }, { document }),

  'deletionLock/create': firing<DeletionLockState>(ofLock('CREATE'), lock),
  'deletionLock/modify': firing<DeletionLockState>(ofLock('MODIFY'), lock),
  'deletionLock/delete': firing<DeletionLockState>(ofLock('DELETE'), lock),
  /** The lock becomes the effective one: it protects its entity for the longest time. */
  'deletionLock/effective': firing<DeletionLockState>(ofLock('EFFECTIVE'), lock),
  'deletionLock/expire': firing<DeletionLockState>({ ...ofLock('EXPIRE'), fact: true }, lock),
};

export const happened = emitterOf(assetEvents);
