import { escapeAttribute, escapeText, xmlCharacters } from '../../documents/escape.ts';
import { StylesheetFails } from '../fails.ts';
import { expanded, type Name, type Node, qualified, xmlUri } from './node.ts';

/** What xsl:output says. */
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

export const usualForm: Form = {
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
const longest = 16 * 1024 * 1024;

/** The text of a tree. */
export function writeTree(root: Node, form: Form): Written {
  const first = root.children.find(({ kind }) => kind === 'element');
  const looksLikeHtml = first?.name.uri === '' && first.name.local.toLowerCase() === 'html';
  const method = form.method ?? (looksLikeHtml ? 'html' : 'xml');
  if (method === 'text') return { text: root.text, method };
  const writer = new Writer(form, method === 'html');
  return { text: writer.document(root, first), method };
}

const empties = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const asIs = new Set(['script', 'style']);

class Writer {
  readonly #form: Form;
  readonly #isHtml: boolean;
  readonly #indents: boolean;
  readonly #parts: string[] = [];
  #length = 0;
  #made = 0;

  constructor(form: Form, isHtml: boolean) {
    this.#form = form;
    this.#isHtml = isHtml;
    this.#indents = form.indent ?? isHtml;
  }

  #put(text: string): void {
    this.#length += text.length;
    if (this.#length > longest) throw new StylesheetFails(`Expected a result of at most ${longest} characters`);
    this.#parts.push(text);
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
    else if (node.kind === 'text') this.#put(node.raw || isPlain ? xmlCharacters(node.value) : escapeText(node.value));
    else if (node.kind === 'comment') this.#put(`<!--${xmlCharacters(node.value)}-->`);
    else if (node.kind === 'processing-instruction') {
      this.#put(`<?${node.name.local} ${xmlCharacters(node.value)}${this.#isHtml ? '' : '?'}>`);
    }
  }

  #element(node: Node, outer: ReadonlyMap<string, string>, level: number): void {
    const scope = new Map(outer);
    const declared = new Map<string, string>();
    const declare = (prefix: string, uri: string): void => {
      if (prefix === 'xml' || (scope.get(prefix) ?? '') === uri) return;
      scope.set(prefix, uri);
      declared.set(prefix, uri);
    };
    for (const [prefix, uri] of node.namespaces ?? []) {
      if (uri !== '' || prefix === '') declare(prefix, uri);
    }
    // Its own name wins against a declaration of the same prefix.
    declare(node.name.prefix, node.name.uri);
    const names = node.attributes.map(({ name }) => this.#attributeName(name, scope, declare));
    const tag = qualified(node.name);
    const attributes = node.attributes.map(({ value }, at) => ` ${names[at]}="${escapeAttribute(value)}"`);
    const namespaces = [...declared].map(
      ([prefix, uri]) => ` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapeAttribute(uri)}"`,
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

  #children(node: Node, scope: ReadonlyMap<string, string>, level: number, isPlain: boolean): void {
    const isCdata = this.#form.cdata.has(expanded(node.name));
    const breaks = this.#indents && node.children.every(({ kind }) => kind !== 'text');
    const line = (levels: number): string => `\n${'  '.repeat(Math.min(levels, 60))}`;
    for (const child of node.children) {
      if (breaks) this.#put(line(level + 1));
      if (isCdata && child.kind === 'text') {
        this.#put(`<![CDATA[${xmlCharacters(child.value).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`);
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
    for (const [known, address] of scope) if (known !== '' && address === uri) return `${known}:${local}`;
    let free = `ns${this.#made++}`;
    while (scope.has(free)) free = `ns${this.#made++}`;
    declare(free, uri);
    return `${free}:${local}`;
  }
}
