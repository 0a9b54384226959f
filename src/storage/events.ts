import { action, emitterOf, firing } from '../core/events/event-kinds.ts';
import type { FileName, FileState } from '../core/events/payloads.ts';

const ofFile = (word: string) =>
  ({
    resource: '/storage/file',
    says: action(word),
    tells: ['fileId', 'storageId', 'shapeId', 'itemId'],
    fact: true,
  }) as const;
const file = { fileId: 'VX-88', storageId: 'VX-3', shapeId: ['VX-12', 'VX-13'], itemId: ['VX-7'] };

type StorageId = { readonly storageId: string };

export const storageEvents = {
  'storage/create': firing<StorageId>(
    { resource: '/storage', says: action('CREATE'), tells: ['storageId'] },
    { storageId: 'VX-3' },
  ),
  'storage/delete': firing<StorageId>(
    { resource: '/storage', says: action('DELETE'), tells: ['storageId'] },
    { storageId: 'VX-3' },
  ),
  /** A file is about to be created: the answer of a receiver names it. */
  'storage/filename': firing<FileName>(
    {
      resource: '/storage',
      says: action('FILENAME'),
      tells: ['storageId', 'fileId', 'itemId', 'shapeId', 'componentId', 'username', 'metadata', 'shapeTag'],
    },
    {
      storageId: 'VX-3',
      fileId: 'VX-88',
      itemId: 'VX-7',
      shapeId: 'VX-12',
      componentId: 'VX-14',
      username: 'ingest',
      metadata: '<MetadataDocument><timespan start="-INF" end="+INF"/></MetadataDocument>',
      shapeTag: ['original', 'lowres'],
    },
  ),
  'file/new': firing<FileState>(ofFile('NEW'), file),
  'file/change': firing<FileState>(ofFile('CHANGE'), file),
  'file/close': firing<FileState>(ofFile('CLOSE'), file),
  'file/delete': firing<FileState>(ofFile('DELETE'), { fileId: 'VX-88', storageId: 'VX-3' }),
  'file/hash': firing<FileState>({ ...ofFile('HASH'), since: '4.1' }, file),
};

export const storageEvent = emitterOf(storageEvents);
