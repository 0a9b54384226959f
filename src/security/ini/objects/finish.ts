import type { ChainPlan } from '../chains/plan.ts';
import type { Findings } from '../findings.ts';
import type { Ini } from '../sections.ts';
import type { RealmStrategy } from '../security-parts.ts';
import type { Objects } from './build.ts';
import { strategyClasses } from './builtins.ts';
import { isBag, isObjectPlan, type ObjectPlan, type PlannedValue, type PropertyValues } from './types.ts';

/** `securityManager.realms` in its order, else every realm in the order of the file. */
export function realmsOf({ manager, declared }: Objects, findings: Findings): readonly ObjectPlan[] {
  const list = manager.values.get('realms');
  const one = manager.values.get('realm');
  if (list && one) {
    const message = `Expected either securityManager.realms or securityManager.realm: both (line ${list.position.line})`;
    findings.error('realms', one.position, message);
  }
  if (list) return list.value as readonly ObjectPlan[];
  if (one) return isObjectPlan(one.value) ? [one.value] : [];
  return [...declared.values()].filter(({ entry }) => entry.kind === 'realms');
}

/** The users of `[users]` can log in only where their realm is asked. */
export function warnOfUnusedUsers(ini: Ini, objects: Objects, realms: readonly ObjectPlan[], findings: Findings): void {
  const section = ini.sections.get('users');
  if (!section || realms.some(({ name, given }) => name === 'iniRealm' && given.size > 0)) return;
  const list = objects.manager.values.get('realms') ?? objects.manager.values.get('realm');
  const reason = list ? `line ${list.position.line} lists others` : 'iniRealm is of another class';
  findings.warning(
    'unused-users',
    section.position,
    `Expected $iniRealm among the realms, because there are [users]: ${reason}`,
  );
}

const kinds = new Map<string, RealmStrategy['kind']>(
  Object.entries(strategyClasses).map(([kind, className]) => [className, kind as RealmStrategy['kind']]),
);

export const hasStrategy = ({ manager }: Objects): boolean => authenticatorOf(manager).has('authenticationStrategy');

export function strategyOf({ manager }: Objects): RealmStrategy {
  const plan = authenticatorOf(manager).get('authenticationStrategy')?.value;
  const kind = isObjectPlan(plan) ? kinds.get(plan.entry.className) : undefined;
  if (kind !== 'first') return { kind: kind ?? 'at-least-one' };
  return { kind, stop: (plan as ObjectPlan).values.get('stopAfterFirstSuccess')?.value === true };
}

export const listenersOf = ({ manager }: Objects): readonly ObjectPlan[] =>
  (authenticatorOf(manager).get('authenticationListeners')?.value ?? []) as readonly ObjectPlan[];

function authenticatorOf(manager: ObjectPlan): PropertyValues['values'] {
  const plan = manager.values.get('authenticator')?.value;
  return isObjectPlan(plan) ? plan.values : new Map();
}

/**
 * The objects that are made, each after those that it refers to: all that the file defines, and what chains and
 * references add. Objects that refer to each other in a circle cannot be made.
 */
export function creationOrder(roots: Iterable<ObjectPlan>, findings: Findings): readonly ObjectPlan[] {
  const order: ObjectPlan[] = [];
  const state = new Map<ObjectPlan, 'open' | 'done'>();
  const visit = (plan: ObjectPlan, path: readonly ObjectPlan[]): void => {
    if (state.get(plan) === 'done') return;
    // Far below what the stack bears; no configuration is nested like this.
    if (path.length > 100) {
      findings.error(
        'reference-depth',
        plan.position,
        'Expected chains of at most 100 references between objects: a longer one',
      );
      return;
    }
    if (state.get(plan) === 'open') {
      const circle = [...path.slice(path.indexOf(plan)), plan].map(({ name }) => name).join(' -> ');
      findings.error('reference-circle', plan.position, `Expected references without a circle: ${circle}`);
      return;
    }
    state.set(plan, 'open');
    for (const next of referencesOf(plan)) visit(next, [...path, plan]);
    state.set(plan, 'done');
    if (plan.entry.component) order.push(plan);
  };
  for (const root of roots) visit(root, []);
  return order;
}

/** Objects that an object refers to directly. */
export function* referencesOf(bag: PropertyValues): Generator<ObjectPlan> {
  for (const { value } of bag.values.values()) yield* plansIn(value);
}

function* plansIn(value: PlannedValue): Generator<ObjectPlan> {
  if (isObjectPlan(value)) yield value;
  else if (isBag(value)) yield* referencesOf(value);
  else if (Array.isArray(value)) yield* value.filter(isObjectPlan);
}

export function* filtersOf(chains: readonly ChainPlan[]): Generator<ObjectPlan> {
  for (const { steps } of chains) for (const { filter } of steps) yield filter;
}

/** Reports required properties that are not set. */
export function requireProperties(plan: ObjectPlan, findings: Findings): void {
  const missing = (bag: PropertyValues, path: string) => {
    for (const [name, property] of bag.table) {
      const planned = bag.values.get(name);
      if (isBag(planned?.value)) missing(planned.value, `${path}.${name}`);
      if (!property.required || (planned && planned.value !== undefined) || plan.given.has(name)) continue;
      const message = `Expected ${path}.${name}, which ${plan.entry.className} cannot do without: it is not set`;
      findings.error('missing-property', plan.position, message);
    }
  };
  missing(plan, plan.name);
}
