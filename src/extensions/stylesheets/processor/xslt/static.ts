import { StylesheetFails, shown } from '../fails.ts';
import { type Node, scopeOf, uriOf } from '../tree/node.ts';
import type { SequenceType } from '../xpath/ast.ts';
import { compileExpression } from '../xpath/compile.ts';
import { parts } from '../xpath/lexer.ts';
import { parseType } from '../xpath/parse-types.ts';
import { compilePattern, type Pattern } from '../xpath/pattern.ts';
import type { Compute, StaticContext } from '../xpath/static-context.ts';
import type { Instruction } from './instruction.ts';
import { attributesOf, xslUri } from './names.ts';

/** Variables of one content, by the place where each is set first. */
interface Level {
  readonly places: Map<string, number>;
  count: number;
}

/**
 * Variables visible to an element: earlier ones of its content, and those of its ancestors. Never copied, because a
 * content may set thousands.
 */
class Variables {
  readonly #level: Level | undefined;
  readonly #seen: number;
  readonly #around: Variables | undefined;

  constructor(level: Level | undefined, seen: number, around: Variables | undefined) {
    this.#level = level;
    this.#seen = seen;
    this.#around = around;
  }

  knows(name: string): boolean {
    for (let at: Variables | undefined = this; at; at = at.#around) {
      const place = at.#level?.places.get(name);
      if (place !== undefined && place < at.#seen) return true;
    }
    return false;
  }

  /** For an element within: what it sets stays in it. */
  within(): Variables {
    return this.#level === undefined ? this : new Variables(undefined, 0, this);
  }

  with(name: string): Variables {
    // A sibling scope has added variables to the level already, so this one begins a new level.
    const isLast = this.#level !== undefined && this.#level.count === this.#seen;
    const level = isLast ? this.#level! : { places: new Map<string, number>(), count: 0 };
    if (!level.places.has(name)) level.places.set(name, level.count);
    level.count++;
    return new Variables(level, level.count, isLast || this.#level === undefined ? this.#around : this);
  }
}

const noVariables = new Variables(undefined, 0, undefined);

export const isXsl = (node: Node, ...names: string[]): boolean =>
  node.kind === 'element' && node.name.uri === xslUri && (names.length === 0 || names.includes(node.name.local));

/** Names known in the whole stylesheet. */
export interface StaticNames {
  /** Compiles an element. Injected, because elements are recursive. */
  compileElement(place: Static): Instruction;
  readonly globals: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  readonly templates: ReadonlySet<string>;
  readonly attributeSets: ReadonlySet<string>;
  /** Namespace aliases, from the stylesheet to the result. */
  readonly aliases: ReadonlyMap<string, { readonly prefix: string; readonly uri: string }>;
}

/** An element of a stylesheet, with all that holds where it stands. */
export class Static implements StaticContext {
  readonly node: Node;
  readonly known: StaticNames;
  readonly isOld: boolean;
  readonly defaultValue: string;
  readonly #variables: Variables;
  /** A property, so that it can be passed alone. */
  readonly uriOf: (prefix: string) => string | undefined;
  readonly knows: (variable: string) => boolean;
  readonly knowsFunction: (key: string) => boolean;

  constructor(node: Node, known: StaticNames, variables: Variables = noVariables) {
    this.node = node;
    this.known = known;
    this.#variables = variables;
    this.isOld = Number(standardOf(node, 'version') ?? '2.0') < 2;
    this.defaultValue = standardOf(node, 'xpath-default-namespace') ?? '';
    this.uriOf = (prefix) => uriOf(node, prefix);
    this.knows = (name) => variables.knows(name) || known.globals.has(name);
    this.knowsFunction = (key) => known.functions.has(key);
  }

  /** Context of a descendant. */
  within(node: Node): Static {
    return new Static(node, this.known, this.#variables.within());
  }

  knowing(name: string): Static {
    return new Static(this.node, this.known, this.#variables.with(name));
  }

  /** Attribute of the element. */
  attribute(name: string): string | undefined {
    return this.node.attribute(name);
  }

  flag(name: string): boolean {
    const text = this.attribute(name)?.trim();
    if (text === undefined || text === 'no' || text === 'false' || text === '0') return false;
    if (text === 'yes' || text === 'true' || text === '1') return true;
    throw new StylesheetFails(`Expected "yes" or "no" in ${name}: found ${shown(text)}`);
  }

  expression(name: string): Compute | undefined {
    const source = this.attribute(name);
    return source === undefined ? undefined : this.#located(name, () => compileExpression(source, this));
  }

  pattern(name: string): readonly Pattern[] | undefined {
    const source = this.attribute(name);
    return source === undefined ? undefined : this.#located(name, () => compilePattern(source, this));
  }

  type(): SequenceType | undefined {
    const source = this.attribute('as');
    return source === undefined ? undefined : this.#located('as', () => parseType(source, this));
  }

  /** The name of a variable, a template or a mode, as it is known by. */
  name(text: string): string {
    const [prefix, local] = parts(text.trim());
    if (!isNcName(local)) throw new StylesheetFails(`Expected a name: found ${shown(text)}`);
    if (prefix === '') return local;
    const uri = this.uriOf(prefix);
    if (uri === undefined) throw new StylesheetFails(`Expected a namespace for the prefix ${shown(prefix)}`);
    return `{${uri}}${local}`;
  }

  #located<T>(attribute: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw located(error, this.node, attribute);
    }
  }
}

/** Standard attribute of the element or its nearest ancestor. */
function standardOf(node: Node, name: string): string | undefined {
  for (let at: Node | undefined = node; at; at = at.parent) {
    const attributeText = at.name.uri === xslUri ? at.attribute(name) : at.attribute(name, xslUri);
    if (attributeText !== undefined && at.kind === 'element') return attributeText;
  }
  return undefined;
}

/** Adds the line of the element to a failure. */
export function located(error: unknown, node: Node, attribute?: string): unknown {
  if (!(error instanceof StylesheetFails) || error.line !== undefined) return error;
  const { prefix, local } = node.name;
  const element = prefix === '' ? local : `${prefix}:${local}`;
  return new StylesheetFails(
    `${error.message}, in ${attribute === undefined ? '' : `${attribute} of `}<${element}>`,
    node.line,
  );
}

const ncName = /^[\p{L}_][\p{L}\p{N}\p{M}_.\-·]*$/u;
export const isNcName = (text: string): boolean => ncName.test(text);

export function checkAttributes(node: Node): void {
  const row = attributesOf[node.name.local]!;
  for (const name of row) {
    if (name.startsWith('!') && node.attribute(name.slice(1)) === undefined) {
      throw new StylesheetFails(`Expected the attribute "${name.slice(1)}"`);
    }
  }
  for (const { name, value } of node.attributes) {
    if (name.uri === xslUri) throw new StylesheetFails(`Expected no attribute "${name.prefix}:${name.local}"`);
    const isKnown = name.uri !== '' || row.includes(name.local) || row.includes(`!${name.local}`);
    if (!isKnown) throw new StylesheetFails(`Expected no attribute "${name.local}": found ${shown(value)}`);
  }
}

/** Addresses that prefixes of a list stand for. */
export function addressesOf(list: string | undefined, node: Node): readonly string[] {
  const names = (list ?? '').split(/\s+/).filter((each) => each !== '');
  return names.flatMap((name) => {
    if (name === '#all') return [...scopeOf(node).values()];
    const uri = uriOf(node, name === '#default' ? '' : name);
    if (uri === undefined) throw new StylesheetFails(`Expected a namespace for the prefix ${shown(name)}`);
    return [uri];
  });
}
