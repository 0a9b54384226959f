/**
 * A value that must not reach a log, an error or a metric. Whatever prints it prints a mask;
 * only `reveal` gives it away, so every place that needs the text can be found by that name.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return '[redacted]';
  }

  toJSON(): string {
    return '[redacted]';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[redacted]';
  }

  [Symbol.for('Deno.customInspect')](): string {
    return '[redacted]';
  }
}

/**
 * Hides secrets in texts of plugins. A very short secret withholds the whole text, as it cannot be told from other
 * words.
 */
export function hiding(secrets: Iterable<string>, withheld = '[redacted]'): (text: string) => string {
  return (text) => {
    let shown = text;
    for (const secret of secrets) {
      if (!shown.includes(secret)) continue;
      if (secret.length < 4) return withheld;
      shown = shown.replaceAll(secret, '[redacted]');
    }
    return shown;
  };
}

/** Alias of a secret, where credentials are `secret:ALIAS`. Undefined: they are credentials. */
export const aliasIn = (credentials: string): string | undefined => /^secret:(.+)$/.exec(credentials)?.[1];

/** Begin of user info in an address: plain, percent-encoded, or encoded more than once. */
const opening = /(?::|%(?:25)*3a)(?:[/\\]|%(?:25)*(?:2f|5c))+/i;
const closing = /@|%(?:25)*40/gi;

/**
 * Hides name and password in all addresses of a text. Rather hides too much: a secret may contain an unencoded "/" or
 * "@".
 */
export function maskUserInfo(text: string): string {
  const opened = opening.exec(text);
  if (!opened) return text;
  const from = opened.index + opened[0].length;
  let end = -1;
  for (const closed of text.matchAll(closing)) end = closed.index;
  return end < from ? text : `${text.slice(0, from)}***${text.slice(end)}`;
}
