import type { SaxesTagNS } from 'saxes';
import { xmpNamespaces } from '../../src/kit/index.ts';
import { addValues, type Properties, walkXml } from './xml.ts';

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const prefixes = new Map([...xmpNamespaces].map(([prefix, uri]) => [uri, prefix] as const));
const containers = new Set(['Alt', 'Bag', 'Seq']);

interface OpenProperty {
  readonly name: string | undefined;
  /** Depth of its element. */
  readonly depth: number;
  /** Kind of the list in it. Undefined: its text is its value. */
  list: string | undefined;
  text: string;
  /** Language of the open entry. */
  language: string | undefined;
  readonly values: string[];
  /** Value of an Alt for no language. */
  preferred: string | undefined;
  /** Whether the value has parts of its own, which have no name here. */
  isStructure: boolean;
}

type Named = Pick<SaxesTagNS, 'uri' | 'prefix' | 'local'>;

/** Name of a property. One of an unknown namespace has the prefix of the file, unless that belongs to another one. */
function propertyName({ uri, prefix, local }: Named): string | undefined {
  const word = prefixes.get(uri) ?? (xmpNamespaces.has(prefix) ? '' : prefix);
  return word === '' || uri === rdf || uri.startsWith('http://www.w3.org/XML/') ? undefined : `xmp:${word}:${local}`;
}

/** Properties of a packet of XMP, such as `xmp:dc:title`. Throws where it is no plain XML. */
export function xmpProperties(xml: string): Properties {
  const properties: Properties = new Map();
  let inRdf = 0;
  let property: OpenProperty | undefined;
  walkXml(xml, {
    open(tag, depth) {
      if (tag.uri === rdf && tag.local === 'RDF') inRdf = depth;
      else if (inRdf > 0 && depth === inRdf + 1) ofAttributes(properties, tag);
      else if (inRdf > 0 && depth === inRdf + 2) property = opened(tag, depth);
      else if (property) within(property, tag, depth);
    },
    text(text, depth) {
      if (!property) return;
      const isValue = depth === property.depth + (property.list === undefined ? 0 : 2);
      if (isValue) property.text += text;
    },
    close(_tag, depth) {
      if (depth === inRdf) inRdf = 0;
      if (!property) return;
      if (depth === property.depth) {
        const { name, list, text, values, preferred, isStructure } = property;
        const all = list === undefined ? [text] : list === 'Alt' ? [preferred ?? values[0] ?? ''] : values;
        if (name !== undefined && !isStructure) addValues(properties, name, all);
        property = undefined;
      } else if (property.list !== undefined && depth === property.depth + 2) {
        property.values.push(property.text);
        if (property.language === 'x-default') property.preferred = property.text;
        property.text = '';
      }
    },
  });
  return properties;
}

/** The short form of simple values. */
function ofAttributes(properties: Properties, { attributes }: SaxesTagNS): void {
  for (const attribute of Object.values(attributes)) {
    const name = attribute.uri === '' ? undefined : propertyName(attribute);
    if (name !== undefined && attribute.prefix !== 'xmlns') addValues(properties, name, [attribute.value]);
  }
}

const opened = (tag: SaxesTagNS, depth: number): OpenProperty => ({
  name: propertyName(tag),
  depth,
  list: undefined,
  text: attributeOf(tag, 'resource') ?? '',
  language: undefined,
  values: [],
  preferred: undefined,
  isStructure: attributeOf(tag, 'parseType') === 'Resource',
});

function within(property: OpenProperty, tag: SaxesTagNS, depth: number): void {
  const isOfRdf = tag.uri === rdf;
  if (depth === property.depth + 1 && isOfRdf && containers.has(tag.local)) {
    property.list = tag.local;
    property.text = '';
  } else if (depth === property.depth + 2 && isOfRdf && tag.local === 'li' && property.list !== undefined) {
    property.language = tag.attributes['xml:lang']?.value;
    property.isStructure ||= attributeOf(tag, 'parseType') === 'Resource';
    property.text = attributeOf(tag, 'resource') ?? '';
  } else property.isStructure = true;
}

const attributeOf = ({ attributes }: SaxesTagNS, local: string): string | undefined =>
  Object.values(attributes).find((each) => each.uri === rdf && each.local === local)?.value;
