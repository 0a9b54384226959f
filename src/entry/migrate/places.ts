/** Path and query behind the address of an API. Only `at` makes one: a text of the other side is a part of a path, and never a path. */
export class Path {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A name that no path can have. */
export class BadName extends Error {}

type Part = Path | URLSearchParams | string | number;

/**
 * A path with ids, names and values in it: at`/item/${id}/access?first=${1}`. Each is one segment or one value, whatever
 * characters it has. Only a path that was made here begins another one.
 */
export function at(pieces: TemplateStringsArray, ...parts: readonly Part[]): Path {
  let text = pieces[0]!;
  for (const [index, part] of parts.entries()) {
    if (part instanceof Path) {
      if (text !== '') throw new Error(`Expected a path at the beginning of another one: "${part.text}"`);
      text = part.text;
    } else if (part instanceof URLSearchParams) text += part.toString();
    else text += text.includes('?') ? encodeURIComponent(part) : segmentOf(part);
    text += pieces[index + 1];
  }
  return new Path(text);
}

/**
 * Dot segments are resolved before a request is sent, also as %2e, and nothing can escape them. Proxies resolve those
 * between escaped slashes, too.
 */
const noSegment = /^$|[\0-\x1f\x7f]|(?:^|[/\\])\.{1,2}(?:[/\\]|$)/;

function segmentOf(name: unknown): string {
  const isName = (typeof name === 'string' || typeof name === 'number') && !noSegment.test(String(name));
  if (!isName) throw new BadName(`Expected a name or an id: ${JSON.stringify(String(name).slice(0, 80))}`);
  return encodeURIComponent(name);
}

/** A path with more parameters in its query. */
export const withQuery = ({ text }: Path, query: string): Path =>
  new Path(query === '' ? text : `${text}${text.includes('?') ? '&' : '?'}${query}`);

/** A path with a parameter in its last segment. */
export const withMatrix = ({ text }: Path, name: string, value: string | number): Path =>
  new Path(`${text};${name}=${encodeURIComponent(value)}`);

/** First segments of the paths of an API, where the original calls itself by another address than we do. */
const roots = ['API', 'APInoauth'];

/**
 * Segments of an address in an answer, behind the root of its API. Undefined: it is no address of that API. The request
 * goes to the API that we were told of, whatever host the answer names. `address`: of the API.
 */
export function segmentsIn(uri: string, address: string): readonly string[] | undefined {
  const url = URL.canParse(uri, `${address}/`) ? new URL(uri, `${address}/`) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  // A backslash is a slash for some readers and a letter for others.
  if (/[\\\0-\x1f\x7f]/.test(uri)) return undefined;
  const own = `${new URL(address).pathname}/`;
  const segments = url.pathname.split('/').slice(1);
  const isOwn = url.origin === new URL(address).origin && url.pathname.startsWith(own);
  const root = isOwn ? own.split('/').length - 3 : segments.findIndex((segment) => roots.includes(segment));
  return root < 0 ? undefined : segments.slice(root + 1);
}

/**
 * Name or id in an entry of a list, which may be an address. A name that is not in an address has any characters.
 * Undefined: it is an address of another place.
 */
export function nameIn(entry: string, address: string): string | undefined {
  if (!/^(?:[a-z][a-z\d+.-]*:)?\//i.test(entry)) return entry;
  const last = segmentsIn(entry, address)?.filter(Boolean).at(-1);
  return last === undefined ? undefined : decoded(last);
}

/** A segment without its escapes. Undefined: they are none. */
export const decoded = (segment: string): string | undefined =>
  /^(?:[^%]|%[0-9a-f]{2})*$/i.test(segment) ? tryDecode(segment) : undefined;

function tryDecode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** An address of the API of the target. Its answers name no host, or one that does not matter. */
const here = 'http://localhost/API';

/** Id in the list that the target answers for what it has made. */
export function idHere({ uri = [] }: { readonly uri?: readonly string[] | undefined }): string {
  const id = nameIn(uri[0] ?? '', here);
  if (!id) throw new Error('Expected the id of what was made here');
  return id;
}

export const segmentsHere = (uri: string) => segmentsIn(uri, here);
