/** Escaping of user input, so that it can only be a value. */

const hex = (character: string): string => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Escapes by RFC 4515: a value cannot end itself, add a filter or match more than itself. */
export const escapeFilter = (value: string): string => value.replace(/[\\*()\0]/g, hex);

/** Escapes a value of a distinguished name by RFC 4514. */
export const escapeDn = (value: string): string =>
  value.replace(/[\\,+"<>;=\0]|^[ #]| $/g, (character) => (character === '\0' ? '\\00' : `\\${character}`));

/** Replaces `{0}`, `{1}` of a template in a single pass: placeholders inside of values stay unchanged. */
export const fill = (template: string, ...values: readonly string[]): string =>
  template.replace(/\{(\d)\}/g, (placeholder, index) => values[Number(index)] ?? placeholder);

/** First value of a distinguished name: `Editors` of `CN=Editors,OU=Groups`. */
export function nameOfDn(dn: string): string | undefined {
  const value = /^[^=]+=((?:\\.|[^,+\\])*)/s.exec(dn)?.[1];
  if (value === undefined) return undefined;
  // Escaped digits are bytes of UTF-8, so adjacent pairs are decoded together.
  return value.replace(/(?:\\[0-9a-f]{2})+|\\(.)/gis, (escaped, single?: string) => {
    if (single !== undefined) return single;
    const bytes = Uint8Array.from(escaped.slice(1).split('\\'), (pair) => Number.parseInt(pair, 16));
    return new TextDecoder().decode(bytes);
  });
}

/** Control characters, and the blanks that a directory ignores: `alice ` would be another service user than `alice`. */
export const isPlainName = (name: string): boolean => name !== '' && !/[\0-\x1f\x7f]|^\s|\s$|\s\s/.test(name);
