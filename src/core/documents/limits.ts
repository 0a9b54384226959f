/** Limits of a document. */
export interface DocumentLimits {
  /** Bytes of the body. A body given as a string counts its characters. */
  readonly bytes: number;
  /** Levels of nesting. Small, because the time of saxes is quadratic in it. */
  readonly depth: number;
  /** Attributes of an element, namespace declarations included. */
  readonly attributes: number;
  /** Elements in the whole document. In JSON every value counts. */
  readonly elements: number;
  /** Characters of one text or attribute value. */
  readonly text: number;
  /** Entries of one list. A description may set a lower limit. */
  readonly entries: number;
  /** Unknown elements, including their content. */
  readonly unknown: number;
}

export const defaultLimits: DocumentLimits = {
  bytes: 10 * 1024 * 1024,
  depth: 64,
  attributes: 256,
  elements: 200_000,
  text: 1024 * 1024,
  entries: 1000,
  unknown: 10_000,
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
    entries: 'entries of a list',
    unknown: 'unknown elements in the document',
  };
  return { explanation: `Expected at most ${limits[limit]} ${words[limit]}: found more`, limit };
}

/** The most entries of a list: what its description says, within what the operator allows. */
export const maxOf = (slot: { readonly max: number | undefined }, { entries }: DocumentLimits): number =>
  Math.min(slot.max ?? entries, entries);

export function tooMany(key: string, max: number): { kind: 'limit'; explanation: string; limit: 'entries' } {
  return {
    kind: 'limit',
    explanation: `Expected at most ${max} elements "${key}" in this list: found more`,
    limit: 'entries',
  };
}
