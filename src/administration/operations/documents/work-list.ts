import {
  dateTime,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';

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
