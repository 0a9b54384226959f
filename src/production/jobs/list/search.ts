import {
  attribute,
  content,
  document,
  element,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';
import { parseDateTime } from '../../../core/documents/index.ts';
import { facetFilter, facetRequest } from '../../../core/documents/shared-documents.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { type JobPriority, jobPriorities } from '../../../room/jobs/job-type.ts';
import { jobStates } from './parameters.ts';
import type { JobQuery } from './store.ts';

const searchedValue = structure('JobSearchValueType', { value: content(string), name: attribute(string) });

export const jobSearchDocument = document('JobSearchDocument', {
  field: list(
    structure('JobSearchFieldType', {
      name: element(string).required.says(
        'Name: jobId, user, state, type, priority, startTime, finishTime, or a key of the data.',
      ),
      value: list(searchedValue).says('At least one of the values must match.'),
      range: list(structure('JobSearchRangeType', { value: list(searchedValue) })).says(
        'Range of times: lower bound, then upper bound.',
      ),
    }),
  ).max(20),
  facetFilter: list(facetFilter)
    .max(20)
    .says('A field with one value or range. The facet of the same field ignores it.'),
  facet: list(facetRequest)
    .max(5)
    .says('Numbers of jobs by user, state, type, priority, or a key of the data. Ranges have no effect.'),
});
export type JobSearch = Value<typeof jobSearchDocument>;

type JobFilter = Pick<
  JobQuery,
  | 'ids'
  | 'users'
  | 'states'
  | 'types'
  | 'priorities'
  | 'pairs'
  | 'startedFrom'
  | 'startedTo'
  | 'finishedFrom'
  | 'finishedTo'
>;
type Field = NonNullable<JobSearch['field']>[number];

type Meaning = 'jobid' | 'user' | 'state' | 'type' | 'priority' | 'started' | 'finished' | 'data';

const meanings: ReadonlyMap<string, Meaning> = new Map([
  ['jobid', 'jobid'],
  ['user', 'user'],
  ['username', 'user'],
  ['state', 'state'],
  ['status', 'state'],
  ['type', 'type'],
  ['priority', 'priority'],
  ['starttime', 'started'],
  ['started', 'started'],
  ['finishtime', 'finished'],
  ['finished', 'finished'],
]);

/** Meaning of a name of a field. Any other name is a key of the data. */
export const meaningOf = (name: string): Meaning => meanings.get(name.trim().toLowerCase()) ?? 'data';

export const badPart = (part: string, name: string, explanation: string): ServiceError =>
  new ServiceError('bad-value', { context: `/JobSearchDocument/${part}[name=${name.slice(0, 40)}]`, explanation });
const bad = (name: string, explanation: string): ServiceError => badPart('field', name, explanation);

/** Conditions of a search document. All fields and facet filters have to match. */
export function jobFilterOf({ field = [], facetFilter = [] }: JobSearch): JobFilter {
  const wanted: { -readonly [K in keyof JobFilter]: JobFilter[K] } = {
    ids: [],
    users: [],
    states: [],
    types: [],
    priorities: [],
    pairs: [],
    startedFrom: 0,
    startedTo: Number.MAX_SAFE_INTEGER,
    finishedFrom: 0,
    finishedTo: Number.MAX_SAFE_INTEGER,
  };
  for (const each of [...field, ...facetFilter.map(asField)]) {
    const values = valuesOf(each);
    switch (meaningOf(each.name)) {
      case 'jobid':
        wanted.ids = both(wanted.ids, values, '');
        break;
      case 'user':
        wanted.users = both(wanted.users, values, '');
        break;
      case 'state':
        wanted.states = both(
          wanted.states,
          values.map((text) => wordOf(each.name, jobStates, text)),
          '',
        );
        break;
      case 'type':
        wanted.types = both(
          wanted.types,
          values.map((text) => text.toUpperCase()),
          '',
        );
        break;
      case 'priority': {
        const places = values.map((text) => jobPriorities.indexOf(wordOf<JobPriority>(each.name, jobPriorities, text)));
        wanted.priorities = both(wanted.priorities, places, -1);
        break;
      }
      case 'started': {
        const [from, to] = spanOf(each);
        wanted.startedFrom = Math.max(wanted.startedFrom, from);
        wanted.startedTo = Math.min(wanted.startedTo, to);
        break;
      }
      case 'finished': {
        const [from, to] = spanOf(each);
        wanted.finishedFrom = Math.max(wanted.finishedFrom, from);
        wanted.finishedTo = Math.min(wanted.finishedTo, to);
        break;
      }
      default: {
        const [value, ...more] = values;
        if (value === undefined || more.length > 0) throw bad(each.name, 'Expected one value');
        wanted.pairs = [...wanted.pairs, [each.name, value]];
      }
    }
  }
  return wanted;
}

/** A facet filter as the field that it narrows. */
const asField = ({ field, value, range }: NonNullable<JobSearch['facetFilter']>[number]): Field => ({
  name: field,
  ...(value !== undefined && { value: [{ value }] }),
  ...(range && { range: [{ value: [{ value: range.start ?? '*' }, { value: range.end ?? '*' }] }] }),
});

/** Values that two fields have in common. An empty list is any value, so `none` stands for no value at all. */
function both<V>(before: readonly V[], values: readonly V[], none: V): readonly V[] {
  if (before.length === 0 || values.length === 0) return [...before, ...values];
  const common = before.filter((value) => values.includes(value));
  return common.length > 0 ? common : [none];
}

const valuesOf = ({ value = [] }: Field): readonly string[] =>
  value.map(({ value: text = '' }) => text.trim()).filter((text) => text !== '');

function wordOf<W extends string>(name: string, words: readonly W[], text: string): W {
  const match = words.find((word) => word === text.toUpperCase());
  if (match) return match;
  throw bad(name, `Expected one of ${words.join(', ')}: "${text.slice(0, 40)}"`);
}

function spanOf({ name, range = [] }: Field): [from: number, to: number] {
  const [first, ...more] = range;
  const ends = (first?.value ?? []).map(({ value = '' }) => (value === '*' ? undefined : parseDateTime(value)));
  const endCount = (first?.value ?? []).filter(({ value }) => value !== '*').length;
  if (more.length > 0 || ends.length !== 2 || ends.filter((end) => end !== undefined).length < endCount) {
    throw bad(name, 'Expected one range of two dates, or "*" for an open end');
  }
  return [ends[0] ?? 0, ends[1] ?? Number.MAX_SAFE_INTEGER];
}
