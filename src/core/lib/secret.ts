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
