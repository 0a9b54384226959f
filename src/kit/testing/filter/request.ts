import type {
  Credentials,
  FilterRequest,
  KnownCaller,
  LoginAnswer,
  OAuth2Setup,
  ServiceUser,
} from '../../../spi/index.ts';
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
  /** Parsed brackets of the filter. */
  readonly options?: unknown;
  /** Caller accepted by an earlier filter. */
  readonly caller?: {
    readonly name?: string;
    readonly roles?: readonly string[];
    readonly permissions?: readonly string[];
  };
  /** Answers of the realms. Default: they refuse everyone. */
  login?(credentials: Credentials): Promise<LoginAnswer> | LoginAnswer;
  /** Users of the service. Default: none. */
  readonly users?: readonly ServiceUser[];
  /** OAuth2 configuration. Default: none. */
  readonly oauth2?: OAuth2Setup;
}

/** Request for a filter. Default: `GET /item` from 192.0.2.1 by an unknown caller. */
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
