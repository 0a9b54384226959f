import { parseDateTime } from '../../core/documents/index.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { type Attribute, attributesAlong, lastModified, type ResourceKind, type Steps, stepsOf } from './attributes.ts';
import { isList, isObject, type Json, type JsonObject, valueNamed } from './json.ts';

/** Filters of RFC 7644, section 3.4.2.2. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | { readonly kind: 'present'; readonly along: readonly Attribute[] }
  | { readonly kind: 'compare'; readonly along: readonly Attribute[]; readonly by: Comparison; readonly value: Scalar }
  | { readonly kind: 'among'; readonly along: readonly Attribute[]; readonly filter: Filter };

type Scalar = string | number | boolean | null;
type Ordered = string | number | boolean;

const comparisons = {
  eq: (one, other) => one === other,
  ne: (one, other) => one !== other,
  co: (one, other) => typeof one === 'string' && typeof other === 'string' && one.includes(other),
  sw: (one, other) => typeof one === 'string' && typeof other === 'string' && one.startsWith(other),
  ew: (one, other) => typeof one === 'string' && typeof other === 'string' && one.endsWith(other),
  gt: (one, other) => typeof one === typeof other && one > other,
  ge: (one, other) => typeof one === typeof other && one >= other,
  lt: (one, other) => typeof one === typeof other && one < other,
  le: (one, other) => typeof one === typeof other && one <= other,
} as const satisfies Record<string, (one: Ordered, other: Ordered) => boolean>;

type Comparison = keyof typeof comparisons;

const maxLength = 2_000;
const maxDepth = 16;

const form = /\s*(?:([()[\]])|("(?:[^"\\\p{Cc}]|\\.)*")|([^\s()[\]"]+))/uy;

export function badFilter(expected: string, value: string): ServiceError {
  return new ServiceError('bad-filter', {
    context: 'filter',
    explanation: `Expected ${expected}`,
    value: value.slice(0, 80),
  });
}

/** Words, brackets and quoted texts of a filter, in order. */
function tokensOf(text: string): readonly string[] {
  if (text.length > maxLength) throw badFilter(`at most ${maxLength} characters`, text);
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  form.lastIndex = 0;
  while (form.lastIndex < end) {
    const at = form.lastIndex;
    const match = form.exec(text);
    if (!match) throw badFilter('a filter of RFC 7644', text.slice(at));
    tokens.push(match[0].trimStart());
  }
  return tokens;
}

