import { createXmlReader, type DocumentLimits, readJson } from '../../core/documents/index.ts';
import { exportTemplateDocument, type TemplateNode } from './documents.ts';
import type { TemplateRow } from './store.ts';

/** Type of a template element. */
type Kind = (typeof kinds)[number];

const kinds = [
  'archive',
  'collection',
  'component',
  'componentfile',
  'compress',
  'dummy',
  'external',
  'folder',
  'item',
  'iterate',
  'library',
  'sequence',
  'shape',
  'text',
] as const;

/** Elements that are kept, and that no export of this service carries out. */
const unable: readonly Outlined['kind'][] = ['collection', 'external', 'library', 'sequence'];
const unableParts = ['itemId', 'preRender'] as const;
/** Elements that pack files, with the method of each. */
const packing: ReadonlyMap<Outlined['kind'], string> = new Map([
  ['archive', 'ZIP'],
  ['compress', 'GZ'],
]);

const maxElements = 200;

/** Texts and, each in a list of its own, scripts whose values go between them. */
export type Parts = readonly (string | readonly [script: string])[];

/** An element as the sandbox is given it. */
export interface Outlined {
  /** Path in the template, such as `item/shape/componentfile`. */
  readonly at: string;
  readonly kind: Kind | 'root';
  readonly path?: Parts;
  readonly tags: readonly Parts[];
  readonly needs: readonly Parts[];
  readonly filter?: string;
  readonly pre?: string;
  readonly values?: readonly string[];
  readonly shapeTag?: Parts;
  readonly generate?: boolean;
  readonly content?: Parts;
  /** The place of what makes its content, among the stylesheets. */
  readonly stylesheet?: number;
  readonly inner: readonly Outlined[];
}

export interface Outline {
  readonly root: Outlined;
  readonly nodes: readonly Outlined[];
  /** Stylesheets that make texts of item metadata. */
  readonly stylesheets: readonly string[];
  /** First element that exports do not support. */
  readonly unable: string | undefined;
}

/** Thrown for a template that can never be used. */
export class BadTemplate extends Error {
  readonly at: string;

  constructor(at: string, explanation: string) {
    super(explanation);
    this.at = at;
  }
}

/** The template as its elements, from the outer ones to the inner ones. Throws `BadTemplate`. */
export function outlineOf(template: TemplateNode, unknown: readonly string[] = []): Outline {
  const nodes: Outlined[] = [];
  const stylesheets: string[] = [];
  let lack: string | undefined;
  let elements = 0;
  const outlined = (node: TemplateNode, kind: Outlined['kind'], at: string, scope: Scope): Outlined => {
    if (kind !== 'root' && ++elements > maxElements) throw new BadTemplate('', `at most ${maxElements} elements`);
    if (unable.includes(kind)) lack ??= at;
    for (const key of unableParts) if (isSaid(node[key])) lack ??= `${at}/${key}`;
    const method = packing.get(kind);
    if (method !== undefined && (node.method ?? method) !== method) lack ??= `${at}/method`;
    // No archive has another one in it, and no compressed file.
    if (method !== undefined && scope.packed) lack ??= at;
    if ((node.charset ?? 'UTF-8').toUpperCase().replace('_', '-') !== 'UTF-8') lack ??= `${at}/charset`;
    requirePlace(kind, at, scope);
    const within = {
      item: scope.item || kind === 'item',
      shape: scope.shape || kind === 'shape',
      packed: scope.packed || method !== undefined,
    };
    const outlinedNode: Outlined = {
      at,
      kind,
      ...optional('path', node.path, (text) => partsOf(text, `${at}/path`)),
      tags: (node.tag ?? []).map((text) => partsOf(text, `${at}/tag`)),
      needs: (node.dependency ?? []).map((text) => partsOf(text, `${at}/dependency`)),
      ...optional('filter', node.filter, (text) => text),
      ...optional('pre', node.pre, (text) => text),
      ...(kind === 'iterate' && { values: node.value ?? [] }),
      ...optional('shapeTag', node.shapeTag, (text) => partsOf(text, `${at}/shapeTag`)),
      ...(node.generate === true && { generate: true }),
      ...(kind === 'text' && contentOf(node, at, scope, stylesheets)),
      inner: kinds.flatMap((each) =>
        (node[each] ?? []).map((inner) => outlined(inner, each, at === '' ? each : `${at}/${each}`, within)),
      ),
    };
    if ((kind === 'text' || kind === 'archive') && outlinedNode.path === undefined)
      throw new BadTemplate(`${at}/path`, 'the name of the file');
    nodes.push(outlinedNode);
    return outlinedNode;
  };
  const root = outlined(template, 'root', '', { item: false, shape: false, packed: false });
  return { root, nodes, stylesheets, unable: lack ?? unknown[0] };
}

