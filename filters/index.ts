import type { Component, Components, Filter } from '../src/spi/index.ts';
import { roles, user } from './access.ts';
import { basic } from './basic.ts';
import { anon, deny, logout, noSessionCreation } from './constant-answers.ts';
import { invalidRequest } from './invalid-request.ts';
import { ip } from './ip.ts';
import { methods } from './methods.ts';
import { perms, rest } from './permission.ts';
import { rateLimit } from './rate-limit.ts';
import { session } from './session.ts';
import { bearer, oauth2, token } from './tokens.ts';
import { port, ssl } from './transport.ts';

interface Row {
  /** Default object, which exists without a declaration. */
  readonly object?: string;
  readonly component: Component<Filter>;
  /** Class names: ours first, then those that files of others use. */
  readonly names: readonly [string, ...string[]];
}

const web = 'org.apache.shiro.web.filter';
const service = 'com.service.security.auth';

const shipped: readonly Row[] = [
  { object: 'anon', component: anon, names: ['portico.AnonymousFilter', `${web}.authc.AnonymousFilter`] },
  {
    object: 'authcBasic',
    component: basic,
    names: ['portico.BasicFilter', `${web}.authc.BasicHttpAuthenticationFilter`],
  },
  {
    object: 'authcBearer',
    component: bearer,
    names: ['portico.BearerFilter', `${web}.authc.BearerHttpAuthenticationFilter`],
  },
  { object: 'deny', component: deny, names: ['portico.DenyFilter', `${service}.DenyFilter`] },
  {
    object: 'invalidRequest',
    component: invalidRequest,
    names: ['portico.InvalidRequestFilter', `${web}.InvalidRequestFilter`],
  },
  { object: 'ip', component: ip, names: ['portico.IpFilter', `${web}.authz.IpFilter`] },
  { object: 'logout', component: logout, names: ['portico.LogoutFilter', `${web}.authc.LogoutFilter`] },
  { object: 'methods', component: methods, names: ['portico.MethodFilter'] },
  {
    object: 'noSessionCreation',
    component: noSessionCreation,
    names: ['portico.NoSessionCreationFilter', `${web}.session.NoSessionCreationFilter`],
  },
  {
    object: 'perms',
    component: perms,
    names: ['portico.PermissionsFilter', `${web}.authz.PermissionsAuthorizationFilter`],
  },
  { object: 'port', component: port, names: ['portico.PortFilter', `${web}.authz.PortFilter`] },
  { object: 'rateLimit', component: rateLimit, names: ['portico.RateLimitFilter'] },
  { object: 'rest', component: rest, names: ['portico.RestFilter', `${web}.authz.HttpMethodPermissionFilter`] },
  { object: 'roles', component: roles, names: ['portico.RolesFilter', `${web}.authz.RolesAuthorizationFilter`] },
  { object: 'sessionAuth', component: session, names: ['portico.SessionFilter'] },
  { object: 'ssl', component: ssl, names: ['portico.SslFilter', `${web}.authz.SslFilter`] },
  { object: 'user', component: user, names: ['portico.UserFilter', `${web}.authc.UserFilter`] },
  { component: token, names: ['portico.TokenFilter', `${service}.TokenAuthenticationFilter`] },
  { component: oauth2, names: ['portico.OAuth2Filter', `${service}.BearerAuthenticationFilter`] },
];

/** By class name. */
export const filterComponents: Components<Filter> = Object.fromEntries(
  shipped.flatMap(({ names, component }) => names.map((name) => [name, component] as const)),
);

/** Default objects, which exist without a declaration, by name with their classes. */
export const defaultFilters: Readonly<Record<string, string>> = Object.fromEntries(
  shipped.flatMap(({ object, names }) => (object === undefined ? [] : [[object, names[0]] as const])),
);
