import {
  boolean,
  document,
  element,
  integer,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';

const candidate = structure('SearchCandidateType', {
  name: element(string).required,
  cost: element(integer).says('In look-ups of one entity. The planner takes the lowest.'),
  refusal: element(string).says('Condition of the strategy that the search does not meet.'),
});

/** How a search was run, for administrators. */
export const searchPlanDocument = document('SearchPlanDocument', {
  strategy: element(string).required.says('Strategy that found the page.'),
  reason: element(string).required,
  estimatedHits: element(integer).says(
    'Hits that the planner expected: those of an earlier search, or all entities of the kind.',
  ),
  hits: element(integer),
  milliseconds: element(integer).says('Time of the whole search, in whole milliseconds.'),
  thread: element(oneOf('serving', 'reader')).says('Thread that ran the search.'),
  servingReads: element(integer).says('Reads on the serving thread.'),
  readerReads: element(integer).says('Reads on reader threads.'),
  cached: element(boolean).says('Whether fields and the state of the index came from the cache.'),
  candidate: list(candidate),
});
export type SearchPlan = Value<typeof searchPlanDocument>;
