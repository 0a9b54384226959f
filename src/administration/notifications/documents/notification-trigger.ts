import {
  atLeastOneOf,
  atMostOneOf,
  boolean,
  element,
  exactlyOneOf,
  integer,
  list,
  marker,
  oneOf,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';

/** Parts of a job document that a filter can keep. */
export const contentFilterValues = [
  'jobId',
  'jobState',
  'user',
  'startTime',
  'jobType',
  'jobData',
  'errorMessage',
  'itemId',
  'totalSteps',
  'currentStep',
] as const;

const jobData = structure(
  'JobDataFilterType',
  {
    key: element(string),
    'key-regex': element(string),
    value: element(string),
    'value-regex': element(string),
  },
  exactlyOneOf('key', 'key-regex'),
  atMostOneOf('value', 'value-regex'),
);

const jobFilter = structure('JobFilterType', {
  type: list(string).says('Any of them; each may be a comma-separated list.'),
  step: element(integer).orBlank,
  jobdata: element(jobData),
});

const job = structure(
  'JobTriggerType',
  {
    create: marker(),
    update: marker(),
    stop: marker().says('Sent for jobs that end, with or without success.'),
    // Accepts the misspelling of a widespread client.
    finished: marker().alias('finish').says('Sent for jobs that finish.'),
    fail: marker().says('Sent for jobs that fail.'),
    placeholder: element(boolean).orBlank.says('Fires only for jobs that were started with its id.'),
    contentFilters: element(structure('JobContentFiltersType', { contentFilter: list(oneOf(...contentFilterValues)) })),
    filter: element(jobFilter),
  },
  atLeastOneOf('create', 'update', 'stop', 'finished', 'fail'),
);

const itemEvents = { create: marker(), delete: marker(), modify: marker() };
const item = structure('ItemTriggerType', itemEvents, atLeastOneOf('create', 'delete', 'modify'));

const metadata = structure('MetadataTriggerType', {
  modify: element(
    structure('MetadataModifyType', {
      field: element(string).says('Comma-separated names. An asterisk stands for any text.'),
      interval: element(string),
      language: element(string).says('A trailing asterisk matches any rest.'),
      track: element(string),
    }),
  ).required,
});

const access = structure(
  'AccessTriggerType',
  { create: marker(), delete: marker(), change: marker() },
  atLeastOneOf('create', 'delete', 'change'),
);

const changes = { create: marker(), modify: marker(), delete: marker() };
const anyChange = atLeastOneOf('create', 'modify', 'delete');
const shape = structure('ShapeTriggerType', changes, anyChange);
const annotation = structure('AnnotationTriggerType', changes, anyChange);
const approval = structure(
  'ApprovalTriggerType',
  { request: marker(), approve: marker(), reject: marker() },
  atLeastOneOf('request', 'approve', 'reject'),
);
const usage = structure(
  'UsageTriggerType',
  {
    modify: marker().says('Terms of use were set or changed.'),
    delete: marker(),
    begins: marker().says('The time has come from which the media may leave the service.'),
    ends: marker().says('The time has come from which they may no longer.'),
  },
  atLeastOneOf('modify', 'delete', 'begins', 'ends'),
);
const group = structure('GroupTriggerType', changes, anyChange);

const collection = structure(
  'CollectionTriggerType',
  {
    create: marker(),
    delete: marker(),
    modify: marker().says('Members were added or removed.'),
    item: element(structure('CollectionItemTriggerType', itemEvents)),
    metadata: element(metadata),
    usage: element(usage),
  },
  atLeastOneOf('create', 'delete', 'modify', 'item', 'metadata', 'usage'),
);

const storage = structure(
  'StorageTriggerType',
  { create: marker(), delete: marker(), filename: marker() },
  atLeastOneOf('create', 'delete', 'filename'),
);

const file = structure(
  'FileTriggerType',
  {
    new: marker(),
    change: marker(),
    close: marker(),
    delete: marker(),
    hash: marker(),
    fixity: marker().says('A check found that bytes changed or are missing, or are as they should be again.'),
    storage: element(string).says('Only files of this storage.'),
  },
  atLeastOneOf('new', 'change', 'close', 'delete', 'hash', 'fixity'),
);

const quota = structure(
  'QuotaTriggerType',
  {
    warning: marker(),
    near: marker().says('Nine tenths of a limit are used.'),
    created: marker().alias('create'),
    delete: marker(),
  },
  atLeastOneOf('warning', 'near', 'created', 'delete'),
);

const documentTrigger = structure('DocumentTriggerType', changes, anyChange);

const deletionLock = structure(
  'DeletionLockTriggerType',
  { ...changes, effective: marker(), expire: marker() },
  atLeastOneOf('create', 'modify', 'delete', 'effective', 'expire'),
);

const login = structure(
  'LoginTriggerType',
  { new: marker().says('A device and address block that the user has not had before.') },
  atLeastOneOf('new'),
);

const share = structure(
  'ShareTriggerType',
  {
    ...changes,
    use: marker().says('A guest came in.'),
    upload: marker().says('A guest uploaded a file.'),
  },
  atLeastOneOf('create', 'modify', 'delete', 'use', 'upload'),
);

const notification = structure(
  'NotificationHealthTriggerType',
  { paused: marker(), disabled: marker(), recovered: marker(), parked: marker() },
  atLeastOneOf('paused', 'disabled', 'recovered', 'parked'),
);

export const triggerKinds = [
  'job',
  'item',
  'metadata',
  'shape',
  'access',
  'annotation',
  'approval',
  'usage',
  'collection',
  'storage',
  'file',
  'group',
  'quota',
  'document',
  'deletionLock',
  'login',
  'share',
  'notification',
] as const;

export const notificationTrigger = structure(
  'NotificationTriggerType',
  {
    job: element(job),
    item: element(item),
    metadata: element(metadata),
    shape: element(shape),
    access: element(access),
    annotation: element(annotation),
    approval: element(approval),
    usage: element(usage),
    collection: element(collection),
    storage: element(storage),
    file: element(file),
    group: element(group),
    quota: element(quota),
    document: element(documentTrigger),
    deletionLock: element(deletionLock),
    login: element(login),
    share: element(share),
    notification: element(notification),
  },
  exactlyOneOf(...triggerKinds),
);
export type NotificationTrigger = Value<typeof notificationTrigger>;
