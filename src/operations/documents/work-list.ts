import { dateTime, document, element, integer, list, string, structure, type Value } from '../../documents/describe.ts';

const piece = structure('WorkPieceType', {
  name: element(string).required.says('Name of the piece, such as the id of a storage.'),
  done: element(integer).required,
  of: element(integer).says('About how much there is.'),
  since: element(dateTime),
  says: element(string).says('Why it waits for a person.'),
});

const kind = structure('WorkType', {
  kind: element(string).required,
  says: element(string).says('Description of the work.'),
  priority: element(integer).says('Kinds begin in this order, the lowest first.'),
  concurrency: element(integer).says('Pieces that an instance does at a time.'),
  waiting: element(integer).says('Pieces that wait in the database.'),
  oldest: element(dateTime).says('Since when the oldest of them waits.'),
  leased: element(integer).says('Pieces in the hands of all instances.'),
  running: element(integer).says('Pieces in the hands of this instance.'),
  runningSince: element(dateTime).says('When the oldest of them began.'),
  done: element(integer).says('Since this instance started.'),
  failed: element(integer).says('Since this instance started.'),
  lastFailure: element(dateTime),
  lastFailureReason: element(string),
  piece: list(piece).says('How far long pieces are, of all instances.'),
  due: element(dateTime).says('When the kind looks again. Absent: with the next commit.'),
});

export const workListDocument = document('WorkListDocument', {
  instance: element(string).says('The instance that answers.'),
  work: list(kind),
});
export type WorkList = Value<typeof workListDocument>;
