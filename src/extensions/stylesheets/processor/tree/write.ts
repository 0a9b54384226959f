import { escapeAttribute, escapeText, xmlCharacters } from '../../../../core/documents/escape.ts';
import type { Budget } from '../budget.ts';
import { StylesheetFails } from '../fails.ts';
import { expanded, type Name, type Node, qualified, xmlUri } from './node.ts';

/** Output format of xsl:output. */
export interface Form {
  readonly method: 'xml' | 'html' | 'text' | undefined;
  readonly indent: boolean | undefined;
  readonly omitsDeclaration: boolean;
  readonly standalone: string | undefined;
  readonly publicId: string | undefined;
  readonly systemId: string | undefined;
  /** Expanded names of elements whose text is written as CDATA. */
  readonly cdata: ReadonlySet<string>;
}

export const defaultForm: Form = {
  method: undefined,
  indent: undefined,
  omitsDeclaration: false,
  standalone: undefined,
  publicId: undefined,
  systemId: undefined,
  cdata: new Set(),
};

export interface Written {
  readonly text: string;
  readonly method: 'xml' | 'html' | 'text';
}

/** Longer results are of no use to a client that asked for metadata. */
const maxLength = 16 * 1024 * 1024;

function inBounds(text: string): string {
  if (text.length > maxLength) throw new StylesheetFails(`Expected a result of at most ${maxLength} characters`);
  return text;
}

/** Escaped at once: a text grows by five, and is counted before the next part of it grows. */
const piece = 64 * 1024;

/** End of a part of a text, without splitting a character or "]]>". */
function endOfPiece(text: string, from: number): number {
  const end = from + piece;
  if (end >= text.length) return text.length;
  for (const back of [2, 1]) if (text.startsWith(']]>', end - back)) return end - back;
  return /[\ud800-\udbff]/.test(text[end - 1]!) ? end - 1 : end;
}

const cdata = (text: string): string => text.replaceAll(']]>', ']]]]><![CDATA[>');

/** The text of a tree. */
export function writeTree(root: Node, form: Form, budget: Budget): Written {
  const first = root.children.find(({ kind }) => kind === 'element');
  const looksLikeHtml = first?.name.uri === '' && first.name.local.toLowerCase() === 'html';
  const method = form.method ?? (looksLikeHtml ? 'html' : 'xml');
  if (method === 'text') return { text: inBounds(root.text), method };
  const writer = new Writer(form, method === 'html', budget);
  return { text: writer.document(root, first), method };
}

const empties = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const asIs = new Set(['script', 'style']);

/** Cost of a prefix look-up, as a part of a step. */
const ofPrefix = 1 / 4;

/** Names and namespaces of a written element. */
interface Names {
  readonly scope: ReadonlyMap<string, string>;
  readonly declared: ReadonlyMap<string, string>;
  readonly names: readonly string[];
}

class Writer {
  readonly #form: Form;
  readonly #isHtml: boolean;
  readonly #indents: boolean;
  readonly #budget: Budget;
  readonly #parts: string[] = [];
  #length = 0;
  #made = 0;

  constructor(form: Form, isHtml: boolean, budget: Budget) {
    this.#form = form;
    this.#budget = budget;
    this.#isHtml = isHtml;
    this.#indents = form.indent ?? isHtml;
  }

  #put(text: string): void {
    this.#length += text.length;
    if (this.#length > maxLength) throw new StylesheetFails(`Expected a result of at most ${maxLength} characters`);
    this.#parts.push(text);
  }

