import { ServiceError } from '../../core/lib/errors.ts';
import { type Attribute, attributesAlong, attributesOf, type ResourceKind, stepsOf } from './attributes.ts';
import { type Filter, fits, readFilter, relativeTo } from './filter.ts';
import { bounded, isList, isObject, isSame, type Json, type JsonObject, readValue, valueNamed } from './json.ts';

/** Step of a PATCH request (RFC 7644, section 3.5.2). */
export interface Operation {
  readonly op: 'add' | 'remove' | 'replace';
  /** Empty where the value has the attributes. */
  readonly path: string;
  /** Undefined: the value has the attributes. */
  readonly target: Target | undefined;
  readonly value: Json;
}

interface Target {
  readonly along: readonly Attribute[];
  /** Chooses among the values of the attribute before `sub`. */
  readonly filter: Filter | undefined;
  readonly sub: Attribute | undefined;
}

const maxOperations = 1_000;
const words: ReadonlySet<string> = new Set(['add', 'remove', 'replace']);

/** Cost of a filter over so many values, by its length. */
const costOf = (path: string, values: number): number => 500 + path.length * (20 + values);

/** Operations as providers send them: some capitalise their words. */
export function* operationsOf(body: JsonObject, kind: ResourceKind): Generator<number, readonly Operation[]> {
  const list = valueNamed(body, 'Operations');
  if (!isList(list) || list.length === 0 || list.length > maxOperations)
    throw badSyntax('Operations', `a list of 1 to ${maxOperations} operations`);
  const operations: Operation[] = [];
  for (const each of list) {
    const operation = operationOf(each, kind);
    operations.push(operation);
    yield costOf(operation.path, 0);
  }
  return operations;
}

export function badSyntax(context: string, expected: string): ServiceError {
  return new ServiceError('bad-document', { context, explanation: `Expected ${expected}` });
}

function operationOf(sent: Json, kind: ResourceKind): Operation {
  if (!isObject(sent)) throw badSyntax('Operations', 'operations that are objects');
  const word = valueNamed(sent, 'op');
  const op = typeof word === 'string' ? word.toLowerCase() : '';
  if (!isWord(op)) throw badSyntax('op', 'add, remove or replace');
  const path = valueNamed(sent, 'path') ?? '';
  if (typeof path !== 'string') throw badPath('a text', '');
  const value = valueNamed(sent, 'value');
  if (path !== '') return { op, path, target: targetOf(path, kind), value };
  if (op === 'remove')
    throw new ServiceError('no-target', { context: 'path', explanation: 'Expected a path to remove' });
  if (!isObject(value)) throw badSyntax('value', 'an object with attributes, where there is no path');
  return { op, path, target: undefined, value };
}

const isWord = (text: string): text is Operation['op'] => words.has(text);

function badPath(expected: string, value: string): ServiceError {
  return new ServiceError('bad-path', {
    context: 'path',
    explanation: `Expected ${expected}`,
    value: value.slice(0, 80),
  });
}

/** `attribute`, `attribute.sub`, `attribute[filter]` or `attribute[filter].sub`. Undefined: no attribute of the kind. */
function readTarget(path: string, kind: ResourceKind): Target | undefined {
  const [, name = '', condition, subName] = /^([^[\]]+)(?:\[(.*)\](?:\.([\w$-]+))?)?$/su.exec(path.trim()) ?? [];
  if (name === '') throw badPath('an attribute, perhaps with a filter in brackets', path);
  const along = attributesAlong(kind, stepsOf(name, kind));
  if (!along) return undefined;
  if (condition === undefined) return { along, filter: undefined, sub: undefined };
  if (along.at(-1)?.multiValued !== true) throw badPath('an attribute with several values before the brackets', path);
  const filter = relativeTo(readFilter(condition, kind, along), along.length);
  const sub = subName === undefined ? undefined : along.at(-1)!.subAttributes?.find((each) => isNamed(each, subName));
  if (subName !== undefined && !sub) throw badPath('an attribute of the values after the brackets', path);
  return { along, filter, sub };
}

const isNamed = ({ name }: Attribute, text: string): boolean => name.toLowerCase() === text.toLowerCase();

function targetOf(path: string, kind: ResourceKind): Target | undefined {
  const target = readTarget(path, kind);
  if (!target) throw badPath(`an attribute of ${kind.name}`, path);
  checkChangeable(target, path);
  return target;
}

function checkChangeable({ along }: Target, path: string): void {
  if (along.at(0)?.mutability !== 'readOnly') return;
  const explanation = 'Expected an attribute that providers may change';
  throw new ServiceError('value-fixed', { context: 'path', explanation, value: path.slice(0, 80) });
}

/**
 * Operations without a path as operations with one, and a cost after each name. What the kind does not have, or keeps to
 * itself, is passed over.
 */
