import {
  attribute,
  content,
  document,
  element,
  list,
  string,
  structure,
  type Value,
} from '../../documents/describe.ts';

const searchedValue = structure('JobSearchValueType', { value: content(string), name: attribute(string) });

export const jobSearchDocument = document('JobSearchDocument', {
  field: list(
    structure('JobSearchFieldType', {
      name: element(string).required.says(
        'jobId, user, state, type, priority, startTime, finishTime, or a key of the data.',
      ),
      value: list(searchedValue).says('Any of them.'),
      range: list(structure('JobSearchRangeType', { value: list(searchedValue) })).says(
        'Range of times: the lower end, then the upper one.',
      ),
    }),
  ).most(20),
});
export type JobSearch = Value<typeof jobSearchDocument>;
