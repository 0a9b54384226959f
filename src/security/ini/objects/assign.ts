import { endOf } from '../../../core/lib/ends.ts';
import { nearest } from '../../../core/lib/messages.ts';
import { type Findings, type LinePosition, quoted } from '../findings.ts';
import type { IniEntry } from '../scan.ts';
import { withoutWork } from './builtins.ts';
import { type ConversionProblem, convertValue, type ObjectScope } from './convert.ts';
import {
  hasReference,
  isBag,
  isObjectPlan,
  kindNames,
  type ObjectPlan,
  type OurProperty,
  type PlannedValue,
  type PropertyValues,
  propertyTable,
} from './types.ts';

interface Step {
  readonly name: string;
  /** Key in brackets: `map[key]`. */
  readonly key?: string;
}

/** Parses `a.b.c` and `a.map[key]`. Dots in brackets belong to the key. */
function parsePath(path: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let rest = path;
  while (true) {
    const [all, name, key] = /^([^.[\]]+)(?:\[([^\]]*)\])?/.exec(rest) ?? [];
    if (all === undefined) return undefined;
    steps.push(key === undefined ? { name: name! } : { name: name!, key });
    rest = rest.slice(all.length);
    if (rest === '') return steps;
    if (!rest.startsWith('.')) return undefined;
    rest = rest.slice(1);
  }
}

/** Sets one property of one object as a statement says, or adds what is wrong with it. */
export function assign(owner: ObjectPlan, path: string, entry: IniEntry, scope: ObjectScope, findings: Findings): void {
  const steps = parsePath(path);
  if (!steps) {
    findings.error(
      'property-path',
      entry.position,
      `Expected object.property or object.map[key]: ${quoted(entry.key)}`,
    );
    return;
  }
  let bag: PropertyValues = owner;
  let holder: ObjectPlan = owner;
  for (const [index, step] of steps.entries()) {
    const property = bag.table.get(step.name);
    if (!property) {
      unknownProperty(bag, holder, step, index === steps.length - 1, entry, findings);
      return;
    }
    if (typeof property.type === 'object' && 'stateless' in property.type) {
      hasNoWork(entry, property.says.replace(/\.$/, ''), findings);
      return;
    }
    if (property.ends) {
      const ends = { ...property.ends, instead: quoted(property.ends.instead) };
      findings.warning('deprecated', entry.position, endOf(quoted(step.name), ends));
    }
    if (index === steps.length - 1) {
      setValue(holder, bag, step, property, entry, scope, findings);
      return;
    }
    const next = descend(bag, step, property);
    if (!next) {
      const message = `Expected an object in ${quoted(step.name)} whose properties can be set: none so far`;
      findings.error('nested-nothing', entry.position, message);
      return;
    }
    if (!bag.values.has(step.name)) bag.values.set(step.name, { value: next, position: entry.position });
    bag = next;
    if (isObjectPlan(next)) holder = next;
  }
}

function descend(bag: PropertyValues, { name, key }: Step, { type }: OurProperty): PropertyValues | undefined {
  const value = bag.values.get(name)?.value;
  if (key !== undefined) return undefined;
  if (isObjectPlan(value) || isBag(value)) return value;
  return typeof type === 'object' && 'nested' in type
    ? { table: propertyTable(type.nested), values: new Map() }
    : undefined;
}

function setValue(
  holder: ObjectPlan,
  bag: PropertyValues,
  step: Step,
  property: OurProperty,
  entry: IniEntry,
  scope: ObjectScope,
  findings: Findings,
): void {
  const converted =
    step.key === undefined
      ? convertValue(property.type, entry.value, scope)
      : mapEntry(bag, step, property, entry.value, scope);
  if ('problem' in converted) {
    add(converted.problem, entry, findings);
    return;
  }
  const { value } = converted;
  if (hasReference(value) && !holder.entry.component) {
    const message = `Expected a value in ${quoted(entry.key)}, because only components have secrets: the name of one`;
    findings.error('secret', entry.valuePosition(), message);
    return;
  }
  // The text of a secret is checked when it is opened.
  const sentence = hasReference(value) ? undefined : checked(property, value, secretsOf(property, value, entry.value));
  if (sentence !== undefined) {
    findings.error('value', entry.valuePosition(), sentence);
    return;
  }
  bag.values.set(step.name, { value, position: entry.position });
}

