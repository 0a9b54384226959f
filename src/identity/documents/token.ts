import {
  boolean,
  dateTime,
  document,
  element,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';

export const authenticationTokenDocument = document('AuthenticationTokenDocument', {
  token: element(string).required,
  user: element(string).required.says('The real name, also when an alias was used.'),
});

/** Ours: the tokens of a user that are valid now. The text of a token is not known any more. */
export const authenticationTokenListDocument = document('AuthenticationTokenListDocument', {
  token: list(
    structure('IssuedTokenType', {
      id: element(string).required.says('Id for revoking the token.'),
      created: element(dateTime).required,
      expires: element(dateTime).required,
      autoRefresh: element(boolean).required,
      kind: element(oneOf('TOKEN', 'SESSION')).required.says('SESSION: a login of the web page.'),
      ends: element(dateTime).says('When it ends even if it is used: the longest session, or the end of its login.'),
      accessKey: element(string).says('Access key that requested the token. The token ends with it.'),
      actor: element(string).says('User who requested the token on behalf of another user (RunAs).'),
    }),
  ),
});
export type AuthenticationTokenList = Value<typeof authenticationTokenListDocument>;
