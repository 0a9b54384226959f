import { boxBelow, boxesIn, type ContainerBox } from '../../src/kit/index.ts';
import { addValues, type Properties } from './xml.ts';

const prefix = 'com.apple.quicktime.';
/** Keys that are read, and characters of a value. */
const [maxKeys, maxText] = [200, 10_000];

/** Atoms of user data and of iTunes that say the same as a key. */
const atoms: ReadonlyMap<string, string> = new Map([
  ['\u00a9nam', 'title'],
  ['\u00a9aut', 'author'],
  ['\u00a9ART', 'author'],
  ['\u00a9day', 'creationdate'],
  ['\u00a9key', 'keywords'],
  ['\u00a9des', 'description'],
  ['\u00a9cpy', 'copyright'],
  ['desc', 'description'],
  ['cprt', 'copyright'],
]);

const textIn = (view: DataView, from: number, end: number): string =>
  new TextDecoder().decode(
    new Uint8Array(view.buffer, view.byteOffset + from, Math.max(0, Math.min(end - from, 4 * maxText))),
  );

/** Keys of QuickTime in the header of a film, by their names without the prefix of Apple. Keys win over atoms. */
export function quickTimeKeys(view: DataView): Properties {
  const properties: Properties = new Map();
  const whole = { type: 'moov', from: 0, end: view.byteLength };
  const userData = boxBelow(view, whole, 'udta');
  const lists = [boxBelow(view, whole, 'meta'), userData && boxBelow(view, userData, 'meta')];
  for (const list of lists) if (list) addListed(properties, view, list);
  for (const { type, from, end } of userData ? boxesIn(view, userData.from, userData.end) : []) {
    const name = atoms.get(type);
    // The text follows its length and language, of two bytes each.
    if (name !== undefined && type.startsWith('\u00a9') && from + 4 <= end)
      add(properties, name, textIn(view, from + 4, Math.min(end, from + 4 + view.getUint16(from))));
  }
  return properties;
}

/** A list of values, with their keys beside it, or with atoms alone. */
function addListed(properties: Properties, view: DataView, list: ContainerBox): void {
  // QuickTime has boxes at once, and MPEG-4 a version before them.
  const isPlain = list.from + 8 <= list.end && textIn(view, list.from + 4, list.from + 8) === 'hdlr';
  const boxes = boxesIn(view, isPlain ? list.from : list.from + 4, list.end);
  const [keys, values] = ['keys', 'ilst'].map((type) => boxes.find((box) => box.type === type));
  const names = keys ? boxesIn(view, keys.from + 8, keys.end).slice(0, maxKeys) : [];
  for (const value of values ? boxesIn(view, values.from, values.end).slice(0, maxKeys) : []) {
    const data = boxBelow(view, value, 'data');
    // The value follows its type and locale. Type 1 is UTF-8.
    if (!data || data.from + 8 > data.end || view.getUint32(data.from) !== 1) continue;
    const key = names[view.getUint32(value.from - 4) - 1];
    const named = key && textIn(view, key.from, key.end);
    const name = named?.startsWith(prefix) ? named.slice(prefix.length) : (named ?? atoms.get(value.type));
    if (name !== undefined) add(properties, name, textIn(view, data.from + 8, data.end));
  }
}

function add(properties: Properties, name: string, value: string): void {
  const text = value.replace(/\0.*$/s, '').slice(0, maxText);
  // Cameras of Apple write the zone without a colon.
  const date = /^(\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d)(\d\d)$/.exec(text);
  addValues(
    properties,
    `quicktime:${name}`,
    name === 'keywords' ? text.split(/[,;]/) : [date ? `${date[1]}:${date[2]}` : text],
  );
}