  /** The budget knows the text: what escapes add to it is made here. */
  #escaped(text: string, refer: (part: string) => string): string {
    let escaped = '';
    for (let from = 0; from < text.length; ) {
      const end = endOfPiece(text, from);
      const part = refer(text.slice(from, end));
      const growth = part.length - (end - from);
      if (growth > 0) this.#budget.text(growth);
      escaped += part;
      from = end;
    }
    return escaped;
  }

  document(root: Node, first: Node | undefined): string {
    const { standalone, omitsDeclaration, publicId, systemId } = this.#form;
    if (!this.#isHtml && !omitsDeclaration) {
      this.#put(`<?xml version="1.0" encoding="UTF-8"${standalone ? ` standalone="${standalone}"` : ''}?>`);
      if (this.#indents) this.#put('\n');
    }
    let begun = false;
    for (const child of root.children) {
      if (child === first && (systemId !== undefined || (this.#isHtml && publicId !== undefined))) {
        const ids = publicId === undefined ? '' : ` PUBLIC "${escapeAttribute(publicId)}"`;
        const system =
          systemId === undefined ? '' : `${publicId === undefined ? ' SYSTEM' : ''} "${escapeAttribute(systemId)}"`;
        this.#put(`<!DOCTYPE ${qualified(first!.name)}${ids}${system}>\n`);
      }
      if (begun && this.#indents) this.#put('\n');
      begun = true;
      this.#node(child, new Map([['xml', xmlUri]]), 0, false);
    }
    return this.#parts.join('');
  }

  #node(node: Node, scope: ReadonlyMap<string, string>, level: number, isPlain: boolean): void {
    if (node.kind === 'element') this.#element(node, scope, level);
    else if (node.kind === 'text')
      this.#put(this.#escaped(node.value, node.raw || isPlain ? xmlCharacters : escapeText));
    else if (node.kind === 'comment') this.#put(`<!--${xmlCharacters(node.value)}-->`);
    else if (node.kind === 'processing-instruction') {
      this.#put(`<?${node.name.local} ${xmlCharacters(node.value)}${this.#isHtml ? '' : '?'}>`);
    }
  }

  #element(node: Node, outer: ReadonlyMap<string, string>, level: number): void {
    const { scope, declared, names } = this.#names(node, outer);
    const tag = qualified(node.name);
    const attributes = node.attributes.map(
      ({ value }, at) => ` ${names[at]}="${this.#escaped(value, escapeAttribute)}"`,
    );
    const namespaces = [...declared].map(
      ([prefix, uri]) => ` xmlns${prefix === '' ? '' : `:${prefix}`}="${this.#escaped(uri, escapeAttribute)}"`,
    );
    this.#put(`<${tag}${namespaces.join('')}${attributes.join('')}`);
    const local = node.name.local.toLowerCase();
    const isHtml = this.#isHtml && node.name.uri === '';
    if (node.children.length === 0) {
      if (!isHtml) this.#put('/>');
      else this.#put(empties.has(local) ? '>' : `></${tag}>`);
      return;
    }
    this.#put('>');
    this.#children(node, scope, level, isHtml && asIs.has(local));
    this.#put(`</${tag}>`);
  }

  /** Declared namespaces of an element, and the names of its attributes. */
  #names(node: Node, outer: ReadonlyMap<string, string>): Names {
    let scope = outer;
    const declared = new Map<string, string>();
    const declare = (prefix: string, uri: string): void => {
      if (prefix === 'xml' || (scope.get(prefix) ?? '') === uri) return;
      // Copied lazily: most elements declare nothing, and share the scope.
      if (declared.size === 0) {
        this.#budget.step(outer.size);
        scope = new Map(outer);
      }
      (scope as Map<string, string>).set(prefix, uri);
      declared.set(prefix, uri);
    };
    this.#budget.step((node.namespaces?.size ?? 0) * ofPrefix);
    for (const [prefix, uri] of node.namespaces ?? []) {
      if (uri !== '' || prefix === '') declare(prefix, uri);
    }
    // The element's own name wins against a declaration of the same prefix.
    declare(node.name.prefix, node.name.uri);
    const names = node.attributes.map(({ name }) => this.#attributeName(name, scope, declare));
    return { scope, declared, names };
  }

  #children(node: Node, scope: ReadonlyMap<string, string>, level: number, isPlain: boolean): void {
    const isCdata = this.#form.cdata.has(expanded(node.name));
    const breaks = this.#indents && node.children.every(({ kind }) => kind !== 'text');
    const line = (levels: number): string => `\n${'  '.repeat(Math.min(levels, 60))}`;
    for (const child of node.children) {
      if (breaks) this.#put(line(level + 1));
      if (isCdata && child.kind === 'text') {
        this.#put(`<![CDATA[${this.#escaped(xmlCharacters(child.value), cdata)}]]>`);
      } else {
        this.#node(child, scope, level + 1, isPlain);
      }
    }
    if (breaks) this.#put(line(level));
  }

  /** An attribute with a namespace has a prefix that stands for it. */
  #attributeName(
    { prefix, local, uri }: Name,
    scope: ReadonlyMap<string, string>,
    declare: (prefix: string, uri: string) => void,
  ): string {
    if (uri === '') return local;
    if (prefix !== '' && (scope.get(prefix) ?? uri) === uri) {
      declare(prefix, uri);
      return `${prefix}:${local}`;
    }
    this.#budget.step(scope.size * ofPrefix);
    for (const [ownPrefix, address] of scope) if (ownPrefix !== '' && address === uri) return `${ownPrefix}:${local}`;
    let free = `ns${this.#made++}`;
    while (scope.has(free)) free = `ns${this.#made++}`;
    declare(free, uri);
    return `${free}:${local}`;
  }
}
