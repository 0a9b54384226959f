import { badParameter, text } from '../../http/parameters/index.ts';

/** Query parameter that selects parts of a document by their paths. */
export const pathView = {
  p: text(
    'Only these parts: comma-separated paths such as metadata.timespan[start=-INF].field[name=title].value.value. They replace content and filters',
  ),
};

interface Step {
  readonly name: string;
  /** Filters: only entries with these values. */
  readonly filters: readonly (readonly [name: string, value: string])[];
}

type ContentPath = readonly [Step, ...Step[]];

const maxPaths = 100;
const maxSteps = 20;
/** Identifying properties, which selected entries keep. */
const names = new Set(['id', 'name', 'start', 'end', 'track']);
const step = /^([A-Za-z][\w-]{0,63})((?:\[[\w-]{1,64}=[^\]]*\])*)$/;

/** Parses the parameter. `starts`: allowed first segments. */
export function pathsFrom(list: string, starts: ReadonlyMap<string, unknown>): readonly ContentPath[] {
  const paths = outside(list, ',').map(pathFrom);
  if (paths.length > maxPaths) throw badParameter('p', `Expected at most ${maxPaths} paths`, list);
  const other = paths.find(([first]) => !starts.has(first.name));
  if (other) throw badParameter('p', `Expected paths that begin with ${[...starts.keys()].join(', ')}`, other[0].name);
  return paths;
}

function pathFrom(path: string): ContentPath {
  const steps = outside(path.trim(), '.').map((part): Step => {
    const [, name, filters = ''] = step.exec(part) ?? [];
    if (name === undefined) throw badParameter('p', 'Expected names with points between, such as metadata.group', part);
    const pairs = [...filters.matchAll(/\[([\w-]+)=([^\]]*)\]/g)];
    return { name, filters: pairs.map(([, key, value]) => [key!, value!] as const) };
  });
  if (steps.length > maxSteps) throw badParameter('p', `Expected at most ${maxSteps} names in a path`, path);
  return steps as unknown as ContentPath;
}

/** Splits at separators outside brackets. */
function outside(list: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  for (let at = 0; at < list.length; at++) {
    const character = list[at];
    if (character === '[') depth++;
    else if (character === ']') depth--;
    else if (character === separator && depth === 0) {
      parts.push(list.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, list.slice(from)];
}

type Source = Readonly<Record<string, unknown>>;

/** Selected parts of a document, within the names of their parents. */
export function pruned<T extends object>(document: T, paths: readonly ContentPath[]): T {
  const content: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(document)) {
    const here = paths.filter(([first]) => first.name === key);
    const left = here.length > 0 ? partOf(value, here) : names.has(key) && isScalar(value) ? value : undefined;
    if (left !== undefined) content[key] = left;
  }
  return content as T;
}

const isScalar = (value: unknown): boolean => value !== null && typeof value !== 'object';

function partOf(value: unknown, paths: readonly ContentPath[]): unknown {
  if (Array.isArray(value)) return value.map((each) => partOf(each, paths)).filter((each) => each !== undefined);
  const fitting = paths.filter(([{ filters }]) => filters.every(([name, wanted]) => has(value, name, wanted)));
  if (fitting.length === 0) return undefined;
  const deeper = fitting.map(([, ...rest]) => rest as unknown as ContentPath);
  if (isScalar(value) || deeper.some((rest) => rest.length === 0)) return value;
  return pruned(value as object, deeper);
}

const has = (value: unknown, name: string, wanted: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.hasOwn(value, name) &&
  String((value as Source)[name]) === wanted;
