/** What a user typed, put where it can only be a value. */

const hex = (character: string): string => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** RFC 4515: nothing in a value can end it, add a filter or match more than itself. */
export const escapeFilter = (value: string): string => value.replace(/[\\*()\0]/g, hex);

/** RFC 4514. */
export const escapeDn = (value: string): string =>
  value.replace(/[\\,+"<>;=\0]|^[ #]| $/g, (character) => (character === '\0' ? '\\00' : `\\${character}`));

/** `{0}`, `{1}` of a template, all in one pass: a value that holds a placeholder stays a value. */
export const fill = (template: string, ...values: readonly string[]): string =>
  template.replace(/\{(\d)\}/g, (placeholder, index) => values[Number(index)] ?? placeholder);

/** What the first part of a distinguished name says: `Editors` of `CN=Editors,OU=Groups`. */
export function nameOfDn(dn: string): string | undefined {
  const value = /^[^=]+=((?:\\.|[^,+\\])*)/s.exec(dn)?.[1];
  if (value === undefined) return undefined;
  // Pairs of digits are bytes of UTF-8, so neighbours belong together.
  return value.replace(/(?:\\[0-9a-f]{2})+|\\(.)/gis, (escaped, single?: string) => {
    if (single !== undefined) return single;
    const bytes = Uint8Array.from(escaped.slice(1).split('\\'), (pair) => Number.parseInt(pair, 16));
    return new TextDecoder().decode(bytes);
  });
}

/** Control characters, and the blanks that a directory ignores: `alice ` would be another service user than `alice`. */
export const isPlainName = (name: string): boolean => name !== '' && !/[\0-\x1f\x7f]|^\s|\s$|\s\s/.test(name);
