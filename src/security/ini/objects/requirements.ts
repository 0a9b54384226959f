import type { ChainPlan } from '../chains/plan.ts';
import { type Findings, type LinePosition, quoted } from '../findings.ts';
import type { Registry } from '../registry.ts';
import type { Ini } from '../sections.ts';
import type { Objects } from './build.ts';
import { iniRealmClass, strategyClasses } from './builtins.ts';
import { hasStrategy, referencesOf } from './finish.ts';
import type { ObjectPlan } from './types.ts';

const auth = 'com.service.security.auth.';

/** The parts of the service's own that a file may not leave out, or not combine. Known by what they are, not by their name. */
const ownClasses = {
  serviceRealm: 'portico.ServiceRealm',
  tokenFilter: 'portico.TokenFilter',
  bearerFilter: `${auth}BearerAuthenticationFilter`,
  userCreation: `${auth}UserCreationListener`,
} as const;

export interface PlannedObject {
  readonly ini: Ini;
  readonly objects: Objects;
  readonly realms: readonly ObjectPlan[];
  readonly listeners: readonly ObjectPlan[];
  readonly chains: readonly ChainPlan[];
}

export const isInstanceOf = (plan: ObjectPlan, className: string, registry: Registry): boolean => {
  const own = registry.find(className);
  return own?.component !== undefined && plan.entry.component === own.component;
};

const top: LinePosition = { line: 1, column: 1 };

/** Checks requirements of the service that the framework does not have. */
export function checkRequirements(planned: PlannedObject, registry: Registry, findings: Findings): void {
  requireServiceRealm(planned, registry, findings);
  requireTokenFilter(planned, registry, findings);
  warnOfBearerCreation(planned, registry, findings);
  warnOfAnyIssuer(planned, registry, findings);
  warnOfTellingPasswords(planned, registry, findings);
  warnOfUnusedRealms(planned, registry, findings);
  warnOfLoginsWithoutUsers(planned, findings);
}

/** A login of a provider begins a session of a user, whom a listener makes. */
function warnOfLoginsWithoutUsers({ objects, listeners }: PlannedObject, findings: Findings): void {
  if (listeners.length > 0) return;
  for (const { name, entry, values, position } of objects.declared.values()) {
    const joins = values.get('joinsUsers')?.value;
    if (entry.kind !== 'logins' || joins === 'true' || joins === 'provisioned') continue;
    const message = `Expected a listener in securityManager.authenticator.authenticationListeners, such as portico.UserCreationListener, because ${name} lets in nobody who has no user yet: none`;
    findings.warning('no-new-users', position, message);
  }
}

/** Realm of the section `[users]`, which has its own warning. */
function warnOfUnusedRealms({ objects, realms }: PlannedObject, registry: Registry, findings: Findings): void {
  const { manager, declared } = objects;
  const setting = manager.values.has('realms') ? 'realms' : 'realm';
  const list = manager.values.get(setting);
  // A list with a fault is a finding already.
  if (!list || realms.length === 0) return;
  const used = new Set([...realms, ...[...declared.values()].flatMap((plan) => [...referencesOf(plan)])]);
  for (const plan of declared.values()) {
    if (plan.entry.kind !== 'realms' || plan.name === 'iniRealm' || used.has(plan)) continue;
    if (isInstanceOf(plan, ownClasses.serviceRealm, registry)) continue;
    const message = `Expected $${plan.name} in securityManager.${setting}, because no login asks the realm otherwise: line ${list.position.line} is without it`;
    findings.warning('unused-realm', plan.position, message);
  }
}

/** Without a strategy each realm is asked for each password, also for that of an administrator of the service. */
function warnOfTellingPasswords({ objects, realms }: PlannedObject, registry: Registry, findings: Findings): void {
  if (hasStrategy(objects)) return;
  const inside = [ownClasses.serviceRealm, iniRealmClass];
  const isOutside = (realm: ObjectPlan) => !inside.some((className) => isInstanceOf(realm, className, registry));
  // An unknown class has its own finding.
  const outside = realms.find((realm) => realm.entry.kind !== 'unknown' && isOutside(realm));
  if (!outside || realms.length < 2) return;
  const list = objects.manager.values.get('realms') ?? outside;
  const message = `Expected a strategy: without one, ${outside.name} is sent the passwords of all others. Put the service realm first, and add these lines: s = ${strategyClasses.first} / securityManager.authenticator.authenticationStrategy = $s`;
  findings.warning('passwords-told', list.position, message);
}

