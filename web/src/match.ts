export type Params = Readonly<Record<string, string>>;
export type Query = Readonly<Record<string, string>>;

/** `/item/{id}` and the path below `/ui`. Undefined: another page. */
export function match(pattern: string, path: string): Params | undefined {
  const patternParts = pattern.split('/');
  const pathParts = path.split('/');
  if (patternParts.length !== pathParts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of patternParts.entries()) {
    const text = decodeSegment(pathParts[index]!);
    if (part.startsWith('{')) {
      if (text === '') return undefined;
      params[part.slice(1, -1)] = text;
    } else if (part !== text) return undefined;
  }
  return params;
}

/** The path below `/ui`, without a slash at its end. */
export const below = (pathname: string): string => pathname.replace(/^\/ui(?=\/|$)/, '').replace(/\/+$/, '') || '/';

export const queryOf = (search: string): Query => Object.fromEntries(new URLSearchParams(search));

/** `?a=b` of the values that are there, in the order of their names. */
export function searchOf(query: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => (pair[1] ?? '') !== '');
  const text = new URLSearchParams(pairs).toString();
  return text === '' ? '' : `?${text}`;
}

/** `/item/{id}` with its values. */
export const pathOf = (pattern: string, params: Params): string =>
  pattern.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));

/** A segment that is no valid escape is taken as it is. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
