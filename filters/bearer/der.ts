/** Element of DER, the binary encoding of certificates and keys. */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Element with its tag and its length. */
  readonly whole: Uint8Array;
}

export const tags = {
  bits: 0x03,
  octets: 0x04,
  identifier: 0x06,
  shortTime: 0x17,
  longTime: 0x18,
  sequence: 0x30,
} as const;

/** The elements that stand one after the other in these bytes. Throws for bytes that are something else. */
export function elementsOf(bytes: Uint8Array): readonly DerElement[] {
  const elements: DerElement[] = [];
  for (let start = 0; start < bytes.length; ) {
    const begin = start + headOf(bytes, start);
    const end = begin + lengthOf(bytes, start);
    // Not the other way round: the length of a head that was cut off is no number.
    if (!(end <= bytes.length)) throw new Error('Expected DER: it ends too early');
    elements.push({ tag: bytes[start]!, content: bytes.subarray(begin, end), whole: bytes.subarray(start, end) });
    start = end;
  }
  return elements;
}

export function derChildren(element: DerElement | undefined, tag: number = tags.sequence): readonly DerElement[] {
  if (element?.tag !== tag) throw new Error('Expected DER: another element stands there');
  return elementsOf(element.content);
}

/** Beyond 127 the first byte says how many bytes tell the length. */
function headOf(bytes: Uint8Array, start: number): number {
  const first = bytes[start + 1]!;
  if (first === 0x80 || first > 0x83) throw new Error('Expected DER: a length that nothing has');
  return first < 0x80 ? 2 : 2 + (first & 0x7f);
}

function lengthOf(bytes: Uint8Array, start: number): number {
  const first = bytes[start + 1]!;
  if (first < 0x80) return first;
  let length = 0;
  for (let index = 0; index < (first & 0x7f); index++) length = length * 256 + bytes[start + 2 + index]!;
  return length;
}

export const hexOf = (element: DerElement | undefined): string =>
  [...(element?.content ?? [])].map((byte) => byte.toString(16).padStart(2, '0')).join('');
