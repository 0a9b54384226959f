/**
 * Short line for any thrown value of a plugin, without assumptions about it. Secrets are hidden before the text is
 * cut: a cut secret would show its beginning.
 */
export function sentenceOf(thrown: unknown, hide = (text: string): string => text): string {
  try {
    const text = thrown instanceof Error ? thrown.message : typeof thrown === 'string' ? thrown : '';
    return shortLine(hide(String(text))) || 'it threw without saying why';
  } catch {
    return 'it threw without saying why';
  }
}

const colours = /\x1b\[[0-9;]*m/g;

export function shortLine(text: string): string {
  const line = text
    .replace(colours, '')
    .trim()
    .split(/[\r\n]/, 1)[0]!;
  return line
    .replace(/[\0-\x1f\x7f\u0085\u2028\u2029]/g, ' ')
    .slice(0, 300)
    .replace(/\.$/, '');
}

/** The type of an entity inside of a sentence: `quota rule`. */
export const typeInWords = (type: string): string => type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** `an ItemDocument`, `a ShapeDocument`. */
export const withArticle = (name: string): string => `${/^[AEIO]/i.test(name) ? 'an' : 'a'} ${name}`;
