import { boolean, document, element, integer, list, oneOf, string, structure, type Value } from '../describe.ts';

const step = structure('ExplanationStepType', {
  name: element(string).required,
  answer: element(oneOf('pass', 'accept', 'refuse', 'skipped')).required,
  user: element(string),
  reason: element(string),
  status: element(integer),
});

/** Ours: the chain that a request would meet, and what each of its filters would answer. */
export const explanationDocument = document('ExplanationDocument', {
  method: element(string).required,
  path: element(string).required.says('The canonical path, which filters and routes see.'),
  pattern: element(string),
  line: element(integer).says('Of the pattern in security.ini.'),
  step: list(step),
  granted: element(boolean).required,
  user: element(string),
  reason: element(string),
  status: element(integer),
});
export type Explanation = Value<typeof explanationDocument>;
