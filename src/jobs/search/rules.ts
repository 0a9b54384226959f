import { parseDateTime } from '../../documents/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import { type JobPriority, jobPriorities } from '../job-type.ts';
import { jobStates } from '../list/parameters.ts';
import type { JobQuery } from '../list/store.ts';
import type { JobSearch } from './documents.ts';

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

const bad = (name: string, explanation: string): ServiceError =>
  new ServiceError('bad-value', { context: `/JobSearchDocument/field[name=${name.slice(0, 40)}]`, explanation });

/** Conditions of a search document. All fields have to match. */
export function jobFilterOf({ field = [] }: JobSearch): JobFilter {
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
  for (const each of field) {
    const values = valuesOf(each);
    switch (each.name.toLowerCase()) {
      case 'jobid':
        wanted.ids = values;
        break;
      case 'user':
      case 'username':
        wanted.users = values;
        break;
      case 'state':
      case 'status':
        wanted.states = values.map((text) => wordOf(each.name, jobStates, text));
        break;
      case 'type':
        wanted.types = values.map((text) => text.toUpperCase());
        break;
      case 'priority':
        wanted.priorities = values.map((text) =>
          jobPriorities.indexOf(wordOf<JobPriority>(each.name, jobPriorities, text)),
        );
        break;
      case 'starttime':
      case 'started':
        [wanted.startedFrom, wanted.startedTo] = spanOf(each);
        break;
      case 'finishtime':
      case 'finished':
        [wanted.finishedFrom, wanted.finishedTo] = spanOf(each);
        break;
      default: {
        const [value, ...more] = values;
        if (value === undefined || more.length > 0) throw bad(each.name, 'Expected one value');
        wanted.pairs = [...wanted.pairs, [each.name, value]];
      }
    }
  }
  return wanted;
}

const valuesOf = ({ value = [] }: Field): readonly string[] =>
  value.map(({ value: text = '' }) => text.trim()).filter((text) => text !== '');

function wordOf<W extends string>(name: string, words: readonly W[], text: string): W {
  const found = words.find((word) => word === text.toUpperCase());
  if (found) return found;
  throw bad(name, `Expected one of ${words.join(', ')}: "${text.slice(0, 40)}"`);
}

function spanOf({ name, range = [] }: Field): [from: number, to: number] {
  const [first, ...more] = range;
  const ends = (first?.value ?? []).map(({ value = '' }) => (value === '*' ? undefined : parseDateTime(value)));
  const given = (first?.value ?? []).filter(({ value }) => value !== '*').length;
  if (more.length > 0 || ends.length !== 2 || ends.filter((end) => end !== undefined).length < given) {
    throw bad(name, 'Expected one range of two dates, or "*" for an open end');
  }
  return [ends[0] ?? 0, ends[1] ?? Number.MAX_SAFE_INTEGER];
}
