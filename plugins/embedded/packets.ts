import type { MediaSource } from '../../src/spi/index.ts';
import { addValues, type Properties } from './xml.ts';
import { xmpProperties } from './xmp.ts';

/** Bytes that are searched for packets, at each end of a file. */
const searched = 4 * 1024 * 1024;
/** Characters of a dictionary, and of one text in it. */
const [maxDictionary, maxText] = [65_536, 10_000];

/**
 * Reads the packet of XMP in a document or a drawing, as any program finds it, and the dictionary `Info` of a PDF. Both
 * stand in plain bytes; what is compressed or encrypted is left out.
 */
export async function packetProperties(source: MediaSource): Promise<Properties> {
  const { size } = source;
  const parts =
    size <= 2 * searched
      ? [[0, size]]
      : [
          [0, searched],
          [size - searched, size],
        ];
  const texts: string[] = [];
  for (const [from, end] of parts) texts.push(latin(await source.read({ from: from!, end: end! })));
  const properties: Properties = new Map();
  const packets = texts.flatMap(packetsIn);
  const isPdf = texts[0]!.startsWith('%PDF-');
  // Pictures of a document have packets of their own; the last one about a document is the newest.
  const packet = isPdf ? packets.findLast((each) => each.includes('http://ns.adobe.com/pdf/1.3/')) : packets[0];
  for (const xml of packet === undefined ? packets.slice(-1) : [packet]) {
    try {
      for (const [name, values] of xmpProperties(xml)) addValues(properties, name, values);
    } catch {
      // A damaged packet says nothing.
    }
  }
  if (isPdf) addDictionary(properties, texts);
  return properties;
}

/** A character for each byte. */
const latin = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.byteLength; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
};

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (each) => each.charCodeAt(0));

function packetsIn(text: string): string[] {
  const packets: string[] = [];
  for (let at = text.indexOf('<?xpacket begin='); at >= 0 && packets.length < 100; ) {
    const end = text.indexOf('<?xpacket end=', at);
    if (end < 0) break;
    packets.push(new TextDecoder().decode(bytesOf(text.slice(at, end))));
    at = text.indexOf('<?xpacket begin=', end);
  }
  return packets;
}

const listed = new Set(['Keywords']);

function addDictionary(properties: Properties, texts: readonly string[]): void {
  const tail = texts.at(-1)!;
  const trailer = tail.slice(-searched);
  const reference = [...trailer.matchAll(/\/Info\s{1,9}(\d{1,10})\s{1,9}(\d{1,5})\s{1,9}R\b/g)].at(-1);
  if (!reference || /\/Encrypt\s{1,9}\d/.test(trailer)) return;
  const head = new RegExp(`(?:^|[\\r\\n\\s])${reference[1]}\\s{1,9}${reference[2]}\\s{1,9}obj\\b`, 'g');
  const text = texts.findLast((each) => each.search(head) >= 0);
  const place = text === undefined ? undefined : [...text.matchAll(head)].at(-1)?.index;
  if (text === undefined || place === undefined) return;
  const dictionary = text.slice(place, place + maxDictionary).replace(/endobj[\s\S]*$/, '');
  for (const name of ['Title', 'Author', 'Subject', 'Keywords', 'Creator', 'Producer', 'CreationDate']) {
    const entry = new RegExp(`/${name}\\s*(?=[(<])`).exec(dictionary);
    if (!entry) continue;
    const value = pdfText(dictionary.slice(entry.index + entry[0].length));
    const date = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|([+-]\d\d)'?(\d\d))?/.exec(value);
    const zone = date?.[7] === undefined ? '' : `${date[7]}:${date[8]}`;
    const plain = date ? `${date.slice(1, 4).join('-')}T${date.slice(4, 7).join(':')}${zone}` : value;
    addValues(properties, `pdf:${name}`, listed.has(name) ? plain.split(/[,;]/) : [plain]);
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '', f: '' };

/** Text at the beginning of a piece of a PDF: in parentheses, or in hexadecimal. */
function pdfText(piece: string): string {
  let bytes = '';
  if (piece.startsWith('<')) {
    const digits = /^<([0-9a-fA-F\s]*)>/.exec(piece)?.[1]?.replace(/\s/g, '') ?? '';
    bytes = (digits.match(/../g) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join('');
  } else {
    for (let at = 1, depth = 1; at < piece.length && bytes.length < 2 * maxText; at++) {
      const letter = piece[at]!;
      if (letter === '\\') {
        const octal = /^[0-7]{1,3}/.exec(piece.slice(at + 1, at + 4))?.[0];
        const escaped = piece[at + 1] ?? '';
        if (octal !== undefined) bytes += String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
        else if (!/[\r\n]/.test(escaped)) bytes += escapes[escaped] ?? escaped;
        at += octal?.length ?? 1;
        continue;
      }
      if (letter === '(') depth++;
      if (letter === ')' && --depth === 0) break;
      bytes += letter;
    }
  }
  if (bytes.startsWith('\u00fe\u00ff')) return new TextDecoder('utf-16be').decode(bytesOf(bytes.slice(2)));
  if (bytes.startsWith('\u00ef\u00bb\u00bf')) return new TextDecoder().decode(bytesOf(bytes.slice(3)));
  return bytes;
}
