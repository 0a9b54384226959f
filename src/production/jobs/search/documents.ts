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
import { facetFilter, facetRequest } from '../../../core/documents/shared-documents.ts';

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
  ).most(20),
  facetFilter: list(facetFilter)
    .most(20)
    .says('A field with one value or range. The facet of the same field ignores it.'),
  facet: list(facetRequest)
    .most(5)
    .says('Numbers of jobs by user, state, type, priority, or a key of the data. Ranges have no effect.'),
});
export type JobSearch = Value<typeof jobSearchDocument>;
