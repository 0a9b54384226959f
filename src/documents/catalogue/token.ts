import { document, element, string, type Value } from '../describe.ts';

export const authenticationTokenDocument = document('AuthenticationTokenDocument', {
  token: element(string).required,
  user: element(string).required.says('The real name, also when an alias was used.'),
});
export type AuthenticationToken = Value<typeof authenticationTokenDocument>;