export function* withTargets(operation: Operation, kind: ResourceKind): Generator<Operation | number> {
  const { op, target, value } = operation;
  if (target) return yield operation;
  for (const [name, each] of Object.entries(value as JsonObject)) {
    yield costOf(name, 0);
    if (isList(each) && each.length === 0 && op === 'add') continue;
    const named = readTarget(name, kind);
    if (named && isObject(each) && named.along.length === 1 && named.along[0]!.name === kind.extension?.name)
      yield* withTargets({ op, path: '', target: undefined, value: below(name, each) }, kind);
    else if (named && named.along[0]?.mutability !== 'readOnly') yield { op, path: name, target: named, value: each };
  }
}

const below = (schema: string, value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, each]) => [`${schema}:${name}`, each]));

/** Whether more than the label of a value is left. */
const saysAnything = (value: JsonObject): boolean =>
  Object.entries(value).some(([name, each]) => each !== undefined && name !== 'type' && name !== 'primary');

/** A resource after operations. */
export function* patched(
  resource: JsonObject,
  operations: readonly Operation[],
  kind: ResourceKind,
): Generator<number, JsonObject> {
  let state = resource;
  for (const operation of operations) {
    for (const each of withTargets(operation, kind)) {
      if (typeof each === 'number') {
        yield each;
        continue;
      }
      const current = state[each.target!.along[0]!.name];
      state = changed(state, each.op, each.target!, each.value);
      yield costOf(each.path, isList(current) ? current.length : 0);
    }
  }
  return state;
}

function changed(object: JsonObject, op: Operation['op'], { along, filter, sub }: Target, value: Json): JsonObject {
  const [attribute, ...rest] = along as [Attribute, ...Attribute[]];
  const { name } = attribute;
  const current = object[name];
  if (rest.length > 0)
    return { ...object, [name]: changedBelow(attribute, current, op, { along: rest, filter, sub }, value) };
  if (filter) return { ...object, [name]: amongValues(attribute, current, op, { filter, sub }, value) };
  return { ...object, [name]: attributeAfter(attribute, current, op, value) };
}

function changedBelow(attribute: Attribute, current: Json, op: Operation['op'], target: Target, value: Json): Json {
  if (!attribute.multiValued) return orNone(changed(isObject(current) ? current : {}, op, target, value));
  const list = isList(current) ? current : [];
  return orNone(list.map((each) => changed(isObject(each) ? each : {}, op, target, value)));
}

/** Nothing left is no value. */
function orNone(value: Json): Json {
  if (isList(value)) return value.length > 0 ? value : undefined;
  return isObject(value) && Object.values(value).every((each) => each === undefined) ? undefined : value;
}

function attributeAfter(attribute: Attribute, current: Json, op: Operation['op'], value: Json): Json {
  const sent = readValue(attribute, value);
  if (op === 'remove') return attribute.multiValued && sent !== undefined ? without(current, sent) : undefined;
  if (attribute.multiValued) {
    if (op === 'replace' || !isList(current)) return sent;
    const added = (isList(sent) ? sent : []).filter((each) => !current.some((one) => isSame(one, each)));
    return bounded([...current, ...added], attribute.name);
  }
  return isObject(current) && isObject(sent) ? { ...current, ...sent } : sent;
}

/** Values but those that some providers name beside the path. */
function without(current: Json, values: Json): Json {
  const gone = isList(values) ? values : [values];
  const isGone = (one: Json) =>
    gone.some(
      (each) => isObject(each) && isObject(one) && Object.keys(each).every((key) => isSame(each[key], one[key])),
    );
  return orNone((isList(current) ? current : []).filter((one) => !isGone(one)));
}

interface Among {
  readonly filter: Filter;
  readonly sub: Attribute | undefined;
}

/** Changes the values that a filter chooses. Providers replace a work address that is not there yet: it is added. */
function amongValues(
  attribute: Attribute,
  current: Json,
  op: Operation['op'],
  { filter, sub }: Among,
  value: Json,
): Json {
  const list = isList(current) ? current : [];
  const chosen = new Set(list.filter((each) => fits(each, filter)));
  if (op === 'remove' && !sub) return orNone(list.filter((each) => !chosen.has(each)));
  const after = (each: JsonObject): JsonObject => {
    if (sub) return { ...each, [sub.name]: op === 'remove' ? undefined : readValue(sub, value) };
    const sent = readValue({ ...attribute, multiValued: undefined } as unknown as Attribute, value);
    return isObject(sent) ? { ...each, ...sent } : each;
  };
  if (chosen.size > 0) {
    const values = list.map((each) => (isObject(each) && chosen.has(each) ? after(each) : each));
    return orNone(values.filter((each) => !isObject(each) || saysAnything(each)));
  }
  if (op === 'remove') return current;
  const { kind } = filter;
  if (kind === 'compare' && filter.by === 'eq' && filter.along.length === 1)
    return bounded([...list, after({ [filter.along[0]!.name]: filter.value })], attribute.name);
  throw new ServiceError('no-target', { context: 'path', explanation: 'Expected a filter that chooses a value' });
}

/** All attributes that a kind has, of a body that may have others. */
export function resourceFrom(body: JsonObject, kind: ResourceKind): JsonObject {
  const entries = attributesOf(kind)
    .filter(({ mutability }) => mutability !== 'readOnly')
    .map((attribute) => [attribute.name, readValue(attribute, valueNamed(body, attribute.name))] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
