import type {
  Credentials,
  FilterRequest,
  KnownCaller,
  LoginAnswer,
  OAuth2Setup,
  ServiceUser,
} from '../../spi/index.ts';
import { secretText } from '../credentials.ts';

export interface FilterRequestOptions {
  readonly method?: string;
  readonly path?: string;
  readonly rawPath?: string;
  readonly query?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | Headers;
  readonly address?: string | undefined;
  readonly secure?: boolean;
  readonly port?: number;
  /** What the filter made of its brackets. */
  readonly options?: unknown;
  /** Who is known already. */
  readonly caller?: {
    readonly name?: string;
    readonly roles?: readonly string[];
    readonly permissions?: readonly string[];
  };
  /** What the realms answer; without it, they let nobody in. */
  login?(credentials: Credentials): Promise<LoginAnswer> | LoginAnswer;
  /** The users of the service; without them, there are none. */
  readonly users?: readonly ServiceUser[];
  /** What the API was told; without it, nothing. */
  readonly oauth2?: OAuth2Setup;
}

/** A request as a filter sees it: `GET /item` from 192.0.2.1 by a caller who is not known, unless told otherwise. */
export function filterRequest(given: FilterRequestOptions = {}): FilterRequest {
  const { method = 'GET', path = '/item', secure = false } = given;
  const headers = new Headers(given.headers);
  return {
    method,
    path,
    rawPath: given.rawPath ?? `/API${path}`,
    query: given.query,
    headers,
    authorization: headers.get('authorization'),
    address: 'address' in given ? given.address : '192.0.2.1',
    secure,
    port: given.port ?? (secure ? 443 : 80),
    options: given.options,
    caller: given.caller && knownCaller(given.caller),
    secret: secretText,
    login: given.login ?? (() => ({ accepted: false, reason: 'unknown-user' })),
    findUser: (name) => given.users?.find((user) => user.name === name),
    oauth2: () => given.oauth2 ?? { revision: 0, configuration: undefined },
  };
}

function knownCaller({
  name = 'alice',
  roles = [],
  permissions = [],
}: NonNullable<FilterRequestOptions['caller']>): KnownCaller {
  return { name, permissions, hasRole: async (role) => roles.includes(role) };
}
