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

/** Texts that no line of JSON may have. The newest count, as objects of a former configuration may be at work. */
export class HiddenTexts {
  readonly #texts = new Set<string>();

  learn(text: string): void {
    // A shorter text is part of other words.
    if (text.length < 4) return;
    const escaped = JSON.stringify(text).slice(1, -1);
    this.#texts.delete(escaped);
    this.#texts.add(escaped);
    const [oldest] = this.#texts;
    if (this.#texts.size > maxHidden) this.#texts.delete(oldest!);
  }

  from(line: string): string {
    let shown = line;
    for (const text of this.#texts) if (shown.includes(text)) shown = shown.replaceAll(text, '[redacted]');
    return shown;
  }
}

const maxHidden = 1_000;

/** Alias of a secret, where credentials are `secret:ALIAS`. Undefined: they are credentials. */
export const aliasIn = (credentials: string): string | undefined => /^secret:(.+)$/.exec(credentials)?.[1];

/** Begin of user info in an address: plain, percent-encoded, or encoded more than once. */
const opening = /(?::|%(?:25)*3a)(?:[/\\]|%(?:25)*(?:2f|5c))+/i;
const closing = /@|%(?:25)*40/gi;

/**
 * Hides name and password in all addresses of a text. Rather hides too much: a secret may contain an unencoded "/" or
 * "@".
 */
function maskUserInfo(text: string): string {
  const opened = opening.exec(text);
  if (!opened) return text;
  const from = opened.index + opened[0].length;
  let end = -1;
  for (const closed of text.matchAll(closing)) end = closed.index;
  return end < from ? text : `${text.slice(0, from)}***${text.slice(end)}`;
}

/** Names of parameters with values that open something. */
const secretive = /pass|pwd|^pw$|^pin$|secret|token|jwt|key|auth|credential|^sig|signature|hmac|session|code/i;
export const isSecretName = (name: string): boolean => secretive.test(name);

/** A parameter of an address up to its value: plain, percent-encoded, or encoded more than once. */
const parameter =
  /(?:^|[?&;#]|%(?<level>(?:25)*)(?:3f|26|3b|23))(?<name>(?:(?!%(?:25)*(?:3f|26|3b|23|3d))[^=&;#?\s]){1,200})(?:=|%(?:25)*3d)/gi;
const maxLevel = 4;
/** Ends of a value, by how often its address is encoded: the end is encoded as often, or less. */
const ends = Array.from({ length: maxLevel + 1 }, (_, level) =>
  level === 0 ? /[&;#\s]/g : new RegExp(`[&;#\\s]|%(?:25){0,${level - 1}}(?:26|3b|23)`, 'gi'),
);

/** Hides the values of secretive parameters in all addresses of a text, also of addresses in parameters of others. */
function maskParameters(text: string): string {
  let shown = '';
  let from = 0;
  for (const { index, 0: whole, groups } of text.matchAll(parameter)) {
    const { level, name = '' } = groups!;
    if (index < from || !isSecretName(percentDecoded(name))) continue;
    const begin = index + whole.length;
    const end = ends[level === undefined ? 0 : 1 + level.length / 2];
    if (end) end.lastIndex = begin;
    const until = end?.exec(text)?.index ?? text.length;
    shown += `${text.slice(from, begin)}***`;
    from = until;
  }
  return shown + text.slice(from);
}

/** Signs of a name that somebody has encoded, once or more. */
const percentDecoded = (name: string): string =>
  name.replace(/%(?:25)*([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Seal of a link that is a segment of a path, also percent-encoded. */
const seal = /\d{9,12}(?:-above)?(?:~|%(?:25)*7e)[\w-]{43}/gi;
export const withoutSeals = (text: string): string => text.replace(seal, '***');

/** The text without what opens something: names and passwords in addresses, and what signs them. */
export const withoutSecrets = (text: string): string => maskParameters(maskUserInfo(withoutSeals(text)));
