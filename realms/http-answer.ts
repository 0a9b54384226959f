import type { Account } from '../src/spi/index.ts';

const mostBytes = 65_536;

/** The body, or an error once it is longer than any honest answer. */
export async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [text, bytes] = ['', 0];
  const reader = response.body?.getReader();
  if (!reader) return text;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > mostBytes) {
      await reader.cancel().catch(() => undefined);
      throw new Error(`Expected an answer of at most ${mostBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && !/[\0-\x1f\x7f]/.test(value);
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

/** Never what was found: an endpoint may well answer with what it was asked. */
const expected = (what: string): Error => new Error(`Expected ${what} in the answer of the endpoint`);

/** An object at least, if an empty one: a page, or nothing at all, is what proxies and broken servers answer. */
export function accountFrom(text: string, user: string): Account {
  const { name = user, realName, groups, attributes = {}, exp } = objectFrom(text);
  if (!isText(name) || name === '') throw expected('a text as "name"');
  if (realName !== undefined && !isText(realName)) throw expected('a text as "realName"');
  if (groups !== undefined && !isTexts(groups)) throw expected('a list of texts as "groups"');
  if (exp !== undefined && !(typeof exp === 'number' && Number.isFinite(exp))) throw expected('a number as "exp"');
  const texts: Record<string, string | readonly string[]> = {};
  for (const [key, value] of Object.entries(objectOf(attributes, 'an object as "attributes"'))) {
    // A name that would become the prototype of whatever this is copied into.
    if (key === '__proto__') throw expected('no attribute of that name');
    if (typeof value !== 'string' && !isTexts(value)) throw expected('texts and lists of texts as attributes');
    texts[key] = value;
  }
  if (realName !== undefined) texts['realName'] = realName;
  if (groups !== undefined) texts['groups'] = groups;
  return { name, attributes: texts, ...(exp === undefined ? {} : { ends: exp * 1000 }) };
}

function objectFrom(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw expected('JSON');
  }
  return objectOf(value, 'an object');
}

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw expected(what);
  return value as Readonly<Record<string, unknown>>;
}
