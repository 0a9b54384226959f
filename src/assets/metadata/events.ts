import { action, emitterOf, firing } from '../../core/events/event-kinds.ts';
import type { CollectionChange, ItemChange } from '../../core/events/payloads.ts';

type DocumentName = { readonly document: string };

const changeKeys = ['changeSetId', { key: 'userName', actor: true }, { changes: 'changes' }] as const;
const ofDocument = { resource: '/document', since: '4.8' } as const;

const document = 'Rights & <Rules>';
const untimed = { start: '-INF', end: '+INF' };
const changes = [
  { field: 'title', values: ['Hafen & <Kai>', 'Überfahrt'], language: 'de_DE', ...untimed },
  { field: 'x_speaker', values: ['Ann'], track: 'A2', start: '250@PAL', end: '500@PAL' },
  { field: 'x_rights', values: [], ...untimed },
];

export const metadataEvents = {
  /** Sent per change set. */
  'metadata/modify': firing<ItemChange>(
    { resource: '/item', says: {}, tells: ['itemId', ...changeKeys] },
    { itemId: 'VX-7', changeSetId: 'VX-90', changes },
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
};

export const metadataEvent = emitterOf(metadataEvents);
