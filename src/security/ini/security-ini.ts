import type { ComponentKind } from '../../spi/index.ts';
import { type ChainOptions, type ChainPlan, planChains } from './chains/plan.ts';
import { type Finding, Findings, type LinePosition } from './findings.ts';
import { referencedClasses as classesOf, readAccounts } from './objects/accounts.ts';
import { warnOfBlockedPaths } from './objects/blocked-paths.ts';
import { buildObjects, firstPosition, type Objects, plan } from './objects/build.ts';
import {
  creationOrder,
  filtersOf,
  listenersOf,
  realmsOf,
  requireProperties,
  strategyOf,
  warnOfUnusedUsers,
} from './objects/finish.ts';
import { allowsConfigUpdate, checkRequirements } from './objects/requirements.ts';
import { checkRoles } from './objects/roles.ts';
import { hintAtSecrets } from './objects/secrets.ts';
import type { ObjectPlan } from './objects/types.ts';
import type { Registry } from './registry.ts';
import { readIni } from './sections.ts';
import type { RealmStrategy } from './security-parts.ts';

/**
 * The objects of a kind that the service itself asks for, in the order of the file: actions, storage schemes. Behind
 * them those that plugins bring and that need no configuration: a plugin in its folder is enough.
 */
function offeredOf(kind: ComponentKind, { declared }: Objects, registry: Registry): readonly ObjectPlan[] {
  const own = [...declared.values()].filter(({ entry }) => entry.kind === kind);
  const components = new Set(own.map(({ entry }) => entry.component));
  const others = [...registry.names()].flatMap((name) => {
    const entry = registry.find(name);
    if (entry?.kind !== kind || components.has(entry.component)) return [];
    const needs = [...entry.table.values()].some(({ required }) => required);
    return needs ? [] : [plan(name, entry, firstPosition, { implicit: true })];
  });
  return [...own, ...others];
}

/** Content of a security.ini, validated without creating objects. */
export interface Blueprint {
  readonly file: string;
  /** Objects in the order of creation: after the objects that they refer to. */
  readonly objects: readonly ObjectPlan[];
  readonly realms: readonly ObjectPlan[];
  readonly strategy: RealmStrategy;
  readonly listeners: readonly ObjectPlan[];
  readonly logins: readonly ObjectPlan[];
  readonly actions: readonly ObjectPlan[];
  readonly storages: readonly ObjectPlan[];
  readonly searchEngines: readonly ObjectPlan[];
  readonly probers: readonly ObjectPlan[];
  readonly transcoders: readonly ObjectPlan[];
  readonly chains: readonly ChainPlan[];
  readonly caseInsensitive: boolean;
  readonly allowConfigUpdate: boolean;
}

export interface IniOptions extends Partial<ChainOptions> {
  /** False: a part of a configuration is read, so the service realm and the token filter may be missing. */
  readonly whole?: boolean;
  /** True: values that should be secrets are warnings. */
  readonly hints?: boolean | undefined;
}

export interface ReadIni {
  /** Missing when there is an error among the findings. */
  readonly blueprint: Blueprint | undefined;
  readonly findings: readonly Finding[];
}

export function readSecurityIni(text: string, file: string, registry: Registry, options: IniOptions = {}): ReadIni {
  const { canonicalPattern = (pattern) => pattern, whole = true, hints } = options;
  const findings = new Findings(file);
  const ini = readIni(text, file, findings);
  const objects = buildObjects(ini, registry, readAccounts(ini, findings), findings);
  const chains = planChains(ini, objects, { canonicalPattern }, findings);
  const realms = realmsOf(objects, findings);
  const listeners = listenersOf(objects);
  const offered = (kind: ComponentKind) => (whole ? offeredOf(kind, objects, registry) : []);
  const [logins, actions, storages] = [offered('logins'), offered('actions'), offered('storages')];
  const [probers, transcoders, searchEngines] = [offered('probers'), offered('transcoders'), offered('searchEngines')];
  warnOfUnusedUsers(ini, objects, realms, findings);
  const planned = { ini, objects, realms, listeners, chains };
  if (whole) {
    checkRequirements(planned, registry, findings);
    warnOfBlockedPaths(planned, registry, findings);
  }
  checkRoles(planned, registry, findings);
  const planOrder = creationOrder(
    [
      ...objects.declared.values(),
      ...[...realms, ...listeners, ...filtersOf(chains)],
      ...[...logins, ...actions, ...storages, ...searchEngines, ...probers, ...transcoders],
    ],
    findings,
  );
  for (const plan of planOrder) requireProperties(plan, findings);
  if (hints) for (const plan of planOrder) hintAtSecrets(plan, findings);
  const blueprint: Blueprint = {
    file,
    objects: planOrder,
    realms,
    strategy: strategyOf(objects),
    listeners,
    logins,
    actions,
    storages,
    searchEngines,
    probers,
    transcoders,
    chains,
    caseInsensitive: objects.resolver.values.get('caseInsensitive')?.value === true,
    allowConfigUpdate: allowsConfigUpdate(objects, registry),
  };
  return { blueprint: findings.failed ? undefined : blueprint, findings: findings.list() };
}

/** The classes that a file names, with their positions: the plugin loader fetches those that are files or packages. */
export function referencedClasses(
  text: string,
): readonly { readonly className: string; readonly position: LinePosition }[] {
  const ignored = new Findings('');
  return classesOf(readIni(text, '', ignored), ignored).map(({ className, entry }) => ({
    className,
    position: entry.valuePosition(),
  }));
}
