import { nearest } from '../../../core/lib/messages.ts';
import {
  type ClassEntry,
  type ObjectKind,
  type OurProperty,
  type OurType,
  propertyTable,
  type Table,
} from './types.ts';

const property = (type: OurType, says: string, more: Partial<OurProperty> = {}): OurProperty => ({
  type,
  says,
  ...more,
});
const stateless = (what: string) => property({ stateless: true }, `${what}: a stateless service has none.`);

const authenticator = {
  authenticationStrategy: property({ object: 'strategies' }, 'How the answers of several realms become one.'),
  authenticationListeners: property({ references: 'listeners' }, 'Told of logins that succeeded or failed.'),
};

/** Properties of the implicit `securityManager`. */
const securityManager: Table = propertyTable({
  realms: property({ references: 'realms' }, 'Asked in this order. Without it: every realm, in the order of the file.'),
  realm: property({ reference: 'realms' }, 'The only realm.'),
  authenticator: property({ object: 'authenticators' }, 'Has the strategy and the listeners.'),
  sessionManager: stateless('Sessions'),
  sessionMode: stateless('Sessions'),
  subjectDAO: stateless('Sessions'),
  subjectFactory: stateless('Sessions'),
  rememberMeManager: stateless('Remember-me cookies'),
  cacheManager: stateless('A cache manager'),
  authorizer: stateless('An authorizer of its own'),
  eventBus: stateless('An event bus'),
});

/** Properties of the implicit `filterChainResolver`. */
const filterChainResolver: Table = propertyTable({
  globalFilters: property('list', 'Filters that stand first in every chain, by name. "null": none.'),
  caseInsensitive: property('boolean', 'Whether patterns ignore case.'),
  allowAccessByDefault: property('boolean', 'Only "false": a path without a chain is refused.', {
    check: (value: boolean) =>
      value
        ? 'Expected "false", because a path without a chain is refused (end [urls] with a line for /**)'
        : undefined,
  }),
});

const builtIn = (kind: ObjectKind, className: string, table: Table = new Map()): ClassEntry => ({
  className,
  kind,
  table,
  plugin: 'the service',
});

const pam = 'org.apache.shiro.authc.pam.';

export const strategyClasses = {
  'at-least-one': `${pam}AtLeastOneSuccessfulStrategy`,
  first: `${pam}FirstSuccessfulStrategy`,
  all: `${pam}AllSuccessfulStrategy`,
} as const;

/** Built-in classes with the class names of the framework. */
export const builtIns: readonly ClassEntry[] = [
  builtIn('strategies', strategyClasses['at-least-one']),
  builtIn(
    'strategies',
    strategyClasses.first,
    propertyTable({ stopAfterFirstSuccess: property('boolean', 'Do not ask further realms once one has accepted.') }),
  ),
  builtIn('strategies', strategyClasses.all),
  builtIn('authenticators', `${pam}ModularRealmAuthenticator`, propertyTable(authenticator)),
];

export const managerEntry = builtIn(
  'securityManager',
  'org.apache.shiro.web.mgt.DefaultWebSecurityManager',
  securityManager,
);
export const resolverEntry = builtIn('resolver', 'the filter chain resolver', filterChainResolver);
export const authenticatorEntry = builtIns.find(({ kind }) => kind === 'authenticators')!;

/** Sessions, cookies, remember-me, caches: classes that an older file may name, and that have no work here. */
const statelessClasses =
  /^org\.apache\.shiro\.(?:session|cache|event|web\.session|web\.servlet\.(?:SimpleCookie|ShiroHttpSession)|(?:web\.)?mgt\.(?:.*(?:RememberMe|Session|Subject).*))/;

export function statelessClass(className: string): ClassEntry | undefined {
  return statelessClasses.test(className) ? builtIn('stateless', className) : undefined;
}

const redirects = 'a stateless service redirects to no login page';
const cached = 'what a realm remembers is its own affair';

/** Properties that every filter or realm of the original has, and that have no work here. */
export const withoutWork: ReadonlyMap<string, string> = new Map([
  ...['loginUrl', 'successUrl', 'unauthorizedUrl', 'redirectUrl', 'postOnlyLogout'].map(
    (name) => [name, redirects] as const,
  ),
  ...['usernameParam', 'passwordParam', 'rememberMeParam', 'failureKeyAttribute'].map(
    (name) => [name, redirects] as const,
  ),
  ...['cacheManager', 'cachingEnabled'].map((name) => [name, cached] as const),
  ...['authenticationCachingEnabled', 'authenticationCacheName', 'authenticationCache'].map(
    (name) => [name, cached] as const,
  ),
  ...['authorizationCachingEnabled', 'authorizationCacheName', 'authorizationCache'].map(
    (name) => [name, cached] as const,
  ),
  ['name', 'an object is called as the file calls it'],
]);

const filter = 'org.apache.shiro.web.filter.';

/** The filters that exist without being declared, and the class that each one is of. */
export const originalFilters: ReadonlyMap<string, string> = new Map([
  ['anon', `${filter}authc.AnonymousFilter`],
  ['authcBasic', `${filter}authc.BasicHttpAuthenticationFilter`],
  ['authcBearer', `${filter}authc.BearerHttpAuthenticationFilter`],
  ['invalidRequest', `${filter}InvalidRequestFilter`],
  ['ip', `${filter}authz.IpFilter`],
  ['logout', `${filter}authc.LogoutFilter`],
  ['noSessionCreation', `${filter}session.NoSessionCreationFilter`],
  ['perms', `${filter}authz.PermissionsAuthorizationFilter`],
  ['port', `${filter}authz.PortFilter`],
  ['rest', `${filter}authz.HttpMethodPermissionFilter`],
  ['roles', `${filter}authz.RolesAuthorizationFilter`],
  ['ssl', `${filter}authz.SslFilter`],
  ['user', `${filter}authc.UserFilter`],
]);

/** Names that exist in the original and not here, with what to write instead. */
export const unsupportedNames: ReadonlyMap<string, string> = new Map([
  ['authc', 'form login is not part of a stateless service: use authcBasic, tokenAuth or oauth2Auth'],
  ['noAccess', 'it redirects to a login page: use deny'],
]);

/** Implicit objects that may be configured without any effect. */
export const withoutEffect: ReadonlySet<string> = new Set(['authc', 'noAccess', 'shiroFilter', 'eventBus']);

export const iniRealmClass = 'org.apache.shiro.realm.text.IniRealm';

export const nearestClass = (name: string, classNames: Iterable<string>): string | undefined => {
  const names = [...classNames];
  const simple = (each: string) => each.slice(each.lastIndexOf('.') + 1);
  const byLastPart = names.find((each) => simple(each).toLowerCase() === simple(name).toLowerCase());
  return (
    byLastPart ??
    nearest(name, names) ??
    names.find((each) => simple(each) === nearest(simple(name), names.map(simple), 2))
  );
};
