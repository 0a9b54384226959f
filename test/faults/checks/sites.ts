import { readdirSync, readFileSync } from 'node:fs';

/** A place in the sources where a right is asked for, and what it is without that. */
export interface Site {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The same place, where the check is left out. */
  readonly without: string;
  /** Set if the place is a declaration of a route, which is read once: its check is left out when it runs. */
  readonly declared?: true;
}

/** By the name of each function that asks for rights: what a call of it becomes, from its arguments. */
const calls: Readonly<Record<string, (args: readonly string[]) => string>> = {
  mustHave: nothing,
  mustHaveSome: nothing,
  mustHaveShapes: nothing,
  mustHaveTags: nothing,
  mustHaveLocked: nothing,
  mayRead: nothing,
  mayWrite: nothing,
  requireLevel: nothing,
  isReadableBy: () => 'true',
  isEditorOf: () => 'true',
  askingOf: () => '({ administrator: true, userId: undefined })',
  accessOf: () => '({ administrator: true, userId: undefined, contexts: undefined })',
  viewerFor: () => '({ administrator: true, userId: undefined, contexts: undefined })',
  readableAmong: (args) => `new Set(${args[3]})`,
  havingAmong: (args) => `new Set(${args[3]})`,
  shapesAllowed: (args) => `Promise.resolve(${args[2]})`,
  shapesToRead: (args) => `Promise.resolve(${args[2]})`,
};

function nothing(): string {
  return 'undefined';
}

const call = new RegExp(
  `(?<![\\w#.]|function )(?:kind\\.|items\\.)?(${Object.keys(calls).join('|')})(?:\\?\\.)?\\(`,
  'g',
);
/**
 * A level among the arguments of a call about a request, or where a method chooses it. A refusal only names it. What is in
 * front is read for levels alone: at each character of the sources it takes half a minute.
 */
const level =
  /(?='(?:WRITE|ALL|OWNER)')(?<!\blacking\([^()]*)(?<=\w\([^;{}]*\bcall(?:er)?\b(?:[^;{}]|\{[^;{}]*\})*, |'READ' : )'(WRITE|ALL|OWNER)'(?=[,)\s])/g;
const below: Readonly<Record<string, string>> = { READ: "'NONE'", WRITE: "'READ'", ALL: "'WRITE'", OWNER: "'ALL'" };
/** Entities with a level, as routes declare them: `item('READ')`, `itemAt(store)('READ')`, `shapesAt(store).shape('READ')`. */
const declaration =
  /(?<!\w|[^.]\.)(?:\w+At\([\w.]*\)(?:\.\w+)?|guardedEntity\([^()]*\)|(?:at|place|kind|shapes)\.\w+!?|\w*[eE]ntit(?:y|ies)(?:Of)?|entryAt|item|collection|library)\((?:place, )?'(READ|WRITE|ALL|OWNER)'[^()]*\)/g;

/** Names of all places where a right is asked for. */
export const everyPlace = (): readonly string[] =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `src/${path}`)
    .toSorted()
    .flatMap((file) => sitesIn(file, readFileSync(file, 'utf8')).map(({ name }) => name));

/** Every place in a file where a right is asked for. The functions that ask have none in themselves. */
export function sitesIn(file: string, code: string): readonly Site[] {
  if (/^src\/(assets\/access\/(access|viewer)\.ts$|core\/documents\/)/.test(file)) return [];
  const found: Site[] = [];
  const add = (start: number, end: number, without: string, more?: Pick<Site, 'declared'>): void => {
    const text = `${file} ${code.slice(start, end).replace(/\s+/g, ' ')}`;
    const before = found.filter(({ name }) => name === text || name.startsWith(`${text} #`)).length;
    found.push({ name: before === 0 ? text : `${text} #${before + 1}`, start, end, without, ...more });
  };
  const isComment = (at: number): boolean =>
    /^\s*(\/\/|\*|\/\*\*)/.test(code.slice(code.lastIndexOf('\n', at) + 1, at));
  for (const match of code.matchAll(call)) {
    const start = match.index;
    if (isComment(start)) continue;
    const { end, args } = argumentsAt(code, start + match[0].length);
    // A declaration has types among its parameters, or a block behind them.
    if (/^\s*\{/.test(code.slice(end)) || args.some((each) => /^\w+\??:/.test(each))) continue;
    add(start, end, calls[match[1]!]!(args));
  }
  for (const match of code.matchAll(level)) add(match.index, match.index + match[0].length, below[match[1]!]!);
  for (const match of code.matchAll(declaration)) {
    if (isComment(match.index)) continue;
    const [text, level] = match;
    const without = text.replace(`'${level}'`, below[level!]!);
    add(match.index, match.index + text.length, without, { declared: true });
  }
  return found;
}

/** Arguments between the parentheses of a call, and the position where they end. */
function argumentsAt(code: string, from: number): { readonly end: number; readonly args: readonly string[] } {
  const args: string[] = [];
  let depth = 0;
  let quote = '';
  let begun = from;
  for (let at = from; at < code.length; at++) {
    const char = code[at]!;
    if (quote !== '') {
      if (char === quote && code[at - 1] !== '\\') quote = '';
    } else if (char === "'" || char === '`' || char === '"') quote = char;
    else if ('([{'.includes(char)) depth++;
    else if (char === ',' && depth === 0) {
      args.push(code.slice(begun, at).trim());
      begun = at + 1;
    } else if (')]}'.includes(char) && --depth < 0)
      return { end: at + 1, args: [...args, code.slice(begun, at).trim()] };
  }
  throw new Error(`Expected the end of a call behind "${code.slice(from, from + 40)}"`);
}
