/** Start and end of declarations, instructions and comments before the root element. */
const ahead: readonly (readonly [begin: string, end: string])[] = [
  ['<?', '?>'],
  ['<!--', '-->'],
];

const blank = /\s/;
const element = /<(?:[^\s<>/:!?]{1,80}:)?([^\s<>/:!?]{1,80})[\s/>]/y;

/** Name of the root element, without its prefix. Undefined if the text does not begin like XML. */
export function rootName(xml: string): string | undefined {
  let at = xml.startsWith('\ufeff') ? 1 : 0;
  for (;;) {
    while (blank.test(xml.charAt(at))) at++;
    const found = ahead.find(([begin]) => xml.startsWith(begin, at));
    if (found === undefined) break;
    const end = xml.indexOf(found[1], at + found[0].length);
    if (end < 0) return undefined;
    at = end + found[1].length;
  }
  element.lastIndex = at;
  return element.exec(xml)?.[1];
}
