/** Bodies as large as a request may be, each as costly to read as its form allows. */
const max = 1024 * 1024;

type Filler = (index: number) => string;

/** Repeats the filler until the body is full. */
export function filled(begin: string, filler: Filler, between: string, end: string, count = Number.POSITIVE_INFINITY) {
  const parts: string[] = [];
  let room = max - begin.length - end.length;
  for (let index = 0; index < count; index++) {
    const part = filler(index);
    room -= part.length + between.length;
    if (room < 0) break;
    parts.push(part);
  }
  return `${begin}${parts.join(between)}${end}`;
}

const xml = (root: string, filler: Filler, inside = '') => filled(`<${root}>${inside}`, filler, '', `</${root}>`);
const attributes = (prefix: string) => Array.from({ length: 99 }, (_, index) => `${prefix}${index}="a"`).join(' ');

interface Body {
  readonly title: string;
  readonly type: 'application/xml' | 'application/json';
  readonly make: () => string;
}

const asXml = (title: string, make: () => string): Body => ({ title, type: 'application/xml', make });
const asJson = (title: string, make: () => string): Body => ({ title, type: 'application/json', make });

/** Bodies that cost a reader most, whatever the document: unknown parts, deep parts, long parts. */
export const hostile = (root: string): readonly Body[] => [
  asXml('attributes', () => xml(root, () => `<a ${attributes('a')}/>`)),
  asXml('namespaces', () => xml(root, () => `<a ${attributes('xmlns:a')}/>`)),
  asXml('unknown elements', () => xml(root, () => '<a/>')),
  asXml('line ends', () => xml(root, () => '\n')),
  asXml('comments', () => xml(root, () => '<!---->')),
  asJson('unknown names', () => filled('{', (index) => `"${index}":0`, ',', '}')),
  asJson('unknown values', () => filled('{"a":[', () => '0', ',', ']}')),
  asJson('levels', () => filled('{"a":[', () => '['.repeat(60) + ']'.repeat(60), ',', ']}')),
  asJson('escapes', () => filled('{"a":"', () => '\\u00e9', '', '"}')),
  asJson('blanks', () => filled('{', () => ' ', '', '}')),
  // Refused at the last character.
  asJson('one number', () => filled('{"a":', () => '1', '', 'e}')),
];

/** `count` entries, or as many as there is room for. */
export const jsonList = (begin: string, filler: Filler, end: string, count = 1000): string =>
  filled(begin, filler, ',', end, count);

/** As many pairs as metadata may have, in a body that is full. */
export const fullMetadata = (max = 1000, length = 980): string =>
  jsonList('{"field":[', (index) => `{"key":"key-${index}/part","value":"${'v'.repeat(length)}"}`, ']}', max);

export const fullText: string = 'é'.repeat(max / 2);