interface Scope {
  readonly item: boolean;
  readonly shape: boolean;
  readonly packed: boolean;
}

/** Elements know what they are about from those around them. */
function requirePlace(kind: Outlined['kind'], at: string, { item, shape }: Scope): void {
  if (kind === 'item' && item) throw new BadTemplate(at, 'an item outside of other items');
  if (kind === 'shape' && !item) throw new BadTemplate(at, 'a shape in an item');
  if ((kind === 'component' || kind === 'componentfile') && !shape) throw new BadTemplate(at, `a ${kind} in a shape`);
}

function contentOf(
  { content, script, xslt }: TemplateNode,
  at: string,
  { item }: Scope,
  stylesheets: string[],
): Pick<Outlined, 'content' | 'stylesheet'> {
  if ([content, script, xslt].filter((each) => each !== undefined).length !== 1) {
    throw new BadTemplate(at, 'one of content, script and xslt');
  }
  if (xslt !== undefined) {
    if (!item) throw new BadTemplate(`${at}/xslt`, 'a text in an item: a stylesheet makes it of its metadata');
    return { content: [], stylesheet: stylesheets.push(xslt) - 1 };
  }
  if (script !== undefined) return { content: [[script]] };
  const { text = '', scripttags = true } = content!;
  return { content: scripttags ? partsOf(text, `${at}/content`) : [text] };
}

/** `{{item.id()}}.mp4`: a script, and a text. */
function partsOf(text: string, at: string): Parts {
  const parts: (string | readonly [string])[] = [];
  let from = 0;
  for (;;) {
    const begin = text.indexOf('{{', from);
    if (begin < 0) break;
    const end = text.indexOf('}}', begin);
    if (end < 0) throw new BadTemplate(at, '"}}" behind each "{{"');
    if (begin > from) parts.push(text.slice(from, begin));
    parts.push([text.slice(begin + 2, end)]);
    from = end + 2;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** Scripts of an element with their places. */
export function scriptsOf({ at, path, tags, needs, filter, pre, values, shapeTag, content }: Outlined) {
  const inlined = (key: string, parts: Parts = []) =>
    parts.flatMap((part) => (typeof part === 'string' ? [] : [[`${at}/${key}`, part[0]] as const]));
  return [
    ...(pre === undefined ? [] : [[`${at}/pre`, pre] as const]),
    ...(filter === undefined ? [] : [[`${at}/filter`, filter] as const]),
    ...inlined('path', path),
    ...tags.flatMap((parts) => inlined('tag', parts)),
    ...needs.flatMap((parts) => inlined('dependency', parts)),
    ...inlined('shapeTag', shapeTag),
    ...(values ?? []).map((script) => [`${at}/value`, script] as const),
    ...inlined('content', content),
  ];
}

const isSaid = (value: string | readonly string[] | undefined): boolean => value !== undefined && value.length > 0;

const optional = <K extends string, T>(key: K, text: string | undefined, make: (text: string) => T) =>
  (text === undefined || text.trim() === '' ? {} : { [key]: make(text) }) as { readonly [key in K]?: T };

/** A template as it is kept. */
export function templateFrom(
  { form, document }: Pick<TemplateRow, 'form' | 'document'>,
  limits: DocumentLimits,
): Outline {
  const unknown: string[] = [];
  const tell = (name: string) => void unknown.push(name);
  if (form === 'json') return outlineOf(readJson(exportTemplateDocument, document, limits, tell), unknown);
  const reader = createXmlReader(exportTemplateDocument, limits, tell);
  reader.write(new TextEncoder().encode(document));
  return outlineOf(reader.end(), unknown);
}
