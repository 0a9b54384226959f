import { ServiceError } from '../core/lib/errors.ts';
import { noParameters, Parameters } from './parameters.ts';

/** Parsed request target: the path that filters AND routes see, and its parameters. */
interface Target {
  readonly path: string;
  /** Host and port of an absolute target, which take precedence over the header `Host`. */
  readonly authority: string | undefined;
  /** Removed prefix of the path: `/API`, or empty. */
  readonly root: string;
  readonly parameters: Parameters;
  /** Path as sent, for filters that check its spelling. */
  readonly rawPath: string;
  readonly query: string | undefined;
}

/** Common prefix: `{base}/API/whoami` and `{base}/whoami` are the same. */
const apiRoot = 'API';

/** Path without anything to decode, resolve or collapse, which all parsers read alike. No segment begins with a dot. */
const plain = /^(?:\/[A-Za-z0-9_~@+=,:$!*'()&-][A-Za-z0-9._~@+=,:$!*'()&-]*)+$/;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whether a route declares each segment opaque that holds an escape in this path. */
export type TakesOpaque = (path: string) => boolean;

const takesNone: TakesOpaque = () => false;

/**
 * The only place where a request target becomes a path. If chains matched another form than routes, a spelling such as
 * `/public/..;/admin` would reach a handler past its chain.
 * This function refuses forms that two readers could take for two paths. In a segment that a route declares opaque,
 * separators stay escaped, in one spelling: chains and routes see one segment, and only the handler sees the text.
 */
export function canonicalTarget(raw: string, takesOpaque: TakesOpaque = takesNone): Target {
  if (raw.includes('#')) throw refused('Expected a target without a fragment', raw);
  const [target, authority] = originForm(raw);
  const question = target.indexOf('?');
  const rawPath = question < 0 ? target : target.slice(0, question);
  const pairs: [string, string][] = [];
  const whole = plain.test(rawPath) ? rawPath : resolve(rawPath, pairs, takesOpaque);
  const path = withoutApiRoot(whole);
  const root = path === whole ? '' : `/${apiRoot}`;
  const matrix = pairs.length;
  if (question >= 0) readPairs(target.slice(question + 1), '&', true, pairs);
  const query = question < 0 ? undefined : target.slice(question + 1);
  const parameters = pairs.length > 0 ? new Parameters(pairs, matrix) : noParameters;
  return { path, authority, root, rawPath, query, parameters };
}

/** The path of a pattern in `[urls]`, in the same spelling as the paths it is compared with. */
export function canonicalPattern(pattern: string): string {
  const spelled = pattern.replace(/%(?:25|2f|3b|5c)/gi, (escaped) => escaped.toUpperCase());
  return withoutApiRoot(spelled.startsWith('/') ? spelled : `/${spelled}`);
}

