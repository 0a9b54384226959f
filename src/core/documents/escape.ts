/**
 * XML 1.0 has no way to write these, not even as a reference: they are dropped. This is the one place that says so;
 * JSON keeps them. Control characters other than tab, line feed and carriage return, U+FFFE, U+FFFF, halves of characters.
 */
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const textNeeds = /[&<>\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/;
const attributeNeeds = /[&<>"\t\n\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/;

type References = readonly (readonly [character: string, reference: string])[];

/** The ampersand comes first: it begins all other references. */
const inText: References = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  // Always, so that "]]>" cannot arise.
  ['>', '&gt;'],
  // Readers turn these into spaces or line feeds unless they are references.
  ['\r', '&#13;'],
];
const inAttribute: References = [...inText, ['"', '&quot;'], ['\t', '&#9;'], ['\n', '&#10;']];

/** Text without characters that XML cannot represent. */
export function xmlCharacters(text: string): string {
  return text.replace(unwritable, '');
}

export const escapeText = (text: string): string =>
  textNeeds.test(text) ? withReferences(xmlCharacters(text), inText) : text;

export const escapeAttribute = (text: string): string =>
  attributeNeeds.test(text) ? withReferences(xmlCharacters(text), inAttribute) : text;

/**
 * Replaces one character after the other: the platform does that faster than a function for each character, for any
 * length.
 */
function withReferences(text: string, references: References): string {
  let out = text;
  for (const [character, reference] of references) {
    if (out.includes(character)) out = out.replaceAll(character, reference);
  }
  return out;
}