/** Reads a filter of a kind of resources. `within`: an attribute whose values it is about. */
export function readFilter(text: string, kind: ResourceKind, within: readonly Attribute[] = []): Filter {
  const tokens = tokensOf(text);
  let at = 0;
  let depth = 0;
  const filter = either(within);
  if (at < tokens.length) throw badFilter('"and", "or" or the end', tokens[at]!);
  return filter;

  function nested<T>(read: () => T): T {
    if (++depth > maxDepth) throw badFilter(`at most ${maxDepth} levels of brackets`, text);
    const result = read();
    depth--;
    return result;
  }

  function take(word: string): boolean {
    if (tokens[at]?.toLowerCase() !== word) return false;
    at++;
    return true;
  }

  function close(bracket: string): void {
    if (!take(bracket)) throw badFilter(`"${bracket}"`, tokens[at] ?? 'the end');
  }

  function either(inside: readonly Attribute[]): Filter {
    return joined('or', () => joined('and', () => single(inside)));
  }

  function joined(word: 'and' | 'or', read: () => Filter): Filter {
    const parts = [read()];
    while (take(word)) parts.push(read());
    return parts.length === 1 ? parts[0]! : { kind: word, parts };
  }

  function single(inside: readonly Attribute[]): Filter {
    if (take('not')) {
      close('(');
      return { kind: 'not', part: inBrackets(inside) };
    }
    return take('(') ? inBrackets(inside) : comparison(inside);
  }

  function inBrackets(inside: readonly Attribute[]): Filter {
    const filter = nested(() => either(inside));
    close(')');
    return filter;
  }

  function comparison(inside: readonly Attribute[]): Filter {
    const name = tokens[at++] ?? 'the end';
    const along = [...inside, ...alongOf(name, inside)];
    if (inside.length === 0 && take('[')) {
      const chosen = relativeTo(
        nested(() => either(along)),
        along.length,
      );
      close(']');
      return { kind: 'among', along, filter: withRest(chosen, along) };
    }
    return test(along);
  }

  /** The filter in brackets with the comparison that some providers write behind them, of the chosen values. */
  function withRest(chosen: Filter, along: readonly Attribute[]): Filter {
    const sub = tokens[at];
    if (!sub?.startsWith('.')) return chosen;
    at++;
    return { kind: 'and', parts: [chosen, test(alongOf(sub.slice(1), along))] };
  }

  function test(along: readonly Attribute[]): Filter {
    if (take('pr')) return { kind: 'present', along };
    const by = (tokens[at++] ?? 'the end').toLowerCase();
    if (!isComparison(by)) throw badFilter(`"pr" or one of ${Object.keys(comparisons).join(', ')}`, by);
    return { kind: 'compare', along, by, value: valueFor(along.at(-1)!, scalarOf(tokens[at++] ?? 'the end')) };
  }

  function alongOf(name: string, inside: readonly Attribute[]): readonly Attribute[] {
    const steps: Steps =
      inside.length > 0 ? [...inside.map((each) => each.name), ...name.split('.')] : stepsOf(name, kind);
    const along = attributesAlong(kind, steps);
    if (!along) throw badFilter(`an attribute of ${kind.name}`, name);
    return along.slice(inside.length);
  }
}

/** A filter of values, whose paths begin at the value. */
export function relativeTo(filter: Filter, depth: number): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, parts: filter.parts.map((part) => relativeTo(part, depth)) };
    case 'not':
      return { kind: 'not', part: relativeTo(filter.part, depth) };
    default:
      return { ...filter, along: filter.along.slice(depth) };
  }
}

const isComparison = (word: string): word is Comparison => Object.hasOwn(comparisons, word);

function scalarOf(token: string): Scalar {
  try {
    const value: unknown = JSON.parse(/^(?:true|false|null)$/i.test(token) ? token.toLowerCase() : token);
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Scalar;
  } catch {
    // A word without quotes is no value.
  }
  throw badFilter('a value in double quotes, a number, true, false or null', token);
}

/** A value as its attribute is compared: times as numbers, and booleans that some providers send as texts. */
function valueFor({ type }: Attribute, value: Scalar): Scalar {
  if (type === 'boolean' && typeof value === 'string' && /^(?:true|false)$/i.test(value))
    return value.toLowerCase() === 'true';
  if (type !== 'dateTime' || value === null) return value;
  const time = typeof value === 'string' ? parseDateTime(value) : undefined;
  if (time === undefined) throw badFilter('a date and time such as "2030-01-31T12:00:00Z"', String(value));
  return time;
}

/** Values of a resource at a path. The value of one of several is that of its attribute `value`. */
function valuesAt(resource: Json, along: readonly Attribute[]): readonly Json[] {
  let values: Json[] = [resource];
  for (const { name } of along) {
    const below: Json[] = [];
    for (const each of values) {
      const value = isObject(each) ? valueNamed(each, name) : undefined;
      if (isList(value)) below.push(...value);
      else below.push(value);
    }
    values = below.filter((each) => each !== undefined && each !== null);
  }
  return values;
}

/** Whether a resource, or a value of one, fits. */
export function fits(resource: Json, filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => fits(resource, part));
    case 'or':
      return filter.parts.some((part) => fits(resource, part));
    case 'not':
      return !fits(resource, filter.part);
    case 'present':
      return valuesAt(resource, filter.along).length > 0;
    case 'among':
      return valuesAt(resource, filter.along).some((each) => fits(each, filter.filter));
    case 'compare':
      return compares(resource, filter);
  }
}

