import {
  attribute,
  boolean,
  dateTime,
  decimal,
  document,
  element,
  integer,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';

/** Counters are strings; "-1" is unlimited. */
const counter = structure('LicenseCounterType', { allowed: element(string), current: element(string) });

const codec = structure('CodecStatusEntryType', {
  encode: element(boolean),
  decode: element(boolean),
  name: attribute(string),
});

const licenseInfo = structure('LicenseInfoType', {
  expiryDate: element(string),
  fileStatus: element(string),
  storageNumber: element(counter),
  userNumber: element(counter),
  itemNumber: element(counter),
  transcoderNumber: element(counter),
  licenseStatus: element(string),
  codecStatus: element(structure('CodecStatusType', { codec: list(codec) })),
  licenseType: element(string),
});

export const versionDocument = document('VersionDocument', {
  component: list(
    structure('ComponentType', { name: element(string), version: element(string), siteId: element(string) }),
  ),
  systemInfo: element(structure('SystemInfoType', { macaddress: list(string), databaseSize: element(string) })),
  licenseInfo: element(licenseInfo),
});

/** A kind of work that goes on beside requests. */
const service = structure('VidispineServiceType', {
  id: element(string),
  name: element(string),
  class: element(string).says('Description of the work.'),
  arguments: element(string),
  isEnabled: element(boolean).says('False: an administrator switched it off on all instances.'),
  isRunning: element(boolean).says('As isEnabled, because enabled work is always ready to run.'),
  exception: element(string).says('Last failure in this instance.'),
  exceptionTimestamp: element(dateTime),
  thread: element(string),
  threadStatus: element(string).says('RUNNING: this instance is doing some of it. Otherwise WAITING.'),
  load5: element(decimal),
  load60: element(decimal),
});

export const vidispineServiceListDocument = document('VidispineServiceListDocument', { service: list(service) });
export type VidispineServiceList = Value<typeof vidispineServiceListDocument>;

const piece = structure('WorkPieceType', {
  name: element(string).required.says('Name of the unit of work, such as the id of a storage.'),
  done: element(integer).required,
  of: element(integer).says('Approximate total.'),
  since: element(dateTime),
  says: element(string).says('Why it waits for a person.'),
});

const kind = structure('WorkType', {
  kind: element(string).required,
  says: element(string).says('Description of the work.'),
  priority: element(integer).says('Order in which kinds of work start, the lowest first.'),
  concurrency: element(integer).says('Maximum units of work at a time in an instance.'),
  waiting: element(integer).says('Waiting units of work.'),
  oldest: element(dateTime).says('When the oldest one began to wait.'),
  leased: element(integer).says('Units of work that are running, in all instances.'),
  running: element(integer).says('Units of work that are running in this instance.'),
  runningSince: element(dateTime).says('When the oldest one started.'),
  done: element(integer).says('Count since this instance started.'),
  failed: element(integer).says('Count since this instance started.'),
  lastFailure: element(dateTime).says('When work of this kind last did not go on. A job that fails is none.'),
  lastFailureReason: element(string),
  piece: list(piece).says('Progress of long units of work, in all instances.'),
  due: element(dateTime).says('When work of this kind is due next, as far as the instance knows.'),
});

export const workListDocument = document('WorkListDocument', {
  instance: element(string).says('The instance that answers.'),
  work: list(kind),
});
export type WorkList = Value<typeof workListDocument>;

const finding = structure('SecurityFindingType', {
  severity: attribute(oneOf('error', 'warning')).required,
  file: element(string).required,
  line: element(integer).required,
  column: element(integer).required,
  code: element(string).required.says('The code stays the same across versions.'),
  message: element(string).required.says('The expected value, then the value that was found.'),
  nearest: element(string).says('The nearest name that would have been valid.'),
});

export const securityFindingListDocument = document('SecurityFindingListDocument', {
  keptSince: element(dateTime).says(
    'Since when the files have errors, so that an older configuration goes on. Absent: the files are in use.',
  ),
  finding: list(finding),
});

const entry = structure('TransferLogEntryType', {
  id: element(integer),
  timestamp: element(dateTime).says('When the transfer ended, or else when it was ordered.'),
  job: element(string),
  status: element(string).says('NONE, STARTING, FINISHED or FAILED.'),
  method: element(string).says('COPY_FILE or MOVE_FILE.'),
  sourceStorage: element(string),
  sourceFile: element(string),
  sourceItem: element(string),
  destinationStorage: element(string),
  destinationFile: element(string),
});

export const transferLogListDocument = document('TransferLogListDocument', {
  count: element(integer),
  transferLogEntry: list(entry),
});

const errorLog = structure('ErrorLogType', {
  id: element(integer),
  timestamp: element(dateTime),
  description: element(string),
  type: element(string).says('JOB or STORAGE.'),
  entityType: element(string),
  entityId: element(string),
});

export const errorLogListDocument = document('ErrorLogListDocument', {
  hits: element(integer),
  errorLog: list(errorLog),
});
