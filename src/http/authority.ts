/** A name or an address, and perhaps a port: what may stand in `Host`, and before the path of an absolute target. */
const form = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Callers of one instance use few names, and parsing one costs more than comparing it. */
let lastGood: string | undefined;

/**
 * Whether the text is a plain authority. Parsers disagree about other texts: as user info, path, query or host name.
 * Deno puts `Host` in front of the path as text.
 */
export function isAuthority(text: string): boolean {
  if (text === lastGood) return true;
  if (text.length > 300 || !form.test(text) || !URL.canParse(`http://${text}/`)) return false;
  lastGood = text;
  return true;
}

/** Authority of an absolute target. Undefined if the target is a path. */
export const authorityIn = (target: string): string | undefined => /^[a-z][\w+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1];