function requireServiceRealm({ ini, objects, realms }: PlannedObject, registry: Registry, findings: Findings): void {
  if (realms.some((realm) => isInstanceOf(realm, ownClasses.serviceRealm, registry))) return;
  const main = ini.sections.get('main')?.position ?? top;
  const declared = declaredOf(objects, ownClasses.serviceRealm, registry);
  const because = 'internal requests log in through it';
  if (declared) {
    const list = objects.manager.values.get('realms') ?? objects.manager.values.get('realm');
    const message = `Expected $${declared.name} among the realms, because ${because}: the list is without it`;
    findings.error('service-realm', list?.position ?? declared.position, message);
  } else {
    const message = `Expected a realm of the class ${ownClasses.serviceRealm} in [main], because ${because}: none`;
    findings.error('service-realm', objects.declared.get('serviceRealm')?.position ?? main, message);
  }
}

function requireTokenFilter({ ini, objects, chains }: PlannedObject, registry: Registry, findings: Findings): void {
  // Filters with a scheme of their own read the tokens of other programs.
  const isTokenFilter = (plan: ObjectPlan) =>
    isInstanceOf(plan, ownClasses.tokenFilter, registry) && !plan.values.has('authzScheme');
  const declared = [...objects.declared.values()].find(isTokenFilter);
  const because = 'internal requests come with tokens';
  if (!declared?.enabled) {
    const position =
      declared?.position ?? objects.declared.get('tokenAuth')?.position ?? ini.sections.get('main')?.position ?? top;
    const actual = declared ? 'it is switched off' : 'none';
    const message = `Expected a filter of the class ${ownClasses.tokenFilter} in [main], because ${because}: ${actual}`;
    findings.error('token-filter', position, message);
    return;
  }
  const reached = chains.some(({ steps }) => steps.some(({ filter }) => isTokenFilter(filter)));
  if (reached) return;
  const position = chains.at(-1)?.position ?? ini.sections.get('urls')?.position ?? top;
  const message = `Expected ${declared.name}[permissive] in a chain of [urls], because ${because}: it stands in none`;
  findings.warning('token-filter-unreached', position, message);
}

const declaredOf = (objects: Objects, className: string, registry: Registry): ObjectPlan | undefined =>
  [...objects.declared.values()].find((plan) => isInstanceOf(plan, className, registry));

/** Elements of an OAuth2ConfigurationDocument that make foreign tokens acceptable. */
const bearerElements = new Set([
  'x509Certificate',
  'publicKey',
  'expectedAudience',
  'tokenUser',
  'federationMetadataURI',
  'federationMetadataInterval',
  'validationEndpoint',
]);

/** The first property that makes tokens of a provider acceptable. */
export const bearerSource = ({
  values,
}: ObjectPlan): readonly [string, { readonly position: LinePosition }] | undefined =>
  [...values].find(([name]) => bearerElements.has(name));

/** Bearer logins never create users. A file that configures both gets a warning. */
function warnOfBearerCreation({ objects, listeners }: PlannedObject, registry: Registry, findings: Findings): void {
  const listener = listeners.find((each) => isInstanceOf(each, ownClasses.userCreation, registry));
  if (!listener) return;
  for (const filter of objects.declared.values()) {
    if (!isInstanceOf(filter, ownClasses.bearerFilter, registry)) continue;
    const set = bearerSource(filter);
    if (!set) continue;
    const message = `Expected either ${listener.name} or a configured ${filter.name}, because bearer logins create no users: ${quoted(`${filter.name}.${set[0]}`)} besides line ${listener.position.line}`;
    findings.warning('bearer-creation', set[1].position, message);
  }
}

/** Addresses of documents that name their issuer. */
const namesIssuer = /\/\.well-known\/(?:openid-configuration|oauth-authorization-server)(?:[/?]|$)/;

/** Keys tell who signed a token, and several issuers of one provider may share them. */
function warnOfAnyIssuer({ objects }: PlannedObject, registry: Registry, findings: Findings): void {
  for (const filter of objects.declared.values()) {
    const { name, values } = filter;
    if (!isInstanceOf(filter, ownClasses.bearerFilter, registry) || values.has('issuer')) continue;
    const keys = values.get('x509Certificate') ?? values.get('publicKey') ?? values.get('federationMetadataURI');
    if (!keys || namesIssuer.test(String(keys.value))) continue;
    const message = `Expected ${name}.issuer, because nothing else says whose tokens count: tokens of any issuer with these keys do`;
    findings.warning('any-issuer', keys.position, message);
  }
}

/** Whether the API may change the bearer configuration: only if each bearer filter of the file says or leaves it so. */
export function allowsConfigUpdate(objects: Objects, registry: Registry): boolean {
  const filters = [...objects.declared.values()].filter((plan) =>
    isInstanceOf(plan, ownClasses.bearerFilter, registry),
  );
  const allows = ({ values, table }: ObjectPlan): boolean => {
    const set = values.get('allowConfigUpdate');
    return (set ? set.value : table.get('allowConfigUpdate')?.fallback) === true;
  };
  return filters.length > 0 && filters.every(allows);
}
