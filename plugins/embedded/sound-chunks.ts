import type { MediaSource } from '../../src/spi/index.ts';
import { addValues, type Properties, walkXml } from './xml.ts';
import { xmpProperties } from './xmp.ts';

/** A file with more chunks is made to take time, and a longer chunk is no description. */
const [maxChunks, maxChunkBytes] = [200, 1024 * 1024];

const readers: Readonly<Record<string, (bytes: Uint8Array) => Properties>> = {
  bext: broadcastProperties,
  iXML: (bytes) => ixmlProperties(textOf(bytes)),
  _PMX: (bytes) => xmpProperties(textOf(bytes)),
};

/** Reads the chunks of a WAVE file that say what the sound is: `bext`, `iXML` and XMP. */
export async function soundProperties(source: MediaSource): Promise<Properties> {
  const properties: Properties = new Map();
  let longData: number | undefined;
  for (let at = 12, count = 0; at + 8 <= source.size && count < maxChunks; count++) {
    const header = viewOf(await source.read({ from: at, end: at + 8 }));
    const id = String.fromCharCode(...[0, 1, 2, 3].map((place) => header.getUint8(place)));
    const short = header.getUint32(4, true);
    // Files above 4 GiB have the length of the sound in their first chunk.
    const length = id === 'data' && short === 0xffffffff ? (longData ?? short) : short;
    const from = at + 8;
    const end = Math.min(from + length, source.size);
    if (id === 'ds64' && end - from >= 16)
      longData = Number(viewOf(await source.read({ from, end: from + 16 })).getBigUint64(8, true));
    const read = Object.hasOwn(readers, id) && length <= maxChunkBytes ? readers[id] : undefined;
    if (read)
      for (const [name, values] of readOf(read, await source.read({ from, end }))) addValues(properties, name, values);
    at = from + length + (length % 2);
  }
  return properties;
}

/** A chunk that is cut or no XML says nothing. */
function readOf(read: (bytes: Uint8Array) => Properties, bytes: Uint8Array): Properties {
  try {
    return read(bytes);
  } catch {
    return new Map();
  }
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Text up to its first zero. Recorders write UTF-8 or a single byte for each character. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  const text = end < 0 ? bytes : bytes.subarray(0, end);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(text);
  } catch {
    return new TextDecoder('windows-1252').decode(text);
  }
}

/** Texts of a `bext` chunk (EBU Tech 3285), with their places. */
const broadcastTexts = [
  ['Description', 0, 256],
  ['Originator', 256, 288],
  ['OriginatorReference', 288, 320],
  ['CodingHistory', 602, Number.POSITIVE_INFINITY],
] as const;

function broadcastProperties(bytes: Uint8Array): Properties {
  const properties: Properties = new Map();
  for (const [name, from, end] of broadcastTexts)
    addValues(properties, `bext:${name}`, [textOf(bytes.subarray(from, end))]);
  const date = /^(\d{4}).(\d\d).(\d\d)$/
    .exec(textOf(bytes.subarray(320, 330)))
    ?.slice(1)
    .join('-');
  const time = /^(\d\d).(\d\d).(\d\d)$/
    .exec(textOf(bytes.subarray(330, 338)))
    ?.slice(1)
    .join(':');
  if (date !== undefined)
    addValues(properties, 'bext:OriginationDate', [time === undefined ? date : `${date}T${time}`]);
  if (bytes.byteLength >= 346)
    addValues(properties, 'bext:TimeReference', [String(viewOf(bytes).getBigUint64(338, true))]);
  return properties;
}

/** Elements with text by their paths below the root: `ixml:SCENE`, `ixml:BEXT/BWF_DESCRIPTION`. */
function ixmlProperties(xml: string): Properties {
  const values = new Map<string, string[]>();
  const path: string[] = [];
  let text = '';
  walkXml(xml, {
    open({ local }, depth) {
      if (depth > 1) path.push(local);
      text = '';
    },
    text(part) {
      text += part;
    },
    close(_tag, depth) {
      const name = `ixml:${path.join('/')}`;
      const texts = values.get(name) ?? [];
      if (text.trim() !== '' && depth > 1) values.set(name, texts);
      texts.push(text);
      path.pop();
      text = '';
    },
  });
  const properties: Properties = new Map();
  for (const [name, texts] of values) addValues(properties, name, texts);
  return properties;
}