function compares(resource: Json, { along, by, value }: Extract<Filter, { kind: 'compare' }>): boolean {
  const values = valuesAt(resource, along).map((each) => (isObject(each) ? (each as JsonObject)['value'] : each));
  if (value === null) return by === 'eq' ? values.length === 0 : by === 'ne' && values.length > 0;
  const last = along.at(-1);
  if (last?.type === 'dateTime') return values.some((each) => comparisons[by](Date.parse(String(each)), value));
  const exact = last?.caseExact === true;
  const folded = <T>(each: T) => (typeof each === 'string' && !exact ? each.toLowerCase() : each);
  if (by === 'ne' && values.length === 0) return true;
  return values.some((each) => isScalar(each) && comparisons[by](folded(each), folded(value)));
}

const isScalar = (value: Json): value is Ordered => ['string', 'number', 'boolean'].includes(typeof value);

/** Values that the filter demands of an attribute, so that an index can find what may fit. */
export function demanded(filter: Filter): ReadonlyMap<string, string> {
  const parts = filter.kind === 'and' ? filter.parts : [filter];
  const pairs = parts.flatMap((part) => {
    if (part.kind === 'and') return [...demanded(part)];
    const isOne = part.kind === 'compare' && part.by === 'eq' && part.along.length === 1;
    return isOne && typeof part.value === 'string' ? [[part.along[0]!.name, part.value] as const] : [];
  });
  return new Map(pairs);
}

/** Bounds of `meta.lastModified`, inclusive, of a filter that asks for nothing else. */
export interface Times {
  readonly from: number;
  readonly until: number;
}

const bounds: Partial<Record<Comparison, (time: number) => Partial<Times>>> = {
  gt: (time) => ({ from: time + 1 }),
  ge: (time) => ({ from: time }),
  lt: (time) => ({ until: time - 1 }),
  le: (time) => ({ until: time }),
};

/** Undefined: the filter asks for something else. */
export function timesIn(filter: Filter): Times | undefined {
  let times: Times = { from: 0, until: Number.MAX_SAFE_INTEGER };
  for (const part of filter.kind === 'and' ? filter.parts : [filter]) {
    if (part.kind !== 'compare' || part.along.at(-1)?.name !== lastModified) return undefined;
    const { from = 0, until = times.until } = bounds[part.by]?.(part.value as number) ?? {};
    if (!bounds[part.by]) return undefined;
    times = { from: Math.max(times.from, from), until: Math.min(times.until, until) };
  }
  return times;
}

/** Whether a filter asks for an attribute, anywhere. */
export function namesAttribute(filter: Filter, name: string): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.some((part) => namesAttribute(part, name));
    case 'not':
      return namesAttribute(filter.part, name);
    default:
      return filter.along[0]?.name === name;
  }
}

/**
 * Texts that an attribute with several values is compared with by `eq`. Throws where the filter asks anything else of it:
 * only these values are read.
 */
export function soughtIn(filter: Filter, name: string, isInside = false): readonly string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.flatMap((part) => soughtIn(part, name, isInside));
    case 'not':
      return soughtIn(filter.part, name, isInside);
    case 'among':
      return filter.along[0]?.name === name ? soughtIn(filter.filter, name, true) : [];
    default: {
      const [first, second] = filter.along;
      if (!isInside && first?.name !== name) return [];
      const sub = isInside ? first : second;
      if (
        filter.kind === 'compare' &&
        filter.by === 'eq' &&
        typeof filter.value === 'string' &&
        (sub?.name ?? 'value') === 'value'
      )
        return [filter.value];
      throw badFilter(`"eq" with an id on ${name}`, name);
    }
  }
}
