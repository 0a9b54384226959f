/**
 * XML 1.0 has no way to write these, not even as a reference: they are dropped. This is the one place that says so;
 * JSON keeps them. Control characters other than tab, line feed and carriage return, U+FFFE, U+FFFF, halves of characters.
 */
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const textNeeds = /[&<>\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/;
const attributeNeeds = /[&<>"\t\n\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/;

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  // Always, so that "]]>" cannot arise.
  '>': '&gt;',
  '"': '&quot;',
  // Readers turn these into spaces or line feeds unless they are references.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** The text as XML can carry it. */
export function xmlCharacters(text: string): string {
  return text.replace(unwritable, '');
}

export function escapeText(text: string): string {
  if (!textNeeds.test(text)) return text;
  return xmlCharacters(text).replace(/[&<>\r]/g, (character) => references[character]!);
}

export function escapeAttribute(text: string): string {
  if (!attributeNeeds.test(text)) return text;
  return xmlCharacters(text).replace(/[&<>"\t\n\r]/g, (character) => references[character]!);
}
