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
    .toWellFormed()
    .replace(/\.$/, '');
}

/** A text of others for a terminal, on one line: what a terminal would obey is escaped. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);

const escaped = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/** The type of an entity inside of a sentence: `quota rule`. */
export const typeInWords = (type: string): string => type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** `an ItemDocument`, `a ShapeDocument`. */
export const withArticle = (name: string): string => `${/^[AEIO]/i.test(name) ? 'an' : 'a'} ${name}`;

/** The candidate that a misspelt name most likely meant, or undefined when none is within that many edits. */
export function nearest(
  name: string,
  candidates: Iterable<string>,
  max = Math.max(2, Math.floor(name.length / 3)),
): string | undefined {
  let best: string | undefined;
  let least = max + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), least);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Levenshtein distance, given up (as `limit`) once it cannot stay below the limit. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + cost);
    }
    if (Math.min(...next) >= limit) return limit;
    row = next;
  }
  return row[b.length]!;
}

/** Seconds as a person says them: `90 s`, `5 min`. */
export function durationInWords(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 120) return `${whole} s`;
  if (whole < 7200) return `${Math.round(whole / 60)} min`;
  if (whole < 48 * 3600) return `${(whole / 3600).toFixed(1)} h`;
  return `${(whole / 86_400).toFixed(1)} days`;
}
