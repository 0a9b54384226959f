import type { Description, FieldData, Structure } from '../../src/core/documents/describe.ts';
import { code, table } from './table.ts';

const head = `# Documents

\`npm run docs\` writes this page from the descriptions of the documents. It names every field of every document in XML and JSON.
[Routes](api.md) says which route reads and answers which document. \`GET /API/schema.xsd\` and \`GET /API/openapi.json\` have the same for programs.

- A field with @ is an attribute in XML, and a key like the others in JSON. *Text* is the text of the element.
- A structure that several documents use stands once, below [Structures](#structures).
`;

const heading = (name: string): string => `\n## ${name}\n`;
const anchor = (name: string): string => `[${name}](#${name.toLowerCase()})`;

/** Every document and every structure, by name. */
export function documentsPage(documents: readonly Description[]): string {
  const structures = new Map<string, Structure>();
  for (const { structure } of documents) collect(structure, structures);
  const roots = new Set(documents.map(({ structure }) => structure));
  const parts = documents.map(({ name, aliases, structure }) => {
    const also = aliases.length > 0 ? `\nAlso read as ${aliases.map(code).join(', ')}.\n` : '';
    return `${heading(name)}${also}${fieldsOf(structure, roots, documents)}`;
  });
  const shared = [...structures.values()]
    .filter((structure) => !roots.has(structure))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((structure) => `\n### ${structure.name}\n${fieldsOf(structure, roots, documents)}`);
  return `${head}${parts.join('')}${heading('Structures')}${shared.join('')}`;
}

function collect(structure: Structure, found: Map<string, Structure>): void {
  if (found.has(structure.name)) return;
  found.set(structure.name, structure);
  for (const { type } of dataOf(structure)) {
    if (type.kind === 'structure') collect(type, found);
    if (type.kind === 'lazy') collect(type.target(), found);
  }
}

const dataOf = ({ fields }: Structure): readonly FieldData[] => Object.values(fields).map(({ data }) => data);

function fieldsOf(structure: Structure, roots: ReadonlySet<Structure>, documents: readonly Description[]): string {
  const rows = Object.entries(structure.fields).map(([name, { data }]) => [
    nameOf(name, data),
    typeOf(data, (inner) => (roots.has(inner) ? documents.find((each) => each.structure === inner)!.name : inner.name)),
    countOf(data),
    data.sentence,
  ]);
  return rows.length === 0 ? '\nIt has no fields.\n' : `\n${table(['field', 'type', 'how many', 'what'], rows)}\n`;
}

const places: Readonly<Record<FieldData['place'], (name: string) => string>> = {
  attribute: (name) => code(`@${name}`),
  content: () => '*text*',
  element: code,
  named: () => '*any name*',
};
const nameOf = (name: string, { place }: FieldData): string => places[place](name);

function typeOf({ type }: FieldData, linked: (structure: Structure) => string): string {
  if (type.kind === 'scalar') return type.values ? type.values.map(code).join(', ') : type.name;
  if (type.kind === 'marker') return 'empty element';
  return anchor(linked(type.kind === 'lazy' ? type.target() : type));
}

const directions: Readonly<Record<FieldData['direction'], string>> = {
  both: '',
  in: ', only read',
  out: ', only written',
};

function countOf({ mandatory, repeated, max, direction }: FieldData): string {
  const count = repeated ? (max === undefined ? 'any' : `up to ${max}`) : mandatory ? 'one' : 'at most one';
  return `${count}${directions[direction]}`;
}
