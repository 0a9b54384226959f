/**
 * Rules of plain words that a machine can judge: the length of sentences, and words that hide who does what. Code, and a list
 * of code, count as one word. Readers are engineers who learned English at school.
 */

/** Most words in a sentence. */
export const longest = 25;

const hidden = [
  'whoever',
  'whomever',
  'whosoever',
  'whatever',
  'whichever',
  'anew',
  'thereof',
  'thereby',
  'hitherto',
  'heretofore',
  'simply',
  'obviously',
  'of course',
];
const forbidden = new RegExp(`\\b(?:${hidden.join('|')})\\b`, 'gi');

export interface Passage {
  readonly line: number;
  readonly text: string;
}

/** Paragraphs, entries of lists and cells of tables. A block of code is none, and a heading is no sentence. */
export function passagesOf(markdown: string): readonly Passage[] {
  const passages: Passage[] = [];
  let open: { line: number; parts: string[] } | undefined;
  let inCode = false;
  const close = () => {
    if (open) passages.push({ line: open.line, text: open.parts.join(' ') });
    open = undefined;
  };
  const withoutComments = markdown.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ''));
  for (const [index, text] of withoutComments.split('\n').entries()) {
    const line = index + 1;
    const fence = /^\s*```/.test(text);
    if (fence) inCode = !inCode;
    if (fence || inCode || /^\s*(?:#|$)/.test(text)) close();
    else if (/^\s*\|/.test(text)) {
      close();
      const cells = text.split(/(?<!\\)\||<br>/).map((cell) => cell.trim());
      passages.push(...cells.map((cell) => ({ line, text: cell })));
    } else {
      if (/^\s*(?:[-*]|\d+\.) /.test(text)) close();
      open ??= { line, parts: [] };
      open.parts.push(text.trim().replace(/^(?:[-*]|\d+\.) /, ''));
    }
  }
  close();
  return passages;
}

/** Offences of a page against plain words, each with its line. */
export const offencesIn = (markdown: string): readonly string[] =>
  passagesOf(markdown).flatMap(({ line, text }) => {
    const plain = text
      .replace(/`[^`]*`(?:(?:,| and|, and| or|, or) `[^`]*`)*/g, 'code')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll('**', '');
    const words = (plain.match(forbidden) ?? []).map((word) => `line ${line}: Expected a noun: "${word}"`);
    const sentences = plain.split(/(?<=[.!?])["')]*\s+/);
    const long = sentences.filter((sentence) => sentence.split(/\s+/).filter(isWord).length > longest);
    return [...words, ...long.map((found) => `line ${line}: Expected at most ${longest} words: "${found}"`)];
  });

const isWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
