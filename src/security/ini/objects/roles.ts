import { nearest } from '../../../core/lib/messages.ts';
import { type Findings, quoted } from '../findings.ts';
import type { Registry } from '../registry.ts';
import { splitQuoted } from '../split.ts';
import { bearerSource, isInstanceOf, type PlannedObject } from './requirements.ts';
import type { ObjectPlan } from './types.ts';

/** Filters that require a caller, and authenticate nobody. */
const asking = ['portico.RolesFilter', 'portico.PermissionsFilter', 'portico.RestFilter', 'portico.UserFilter'];
/** Filters that neither require a caller nor authenticate. All others may authenticate. */
const passing = [
  'portico.AnonymousFilter',
  'portico.InvalidRequestFilter',
  'portico.IpFilter',
  'portico.LogoutFilter',
  'portico.NoSessionCreationFilter',
  'portico.PortFilter',
  'portico.RateLimitFilter',
  'portico.SslFilter',
];

/** Filters that authenticate, and never by a password. Others of plugins may take one. */
const takingTokens = ['portico.TokenFilter', 'portico.SessionFilter', 'portico.OAuth2Filter'];

/** Warns of chains that no caller can pass, of those without a login by password, and of roles that no chain requires. */
export function checkRoles(planned: PlannedObject, registry: Registry, findings: Findings): void {
  const isOne = (classes: readonly string[]) => (filter: ObjectPlan) =>
    classes.some((className) => isInstanceOf(filter, className, registry));
  warnOfMissingLogins(planned, isOne(asking), isOne([...asking, ...passing]), findings);
  const isOfProvider = (filter: ObjectPlan) =>
    isOne(['portico.OAuth2Filter'])(filter) && bearerSource(filter) !== undefined;
  const takesPassword = (filter: ObjectPlan) => !isOne([...asking, ...passing, ...takingTokens])(filter);
  warnOfMissingPasswords(
    planned,
    isOne(takingTokens),
    (filter) => takesPassword(filter) || isOfProvider(filter),
    findings,
  );
  warnOfUnknownRoles(planned, isOne(['portico.RolesFilter']), findings);
}

type Test = (filter: ObjectPlan) => boolean;

function warnOfMissingLogins({ chains }: PlannedObject, asks: Test, lacksLogin: Test, findings: Findings): void {
  for (const { pattern, steps } of chains) {
    const at = steps.findIndex(({ filter }) => asks(filter));
    const step = steps[at];
    if (!step || !steps.slice(0, at).every(({ filter }) => lacksLogin(filter))) continue;
    const message = `Expected a filter that logs in ahead of ${step.filter.name}, such as authcBasic: the chain of ${quoted(pattern)} refuses everybody`;
    findings.warning('no-login', step.position, message);
  }
}

/**
 * Warns where nobody can log in with a password on the chain for all other paths, so that nobody gets a first token. A file
 * that configures another provider of tokens means it so.
 */
function warnOfMissingPasswords({ chains }: PlannedObject, takesToken: Test, logsIn: Test, findings: Findings): void {
  // A chain that could not be read whole may have lost its login.
  if (findings.failed) return;
  const last = chains.find(({ pattern }) => pattern === '/**');
  if (!last?.steps.some(({ filter }) => takesToken(filter)) || last.steps.some(({ filter }) => logsIn(filter))) return;
  const message = `Expected authcBasic at the end of the chain of ${quoted(last.pattern)}: nobody can log in there with a password`;
  findings.warning('no-password', last.position, message);
}

/** A misspelt role has no permissions, and no chain asks for it. */
function warnOfUnknownRoles({ ini, chains }: PlannedObject, asksForRoles: Test, findings: Findings): void {
  const steps = chains.flatMap((chain) => chain.steps).filter(({ filter }) => asksForRoles(filter));
  const knownRoles = new Set([
    ...(ini.sections.get('roles')?.entries ?? []).map(({ key }) => key),
    ...steps.flatMap(({ words = [] }) => words),
  ]);
  // A file without roles gives its users names and no rights: there is nothing to misspell.
  if (knownRoles.size === 0) return;
  for (const { key, value, position } of ini.sections.get('users')?.entries ?? []) {
    const [, ...roles] = splitQuoted(value).tokens;
    for (const { text } of roles) {
      // Roles of the service are known to it, and not to the file.
      if (text === '' || text.startsWith('_') || knownRoles.has(text)) continue;
      const message = `Expected a role of [roles], or one that a chain asks for, for the user ${quoted(key)}: ${quoted(text)}`;
      findings.warning('unknown-role', position, message, nearest(text, knownRoles));
    }
  }
}
