import {
  boolean,
  dateTime,
  document,
  element,
  integer,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';
import { choice, type QueryOf, text, whole } from '../../http/parameters/index.ts';
import type { Guest } from '../../security/arrival.ts';
import type { ApprovalRow } from './approval-sql.ts';
import type { AnnotationRow, NamingRow } from './store.ts';
import { approvalStates } from './tables.ts';

const states = ['open', 'done'] as const;

const annotation = structure('AnnotationType', {
  id: element(string).outputOnly,
  item: element(string).outputOnly,
  parent: element(string).says('Annotation of the item that this one replies to.'),
  start: element(string).says('Start as a time code, such as "250@PAL". Without one: all of the item.'),
  end: element(string).says('End as a time code. Without one: the picture at the start.'),
  rectangle: element(string).says(
    'Part of the picture, such as "percent:10,20,30,40": left, top, width and height, in percent or "pixel".',
  ),
  drawing: element(string).says(
    'Drawing on the picture, in SVG: path, polyline, rect and ellipse, with numbers alone.',
  ),
  text: element(string),
  state: element(oneOf(...states)).says('State of the annotation. Default: open.'),
  assignedTo: element(string).says('User who is to act, and may read the item.'),
  version: element(integer).says('Essence version that the annotation is about. Default: the latest.'),
  user: element(string).outputOnly.says('User who wrote the annotation.'),
  created: element(dateTime).outputOnly,
  changed: element(dateTime).outputOnly,
});

export const annotationDocument = document('AnnotationDocument', annotation);
export type AnnotationSent = Value<typeof annotationDocument>;

export const annotationListDocument = document('AnnotationListDocument', {
  hits: element(integer).says('Number of annotations that fit, on all pages.'),
  annotation: list(annotation).says('Annotations, the oldest first.'),
});

export const annotationPeopleDocument = document('AnnotationPeopleDocument', {
  person: list(
    structure('AnnotationPersonType', {
      userName: element(string),
      realName: element(string),
    }),
  ).says('Users by their names.'),
});

/** Parameters that choose annotations of an item. */
export const narrowing = {
  state: choice('Only annotations in this state', states),
  assignedTo: text('Only annotations that are assigned to this user'),
  version: whole('Only annotations of this essence version'),
};

/** Author of what the guests of a share write. No user has such an id, or a name with a colon. Guests may have no name. */
export const authorOf = ({ share, name = '' }: Guest) => ({
  userId: `share:${share}`,
  user: `guest:${name}`,
});

/** Filters as values of a query, where empty ones fit every annotation. */
export const fittingOf = (
  itemId: string,
  { state, assignedTo, version }: QueryOf<typeof narrowing>,
  guest?: Guest,
) => ({
  itemId,
  guest: guest === undefined ? '' : authorOf(guest).userId,
  state: state ?? '',
  assignee: assignedTo ?? '',
  version: version ?? -1,
});

const orNone = <T>(value: T | null): T | undefined => value ?? undefined;

export const documentOf = (row: AnnotationRow): AnnotationSent => ({
  id: row.id,
  item: row.itemId,
  parent: orNone(row.parent),
  start: orNone(row.start),
  end: orNone(row.end),
  rectangle: orNone(row.rectangle),
  drawing: orNone(row.drawing),
  text: orNone(row.text),
  state: row.state as AnnotationSent['state'],
  assignedTo: orNone(row.assignee),
  version: orNone(row.essenceVersion),
  user: row.user,
  created: row.createdAt,
  changed: row.changedAt,
});

const step = {
  state: element(oneOf(...approvalStates)).says('State of the version. Left out: nobody has asked for a review.'),
  comment: element(string).says('Reason of the reviewer, of up to 4,000 characters.'),
  user: element(string).outputOnly.says('Reviewer who gave the state.'),
  at: element(dateTime).outputOnly,
};

const approvalStep = structure('ApprovalStepType', step);

export const approvalDocument = document('ApprovalDocument', {
  item: element(string).outputOnly,
  version: element(integer).outputOnly.says('Essence version that is approved or not.'),
  ...step,
  isNeeded: element(boolean).outputOnly.says(
    'Whether shapes of the version are exported and shared only once it is approved.',
  ),
  history: list(approvalStep).outputOnly.says('The states that the version had, newest first.'),
});
type Approval = Value<typeof approvalDocument>;

export const stepOf = ({ state, comment, user, at }: ApprovalRow) => ({ state, comment: orNone(comment), user, at });

/** `steps`: newest first. */
export const approvalOf = (
  item: string,
  version: number,
  steps: readonly ApprovalRow[],
  isNeeded: boolean,
): Approval => ({ item, version, ...(steps[0] && stepOf(steps[0])), isNeeded, history: steps.map(stepOf) });

export const waitingListDocument = document('WaitingListDocument', {
  item: list(
    structure('WaitingType', {
      id: element(string).required,
      annotations: element(integer).says('Number of annotations for the caller. Left out: none.'),
      annotation: element(annotation).says('The newest of them, without what is drawn.'),
      review: element(approvalStep).says('Who asked for a review, and when. Left out: nobody has.'),
    }),
  ),
});

/** `rows`: newest first. */
export const waitingOf = (id: string, rows: readonly NamingRow[], review: ReturnType<typeof stepOf> | undefined) => ({
  id,
  ...(rows[0] && { annotations: rows.length, annotation: namingOf(rows[0]) }),
  ...(review && { review }),
});

const namingOf = (row: NamingRow) => ({
  id: row.id,
  parent: orNone(row.parent),
  start: orNone(row.start),
  text: orNone(row.text),
  assignedTo: orNone(row.assignee),
  user: row.user,
  created: row.createdAt,
});
