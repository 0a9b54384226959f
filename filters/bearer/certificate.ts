import { type DerElement, derChildren, elementsOf, hexOf, tags } from './der.ts';

/** Validity period and key usage of a certificate. */
export interface Validity {
  readonly from: number;
  readonly until: number;
  /** False if the key usage is given and does not include signatures. */
  readonly signs: boolean;
}

interface Certificate {
  /** Public key as SubjectPublicKeyInfo. */
  readonly key: Uint8Array;
  readonly validity: Validity;
}

const version = 0xa0;
const extensions = 0xa3;
const keyUsage = '551d0f';

/** Reads what is needed of X.509. The operator trusts each configured certificate: this file builds no chain and checks no authority. */
export function readCertificate(bytes: Uint8Array): Certificate {
  const [body] = derChildren(elementsOf(bytes)[0]);
  const fields = derChildren(body);
  const [, , , validity, , key, ...more] = fields[0]?.tag === version ? fields.slice(1) : fields;
  const [from, until] = derChildren(validity).map(timeOf);
  if (from === undefined || until === undefined || key?.tag !== tags.sequence)
    throw new Error('Expected a certificate');
  return { key: key.whole, validity: { from, until, signs: allowsSignatures(more) } };
}

/** Reason why the certificate is invalid at that time, as the end of a sentence. Undefined: valid. */
export function invalidity({ from, until, signs }: Validity, now: number): string | undefined {
  if (now < from) return `valid from ${new Date(from).toISOString()}`;
  if (now > until) return `expired on ${new Date(until).toISOString()}`;
  return signs ? undefined : `its key usage has no signatures (it expires on ${new Date(until).toISOString()})`;
}

/** Reads `YYMMDDHHMMSSZ` until 2049, `YYYYMMDDHHMMSSZ` from then on. The last second counts as a whole. */
function timeOf({ tag, content }: DerElement, index: number): number {
  const text = String.fromCharCode(...content);
  const century = tag === tags.longTime ? '' : Number(text.slice(0, 2)) < 50 ? '20' : '19';
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(century + text)?.slice(1);
  if ((tag !== tags.shortTime && tag !== tags.longTime) || !parts)
    throw new Error('Expected the dates of a certificate');
  const [year, month, day, hour, minute, second] = parts.map(Number);
  return Date.UTC(year!, month! - 1, day, hour, minute, second, index === 0 ? 0 : 999);
}

function allowsSignatures(fields: readonly DerElement[]): boolean {
  const wrapped = fields.find(({ tag }) => tag === extensions);
  if (!wrapped) return true;
  const listed = derChildren(elementsOf(wrapped.content)[0]).map((extension) => derChildren(extension));
  const usage = listed.find(([identifier]) => hexOf(identifier) === keyUsage);
  if (!usage) return true;
  // The first byte counts bits that are left over; of the next one the highest bit is for signatures.
  const [bits] = derChildren(usage.at(-1), tags.octets);
  return bits?.tag === tags.bits && (bits.content[1]! & 0x80) !== 0;
}
