import type { Description, Field, FieldData, Rule, Structure } from './describe.ts';
import { escapeAttribute, escapeText } from './escape.ts';
import { scalarForms } from './scalars.ts';

/**
 * Schema of the documents as they are written, in parts. Readers take elements in any order, a schema of
 * version 1.0 cannot.
 */
export function* xsdParts(descriptions: readonly Description[], namespace: string): Generator<string, void> {
  const types = new Map<string, Structure>();
  const roots = new Map<string, Structure>();
  for (const { name, structure } of descriptions) {
    // Two descriptions may be of the same root, stricter and laxer; a schema names it once.
    if (roots.has(name)) continue;
    roots.set(name, structure);
    collect(structure, types);
  }
  const uri = escapeAttribute(namespace);
  const attributes = `xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="${uri}" targetNamespace="${uri}"`;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<xs:schema ${attributes} elementFormDefault="qualified">\n`;
  for (const [name, structure] of roots) yield `  <xs:element name="${name}" type="${structure.name}"/>\n`;
  yield '  <xs:complexType name="MarkerType"/>\n';
  for (const structure of types.values()) yield `${complexType(structure)}\n`;
  yield '</xs:schema>\n';
}

function collect(structure: Structure, types: Map<string, Structure>): void {
  const other = types.get(structure.name);
  if (other === structure) return;
  if (other !== undefined) throw new TypeError(`Expected structures of different names: "${structure.name}" twice`);
  types.set(structure.name, structure);
  for (const { data } of Object.values(structure.fields)) {
    const { type } = data;
    if (type.kind === 'structure') collect(type, types);
    else if (type.kind === 'lazy') collect(type.target(), types);
  }
}

function complexType({ name, fields, rules }: Structure): string {
  const all = Object.entries(fields);
  const attributes = all.filter(([, { data }]) => data.place === 'attribute').map(attributeLine);
  const content = all.find(([, { data }]) => data.place === 'content');
  const lines = content
    ? [
        '    <xs:simpleContent>',
        `      <xs:extension base="${typeName(content[1].data)}">`,
        ...attributes,
        '      </xs:extension>',
        '    </xs:simpleContent>',
      ]
    : ['    <xs:sequence>', ...elementLines(all, rules), '    </xs:sequence>', ...attributes];
  return [`  <xs:complexType name="${name}">`, ...lines, '  </xs:complexType>'].join('\n');
}

/** A rule that allows one of several becomes a choice, at the place of the first of them. */
function elementLines(all: readonly [string, Field][], rules: readonly Rule[]): string[] {
  const lines: string[] = [];
  const done = new Set<string>();
  for (const [key, { data }] of all) {
    if (data.place === 'named')
      lines.push('      <xs:any processContents="skip" minOccurs="0" maxOccurs="unbounded"/>');
    if (data.place !== 'element' || done.has(key)) continue;
    const rule = rules.find(({ kind, keys }) => kind !== 'atLeastOne' && keys.includes(key));
    if (rule === undefined) {
      lines.push(elementLine(key, data, data.mandatory ? 1 : 0));
      continue;
    }
    lines.push(rule.kind === 'atMostOne' ? '      <xs:choice minOccurs="0">' : '      <xs:choice>');
    for (const [name, field] of all) {
      if (!rule.keys.includes(name)) continue;
      done.add(name);
      lines.push(`  ${elementLine(name, field.data, 1)}`);
    }
    lines.push('      </xs:choice>');
  }
  return lines;
}

function elementLine(key: string, data: FieldData, least: 0 | 1): string {
  const occurs = (least === 0 ? ' minOccurs="0"' : '') + (data.repeated ? ' maxOccurs="unbounded"' : '');
  return `      ${component('element', key, data, occurs)}`;
}

function attributeLine([key, { data }]: readonly [string, Field]): string {
  return `    ${component('attribute', key, data, data.mandatory ? ' use="required"' : '')}`;
}

function component(tag: 'element' | 'attribute', key: string, data: FieldData, occurs: string): string {
  const note = data.sentence === '' ? '' : documentation(data.sentence);
  const inline = enumeration(data);
  const type = inline === '' ? ` type="${typeName(data)}"` : '';
  const inside = note + inline;
  const head = `<xs:${tag} name="${key}"${type}${occurs}`;
  return inside === '' ? `${head}/>` : `${head}>${inside}</xs:${tag}>`;
}

function documentation(sentence: string): string {
  return `<xs:annotation><xs:documentation>${escapeText(sentence)}</xs:documentation></xs:annotation>`;
}

function enumeration({ type }: FieldData): string {
  if (type.kind !== 'scalar' || type.values === undefined) return '';
  const values = type.values.map((value) => `<xs:enumeration value="${escapeAttribute(value)}"/>`).join('');
  return `<xs:simpleType><xs:restriction base="xs:string">${values}</xs:restriction></xs:simpleType>`;
}

function typeName({ type }: FieldData): string {
  if (type.kind === 'scalar') return scalarForms[type.name].xsd;
  if (type.kind === 'marker') return 'MarkerType';
  return type.kind === 'lazy' ? type.target().name : type.name;
}
