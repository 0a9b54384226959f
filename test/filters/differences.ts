/** Intended difference of a filter from its original. */
interface FilterDifference {
  readonly filter: string;
  readonly original: string;
  readonly portico: string;
  readonly why: string;
  /** Cases of the original's own tests that come out differently: `suite/name@version`. */
  readonly vectors?: readonly string[];
}

const ofInvalidRequest = (name: string, ...versions: readonly string[]): string[] =>
  versions.map((version) => `InvalidRequestFilterTest/${name}@${version}`);

export const filterDifferences: readonly FilterDifference[] = [
  {
    filter: 'authcBasic, authcBearer, tokenAuth, oauth2Auth',
    original: 'A header is an attempt when it begins with the scheme: `Basicfoo`, `tokenized`, `bearerish`.',
    portico: 'The scheme is the whole word before the first blank, in any case.',
    why: 'A prefix lets one filter answer for a scheme that another one was made for (RFC 9110, 11.1).',
  },
  {
    filter: 'authcBasic, authcBearer, tokenAuth, oauth2Auth',
    original: 'Of two Authorization headers the first counts; fields after the credentials are ignored.',
    portico: 'Two headers, a comma or a further field make the credentials malformed: 401.',
    why: 'A reader of the other header sees another caller.',
  },
  {
    filter: 'authcBasic',
    original:
      'Base64 with foreign characters is read without them (1.x) or a 500 (2.0 and later); without padding the last characters are lost or it is a 500.',
    portico: 'Foreign characters and invalid UTF-8 are malformed: 401. Padding may be left out.',
    why: 'One text has one meaning, and nothing that a caller sends is our error.',
  },
  {
    filter: 'authcBasic, authcBearer',
    original: 'A header without credentials, without a colon or with nothing at all is a login with empty texts.',
    portico:
      'Without credentials or without a colon it is malformed, and no realm is asked; `:` is an empty user with an empty password.',
    why: 'An empty text must not meet an empty text that is stored somewhere.',
    vectors: [
      'BasicHttpFilterAuthenticationTest/createTokenNoAuthorizationHeader@main',
      'BearerHttpFilterAuthenticationTest/createTokenNoAuthorizationHeader@main',
      'BearerHttpFilterAuthenticationTest/createTokenNoValue@main',
      'BearerHttpFilterAuthenticationTest/createTokenJustSpaces@main',
    ],
  },
  {
    filter: 'authcBasic, authcBearer, tokenAuth, oauth2Auth',
    original:
      'Words in the brackets are looked up by binary search in the order written, so `[permissive, POST, PUT]` is not permissive.',
    portico: 'The order does not matter.',
    why: 'The brackets mean what they say.',
  },
  {
    filter: 'authcBasic, authcBearer, tokenAuth, oauth2Auth',
    original: '`PERMISSIVE` and words that are no method are accepted and mean nothing.',
    portico: 'An error at start-up.',
    why: 'A misspelt method takes the filter away from the method that was meant.',
  },
  {
    filter: 'authcBasic, authcBearer',
    original: '`allowPreFlightRequests = false` makes preflights need credentials (1.x and 2.0: always).',
    portico: 'The service answers preflights before any filter; false is an error at start-up.',
    why: 'A browser sends preflights without credentials, and their answer tells nothing.',
    vectors: ['BasicHttpFilterAuthenticationTest/notAllowedPreFlightRequests@main'],
  },
  {
    filter: 'authcBasic, authcBearer',
    original: 'The application name goes into the challenge as it is.',
    portico: 'Quotes and backslashes in it are escaped.',
    why: 'It ends where it ends.',
  },
  {
    filter: 'authcBasic',
    original: 'Every attempt sets a cookie that deletes `rememberMe`.',
    portico: 'No cookie is ever set.',
    why: 'There are none to delete.',
  },
  {
    filter: 'tokenAuth',
    original: '`enabled = false` switches it off.',
    portico: 'An error at start-up.',
    why: 'Internal requests log in by it.',
  },
  {
    filter: 'user, roles, perms, rest',
    original:
      'A caller who is not known is sent to a login page (302), after making a session; behind noSessionCreation that is a 500.',
    portico: '401 without a challenge, or 302 where loginUrl is set.',
    why: 'There are no sessions and no login page.',
  },
  {
    filter: 'roles, perms, rest',
    original: 'A known caller without the role gets 401 up to 2.0.5.',
    portico: '403, as since 2.0.6.',
    why: 'Logging in again would not help.',
  },
  {
    filter: 'perms, rest, port, ssl',
    original: 'Brackets are read on each request: `port[abc]` and `perms["::"]` are a 500 there.',
    portico: 'An error at start-up.',
    why: 'It is the author of the file who can mend it.',
  },
  {
    filter: 'anon, user, noSessionCreation, invalidRequest, ip, deny',
    original: 'Brackets are accepted and mean nothing.',
    portico: 'An error at start-up.',
    why: 'Their author expects an effect.',
  },
  {
    filter: 'ip',
    original:
      'A three-part address such as `192.168.33/24` is read as 192.168.0.33; leading zeros are read by the platform.',
    portico: 'An error at start-up.',
    why: 'It means a network to its author and another address to the reader.',
    vectors: [
      'IpFilterTest/accessShouldBeDeniedWhenNotInTheAllowedSet@main',
      'IpFilterTest/accessShouldBeGrantedToIpsInTheAllowedSet (three-part address: not what it looks like)@main',
    ],
  },
  {
    filter: 'ip',
    original: 'A caller who is not known is sent to a login page; `ipSource` can take the address from elsewhere.',
    portico: '403 for everybody; the address is the one of the socket.',
    why: 'Logging in does not change an address, and a header is no address.',
  },
  {
    filter: 'invalidRequest',
    original: 'Dot segments are refused by default from 1.12 on, `%2e` and `%2f` in 1.12 and 1.13.',
    portico: 'Off unless asked for, as in 1.11.',
    why: 'Files of the original run as they did; canonicalTarget resolves or refuses these forms for filters and routes alike.',
    vectors: ofInvalidRequest('defaultConfig', 'main', '1.13.0'),
  },
  {
    filter: 'invalidRequest',
    original: 'A system property can turn the default of blockBackslash around.',
    portico: 'The file says it: `invalidRequest.blockBackslash = false`.',
    why: 'One place to look at.',
    vectors: ofInvalidRequest("systemPropertyAllowBackslash='true'", 'main', '1.11.0', '1.13.0'),
  },
  {
    filter: 'logout',
    original: 'Ends the session and forgets who was remembered.',
    portico: 'Ends nothing; redirects.',
    why: 'Nothing lasts beyond a request.',
  },
];
