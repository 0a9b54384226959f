import { boolean, document, element, integer, list, oneOf, string, structure, type Value } from '../describe.ts';

const step = structure('ExplanationStepType', {
  name: element(string).required,
  answer: element(oneOf('pass', 'accept', 'refuse', 'skipped')).required,
  user: element(string),
  reason: element(string),
  status: element(integer),
});

const knownUser = structure('ExplanationUserType', {
  realm: element(string).required,
  role: list(string),
  permission: list(string),
});

/** Ours: the chain that a request would meet, and what each of its filters would answer. */
export const explanationDocument = document('ExplanationDocument', {
  method: element(string).required,
  path: element(string).required.says('The canonical path, which filters and routes see.'),
  pattern: element(string),
  line: element(integer).says('Line of the pattern in its file.'),
  file: element(string).says('The file with the pattern: a security.ini, or the built-in one.'),
  step: list(step),
  granted: element(boolean).required,
  user: element(string),
  reason: element(string),
  status: element(integer),
  known: list(knownUser).says('The realms that know the user, with the roles and permissions that they grant.'),
  silent: list(string).says('Realms that know a user only after a login.'),
  role: list(string).says('The roles that the user has in the service.'),
  route: element(string).says('The route that matches. Absent: none.'),
  needs: element(string).says('The role that the route asks for.'),
  allowed: element(boolean).says('Whether the user has that role, and the rights on the entities of the path.'),
  entity: element(
    structure('ExplanationEntityType', {
      status: element(integer).required,
      reason: element(string).required,
      explanation: element(string),
    }),
  ).says(
    'Answer for a user with the role who lacks an entity of the path: it is not there, or an access entry is missing.',
  ),
});
export type Explanation = Value<typeof explanationDocument>;
