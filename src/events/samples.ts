import type { EventCatalogue } from './catalogue.ts';
import type { TriggerEvent } from './triggers.ts';

const access = { itemId: 'VX-7', accessId: 'VX-31', permission: 'READ' };
const shape = { itemId: 'VX-7', shapeId: 'VX-12', shapeTag: ['original', 'lowres'] };
const file = { fileId: 'VX-88', storageId: 'VX-3', shapeId: ['VX-12', 'VX-13'], itemId: ['VX-7'] };
const quota = { ruleId: 'VX-31', storageLimit: 2_000_000_000_000, storageUsage: 2_000_000_400_000 };
export const sampleTime = Date.UTC(2024, 2, 5, 10, 30, 42, 376);
const untimed = { start: '-INF', end: '+INF' };
const changes = [
  { field: 'title', values: ['Hafen & <Kai>', 'Überfahrt'], language: 'de_DE', ...untimed },
  { field: 'x_speaker', values: ['Ann'], track: 'A2', start: '250@PAL', end: '500@PAL' },
  { field: 'x_rights', values: [], ...untimed },
];

const created = { jobId: 'VX-501', type: 'PLACEHOLDER_IMPORT', status: 'READY', user: 'ingest', started: sampleTime };
const running = {
  ...created,
  status: 'STARTED',
  totalSteps: 6,
  currentStepNumber: 2,
  currentStepStatus: 'STARTED',
  step: 200,
  itemId: 'VX-7',
  data: [
    ['fileId', 'VX-88'],
    ['tags', 'lowres'],
    ['tags', 'web'],
    ['x_desk', 'Harbour'],
  ],
  notification: 'VX-40',
  notificationData: [['ticket', '4711']],
} as const;
const ended = { ...running, status: 'FINISHED', currentStepNumber: 6, currentStepStatus: 'FINISHED', step: 600 };
const failed = {
  ...ended,
  status: 'FAILED_TOTAL',
  currentStepNumber: 3,
  currentStepStatus: 'FAILED_TOTAL',
  step: 300,
  data: [...running.data, ['errorMessage-300-1-0', 'No space left:\nVX-3']],
} as const;

const trouble = {
  notificationId: 'VX-40',
  reason: 'Expected a status from 200 to 299: "503"',
  failures: 10,
} as const;

/** One payload of every event that can fire a notification, with all that it may hold: to try one, and to test them. */
export const samples: { readonly [N in TriggerEvent]: EventCatalogue[N] } = {
  'item/create': { itemId: 'VX-7' },
  'item/delete': { itemId: 'VX-7' },
  'metadata/modify': { itemId: 'VX-7', changeSetId: 'VX-90', changes },
  'access/create': { ...access, user: 'ann' },
  'access/delete': { ...access, group: 'editors' },
  'access/change': { ...access, permission: 'WRITE', group: 'editors' },
  'shape/create': shape,
  'shape/modify': shape,
  'shape/delete': shape,
  'collection/create': { collectionId: 'VX-5' },
  'collection/delete': { collectionId: 'VX-5' },
  'collection/modify': { collectionId: 'VX-5' },
  'collection/metadata/modify': { collectionId: 'VX-5', changeSetId: 'VX-91', changes },
  'group/create': { group: 'editors' },
  'group/delete': { group: 'editors' },
  'group/modify': { group: 'editors', mode: 'ADD', affectedUser: 'ann' },
  'job/create': created,
  'job/update': running,
  'job/stop': ended,
  'job/finished': ended,
  'job/fail': failed,
  'storage/create': { storageId: 'VX-3' },
  'storage/delete': { storageId: 'VX-3' },
  'storage/filename': {
    storageId: 'VX-3',
    fileId: 'VX-88',
    itemId: 'VX-7',
    shapeId: 'VX-12',
    componentId: 'VX-14',
    username: 'ingest',
    metadata: '<MetadataDocument><timespan start="-INF" end="+INF"/></MetadataDocument>',
    shapeTag: ['original', 'lowres'],
  },
  'file/new': file,
  'file/change': file,
  'file/close': file,
  'file/delete': { fileId: 'VX-88', storageId: 'VX-3' },
  'file/hash': file,
  'quota/warning': quota,
  'quota/created': { ...quota, itemLimit: 5000, itemUsage: 0 },
  'quota/delete': { ruleId: 'VX-31', itemLimit: 5000, itemUsage: 4120 },
  'notification/paused': { ...trouble, until: Date.UTC(2024, 2, 5, 10, 32) },
  'notification/disabled': trouble,
  'notification/recovered': { notificationId: 'VX-40' },
  'notification/parked': { notificationId: 'VX-40', reason: trouble.reason, parked: 10 },
};