function originForm(raw: string): readonly [target: string, authority?: string | undefined] {
  if (raw.startsWith('/')) return [raw];
  if (raw === '*') return ['/'];
  const absolute = /^https?:\/\/([^/?#\\]+)/i.exec(raw);
  if (!absolute) throw refused('Expected a path that begins with a slash', raw);
  const rest = raw.slice(absolute[0].length);
  return [rest.startsWith('/') ? rest : `/${rest}`, absolute[1]];
}

function withoutApiRoot(path: string): string {
  if (path === `/${apiRoot}`) return '/';
  return path.startsWith(`/${apiRoot}/`) ? path.slice(apiRoot.length + 1) : path;
}

interface Segment {
  readonly name: string;
  /**
   * Creates the error for a segment that no route takes as opaque. A function, since a path may have thousands of
   * segments.
   */
  readonly doubt: (() => ServiceError) | undefined;
  /** Parameters of the segment, which `..` removes with it. */
  readonly pairs: readonly [string, string][];
}

function resolve(rawPath: string, pairs: [string, string][], takesOpaque: TakesOpaque): string {
  const segments: Segment[] = [];
  let previousEmpty = false;
  for (const [index, segment] of rawPath.split('/').entries()) {
    if (index === 0) continue;
    const semicolon = segment.indexOf(';');
    const rawName = semicolon < 0 ? segment : segment.slice(0, semicolon);
    const own: [string, string][] = [];
    if (semicolon >= 0) readPairs(segment.slice(semicolon + 1), ';', false, own);
    if (rawName === '.' || rawName === '..') {
      if (semicolon >= 0) throw refused('Expected no parameters on a dot segment', segment);
      if (rawName === '..') {
        // `/a//../b` is `/a/b` to those who keep empty segments and `/b` to those who do not.
        if (previousEmpty) throw refused('Expected no empty segment before `..`', rawPath);
        const removed = segments.pop();
        if (!removed) throw refused('Expected a path below the root', rawPath);
        // A reader that decodes first removes only a part of the segment.
        if (removed.doubt) throw removed.doubt();
      }
    } else if (rawName === '') {
      pairs.push(...own);
    } else {
      segments.push({ ...readSegment(rawName), pairs: own });
    }
    previousEmpty = rawName === '';
  }
  for (const segment of segments) pairs.push(...segment.pairs);
  const path = `/${segments.map((segment) => segment.name).join('/')}`;
  const doubt = segments.find((segment) => segment.doubt)?.doubt;
  if (doubt && !takesOpaque(withoutApiRoot(path))) throw doubt();
  return path;
}

type Form = readonly [form: RegExp, what: string];

/** Characters that, once decoded, another reader would take for syntax: separators, a further escape. */
const syntax: readonly Form[] = [
  [/\//, 'an encoded slash'],
  [/\\/, 'a backslash'],
  [/%/, 'an encoded percent sign'],
  [/;/, 'an encoded semicolon'],
];

const separator = /[/\\]|%(?:25)*(?:2f|5c)/i;
/** Dot segment, also with parameters, and for a reader who decodes more than once. */
const dotPart = /^(?:\.|%(?:25)*2e){1,2}(?:$|;|%(?:25)*3b)/i;

/** A segment between slashes, without its parameters. */
function readSegment(rawName: string): Pick<Segment, 'name' | 'doubt'> {
  const name = decode(rawName);
  const doubtful = (what: string) =>
    refused(`Expected a segment without ${what}, which could mean two things`, rawName);
  if (/[\0-\x1f\x7f]/.test(name)) throw doubtful('a control character');
  // Parsers of addresses take it for a slash.
  if (rawName.includes('\\')) throw doubtful('a backslash');
  const what = syntax.find(([form]) => form.test(name))?.[1];
  if (what === undefined && !/^\.{1,2}$/.test(name)) return { name, doubt: undefined };
  if (name.split(separator).some((part) => dotPart.test(part))) throw doubtful('an encoded dot segment');
  return { name: name.replace(/[%/;\\]/g, encodeURIComponent), doubt: () => doubtful(what!) };
}

function readPairs(text: string, separator: string, plusIsSpace: boolean, into: [string, string][]): void {
  for (const part of text.split(separator)) {
    if (part === '') continue;
    const spaced = plusIsSpace ? part.replaceAll('+', ' ') : part;
    const equals = spaced.indexOf('=');
    const name = decode(equals < 0 ? spaced : spaced.slice(0, equals));
    const value = equals < 0 ? '' : decode(spaced.slice(equals + 1));
    // A database would cut a text there.
    if (/%00|\0/.test(part) && /\0/.test(name + value))
      throw refused('Expected parameters without a NUL character', name);
    if (name !== '') into.push([name, value]);
  }
}

/** Percent-decoding, once. Raw characters above ASCII are the bytes that the socket delivered. */
function decode(text: string): string {
  if (!/[^\0-\x24\x26-\x7f]/.test(text)) return text;
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) throw refused('Expected two hexadecimal digits after a percent sign', text);
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0xff) throw refused('Expected percent-encoding for characters above U+00FF', text);
    if (code === 0x25) {
      bytes.push(Number.parseInt(text.slice(i + 1, i + 3), 16));
      i += 2;
    } else bytes.push(code);
  }
  try {
    return utf8.decode(Uint8Array.from(bytes));
  } catch {
    throw refused('Expected UTF-8', text);
  }
}

function refused(explanation: string, actual: string): ServiceError {
  return new ServiceError('bad-target', { context: 'request target', explanation, value: actual.slice(0, 80) });
}
