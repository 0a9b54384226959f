import { boolean, dateTime, document, element, list, string, structure, type Value } from '../../documents/describe.ts';

export const authenticationTokenDocument = document('AuthenticationTokenDocument', {
  token: element(string).required,
  user: element(string).required.says('The real name, also when an alias was used.'),
});

/** Ours: the tokens of a user that are valid now. The text of a token is not known any more. */
export const authenticationTokenListDocument = document('AuthenticationTokenListDocument', {
  token: list(
    structure('IssuedTokenType', {
      id: element(string).required.says('To revoke it by.'),
      created: element(dateTime).required,
      expires: element(dateTime).required,
      autoRefresh: element(boolean).required,
      accessKey: element(string).says('The key with which it was asked for; it ends with that.'),
      actor: element(string).says('User who requested the token on behalf of another user, and acts by it.'),
    }),
  ),
});
export type AuthenticationTokenList = Value<typeof authenticationTokenListDocument>;
