import { askerOf } from '../../../assets/definitions/public-reading.ts';
import { metadataOf, storedView, terseOf } from '../../../assets/metadata/public.ts';
import { escapeAttribute, escapeText } from '../../../core/documents/escape.ts';
import { xmpNamespaces } from '../../../core/lib/xmp-namespaces.ts';
import type { Caller } from '../../../security/caller.ts';
import { currentMapping } from '../../checking/public.ts';
import type { ExportParts } from '../parts.ts';

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

/** Lists that readers of XMP expect of a property, also for one value. */
const lists: Readonly<Record<string, string>> = {
  ...{ 'dc:title': 'Alt', 'dc:description': 'Alt', 'dc:rights': 'Alt', 'xmpRights:UsageTerms': 'Alt' },
  ...{ 'dc:creator': 'Seq', 'dc:date': 'Seq', 'dc:subject': 'Bag', 'dc:language': 'Bag', 'dc:publisher': 'Bag' },
};

/** Values of properties with a prefix and a name, as a packet of XMP. */
function packetOf(properties: ReadonlyMap<string, readonly string[]>): string {
  const prefixes = new Set([...properties.keys()].map((name) => name.slice(0, name.indexOf(':'))));
  const spaces = [...prefixes].map((prefix) => ` xmlns:${prefix}="${escapeAttribute(xmpNamespaces.get(prefix)!)}"`);
  const elements = [...properties].map(([name, values]) => `<${name}>${contentOf(name, values)}</${name}>\n`);
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${rdf}"><rdf:Description rdf:about=""${spaces.join('')}>
${elements.join('')}</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;
}

function contentOf(name: string, values: readonly string[]): string {
  const list = lists[name] ?? (values.length > 1 ? 'Bag' : undefined);
  if (list === undefined) return escapeText(values[0]!);
  const language = list === 'Alt' ? ' xml:lang="x-default"' : '';
  const entries = list === 'Alt' ? values.slice(0, 1) : values;
  return `<rdf:${list}>${entries.map((value) => `<rdf:li${language}>${escapeText(value)}</rdf:li>`).join('')}</rdf:${list}>`;
}

/** Property of XMP, without the word before it. Orientation and size tell of pixels, and those of a copy may differ. */
function writable(property: string): string | undefined {
  const [, prefix = '', name] = /^xmp:(\w+):([A-Za-z_][\w.-]*)$/.exec(property) ?? [];
  return name !== undefined && prefix !== 'tiff' && xmpNamespaces.has(prefix) ? `${prefix}:${name}` : undefined;
}

interface Xmp {
  readonly packet: string;
  readonly isEmpty: boolean;
}

/** Metadata of an item that a user may read, by the mapping of imports read backwards. */
export async function xmpOf({ store, settings }: ExportParts, call: Caller, itemId: string): Promise<Xmp> {
  const by = { site: settings.site, asker: await askerOf(call) };
  const metadata = (await metadataOf(store, [{ kind: 'item', id: itemId }], storedView, by)).get(itemId) ?? {};
  const values = terseOf(metadata);
  const properties = new Map<string, readonly string[]>();
  const written = new Set<string>();
  for (const { property, field } of await currentMapping(store)) {
    const name = writable(property);
    const texts = (values.get(field) ?? []).flatMap(({ start, end, value }) =>
      start === '-INF' && end === '+INF' && value.trim() !== '' ? [value] : [],
    );
    if (name === undefined || texts.length === 0 || written.has(field) || properties.has(name)) continue;
    written.add(field);
    properties.set(name, texts);
  }
  return { packet: packetOf(properties), isEmpty: properties.size === 0 };
}
