/** What one document may ask of the reader. */
export interface DocumentLimits {
  /** Of the body; a body given as a string counts its characters. */
  readonly bytes: number;
  /** Of nesting. saxes needs time in the square of it, so it is small. */
  readonly depth: number;
  /** Per element, namespace declarations included. */
  readonly attributes: number;
  /** In the whole document; in JSON every value counts. */
  readonly elements: number;
  /** Characters of one text or attribute value. */
  readonly text: number;
}

export const defaultLimits: DocumentLimits = {
  bytes: 10 * 1024 * 1024,
  depth: 64,
  attributes: 256,
  elements: 200_000,
  text: 1024 * 1024,
};

export function tooMuch(
  limit: keyof DocumentLimits,
  limits: DocumentLimits,
): { explanation: string; limit: keyof DocumentLimits } {
  const words: Record<keyof DocumentLimits, string> = {
    bytes: 'bytes in the document',
    depth: 'levels of nesting',
    attributes: 'attributes of an element',
    elements: 'elements in the document',
    text: 'characters of text',
  };
  return { explanation: `Expected at most ${limits[limit]} ${words[limit]}: found more`, limit };
}
