import { hiding } from '../../../core/lib/secret.ts';
import {
  hasReference,
  isBag,
  isObjectPlan,
  type ObjectPlan,
  type OpenedSecrets,
  type PlannedValue,
  type PropertyValues,
} from './types.ts';

/** Objects and secrets that properties refer to. */
export interface Referred {
  readonly created: ReadonlyMap<ObjectPlan, unknown>;
  readonly secrets: OpenedSecrets;
}

/**
 * Properties for `create`: values of the file, defaults, secrets and created objects. Undefined if a required object was
 * not created, or a secret not opened.
 */
export function propertiesOf(plan: ObjectPlan, referred: Referred): object | undefined {
  const properties = bagOf(plan, referred);
  return (
    properties && Object.fromEntries([...Object.entries(properties), ...setProperties(plan, properties, referred)])
  );
}

/** Users of a section are merged with those of the property. */
const setProperties = (plan: ObjectPlan, properties: object, { secrets }: Referred): [string, unknown][] =>
  [...plan.given].map(([name, value]) => {
    const own: unknown = Object.hasOwn(properties, name) ? Reflect.get(properties, name) : undefined;
    if (!(value instanceof Map)) return [name, value];
    const opened = [...value].map(([key, each]) => [key, secrets.values.get(each) ?? each] as const);
    return [name, new Map([...(own instanceof Map ? own : []), ...opened])];
  });

function bagOf({ table, values }: PropertyValues, referred: Referred): object | undefined {
  const pairs: [string, unknown][] = [];
  for (const [name, property] of table) {
    const planned = values.get(name);
    if (planned === undefined) {
      if (property.fallback !== undefined) pairs.push([name, property.fallback]);
      continue;
    }
    const value = resolved(planned.value, referred);
    if (value === undefined && planned.value !== undefined) return undefined;
    pairs.push([name, value]);
  }
  // Defines own properties, whatever a component calls them.
  return Object.fromEntries(pairs);
}

function resolved(value: PlannedValue, referred: Referred): unknown {
  const { created, secrets } = referred;
  if (isObjectPlan(value)) return created.get(value);
  if (isBag(value)) return bagOf(value, referred);
  if (hasReference(value)) return secrets.values.get(value);
  if (!Array.isArray(value)) return value;
  const items = value.map((item) => (isObjectPlan(item) ? created.get(item) : item));
  return items.includes(undefined) ? undefined : items;
}

const withheld = 'it says a sentence that cannot be shown, because it holds a secret';

/** A sentence of a component, which may quote what it was given. */
export const redacted = (sentence: string, plan: ObjectPlan, { texts }: OpenedSecrets): string =>
  hiding([...secretsOf(plan), ...(texts.get(plan) ?? [])], withheld)(sentence);

function* secretsOf(plan: ObjectPlan): Generator<string> {
  for (const { value } of plan.values.values()) yield* secretsIn(value);
  const users = plan.given.get('users');
  if (users instanceof Map)
    for (const [password] of users.values() as Iterable<readonly unknown[]>)
      if (typeof password === 'string' && password !== '') yield password;
}

function* secretsIn(value: PlannedValue): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Map)
    yield* [...value.values()].filter((each): each is string => typeof each === 'string' && each !== '');
  else if (isBag(value)) for (const inner of value.values.values()) yield* secretsIn(inner.value);
  else if (isObjectPlan(value)) yield* secretsOf(value);
  else if ('reveal' in value) yield value.reveal();
}