function add({ code, message, nearest: near, at }: ConversionProblem, entry: IniEntry, findings: Findings): void {
  findings.error(code, entry.valuePosition(at), message, near);
}

function mapEntry(
  bag: PropertyValues,
  { name, key }: Step,
  { type, fallback }: OurProperty,
  text: string,
  scope: ObjectScope,
): ReturnType<typeof convertValue> {
  if (type !== 'map') {
    const message = `Expected brackets on a map only: "${name}" is none (a list is written whole, with commas)`;
    return { problem: { code: 'property-path', message } };
  }
  const read = convertValue('string', text, scope);
  if ('problem' in read) {
    return { problem: { ...read.problem, message: `Expected a text for the entry ${quoted(key!)}: a reference` } };
  }
  // An entry comes besides those that are there, be it by the component's own fallback.
  const before = bag.values.get(name)?.value ?? fallback ?? {};
  const entries = before instanceof Map ? before : Object.entries(before);
  return { value: new Map<string, unknown>([...entries, [key!, read.value]]) };
}

/** Runs the component's own check of a value. Its sentence may quote the value, so secrets are removed. */
export function checked(property: OurProperty, value: PlannedValue, secrets: readonly unknown[]): string | undefined {
  if (!property.check || value === undefined) return undefined;
  let sentence: string | undefined;
  try {
    sentence = property.check(value);
  } catch {
    sentence = 'the component could not look at it';
  }
  if (typeof sentence !== 'string' || sentence === '') return undefined;
  if (secrets.some((secret) => typeof secret === 'string' && secret !== '' && sentence?.includes(secret))) {
    sentence = 'the component refuses this secret';
  }
  sentence = sentence.replace(/\.$/, '');
  return /^Expected /.test(sentence) ? sentence : `Expected a value that the component can use: ${sentence}`;
}

/** Maps hold passwords as often as not. */
function secretsOf({ type }: OurProperty, value: PlannedValue, text: string): readonly unknown[] {
  if (value instanceof Map) return [...value.values()];
  return type === 'secret' ? [text] : [];
}

function unknownProperty(
  bag: PropertyValues,
  holder: ObjectPlan,
  step: Step,
  last: boolean,
  entry: IniEntry,
  findings: Findings,
): void {
  const { kind, className } = holder.entry;
  if (kind === 'unknown') return;
  // Property of every filter of the original.
  if (kind === 'filters' && bag === holder && last && step.name === 'enabled') {
    switchFilter(holder, entry, findings);
    return;
  }
  const reason = bag === holder ? withoutWork.get(step.name) : undefined;
  if (reason !== undefined) {
    hasNoWork(entry, reason, findings);
    return;
  }
  const properties = [...bag.table.keys()];
  const has = properties.length === 0 ? 'which has none' : `which has ${properties.join(', ')}`;
  const message = `Expected a property of ${holder.name} (${kindNames[kind]}, ${className}), ${has}: ${quoted(step.name)}`;
  findings.error('unknown-property', entry.position, message, nearest(step.name, properties));
}

function switchFilter(filter: ObjectPlan, entry: IniEntry, findings: Findings): void {
  const read = convertValue('boolean', entry.value, { find: () => undefined, missing: () => ({ found: '' }) });
  if ('problem' in read) {
    add(read.problem, entry, findings);
    return;
  }
  filter.enabled = read.value === true;
  if (filter.enabled) return;
  const message = `Expected a filter that is at work: ${filter.name} is switched off here, so everything passes it`;
  findings.warning('filter-off', entry.position, message);
}

export function hasNoWork(
  at: { readonly position: LinePosition; readonly key: string },
  reason: string,
  findings: Findings,
): void {
  const message = `Expected nothing about sessions, cookies, caches and form login, which this stateless service does not have: ${quoted(at.key)} is left aside (${reason})`;
  findings.warning('stateless', at.position, message);
}
