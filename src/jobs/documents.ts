import { dateTime, document, element, list, string, structure, type Value } from '../documents/describe.ts';

export const jobDocument = document('JobDocument', {
  jobId: element(string).required,
  user: element(string).says('Who started it.'),
  started: element(dateTime),
  finished: element(dateTime),
  status: element(string).required,
  type: element(string).required,
  priority: element(string).required,
  data: list(structure('JobDataType', { key: element(string).required, value: element(string) })),
});
export type Job = Value<typeof jobDocument>;
