import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { startOfTime } from './clock.ts';

export interface CertificateOptions {
  readonly from?: Date;
  readonly until?: Date;
  /** The first byte of the key usage: 0x80 is for signatures, 0x20 for the encryption of keys. */
  readonly usage?: number;
  /** Names or addresses, as an extension of their own. */
  readonly more?: readonly Buffer[];
}

const day = 86_400_000;

/** A certificate that its own key has signed, as DER: made for each run, so that none expires and no key is kept. */
export function certificateOf(
  { publicKey, privateKey }: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
  options: CertificateOptions = {},
): Buffer {
  const { from = new Date(Date.now() - day), until = new Date(Date.now() + 2 * day), usage, more = [] } = options;
  const kind = privateKey.asymmetricKeyType ?? '';
  const algorithm = tagged(0x30, ...(algorithms[kind] ?? []));
  const name = tagged(
    0x30,
    tagged(0x31, tagged(0x30, identifier('550403'), tagged(0x0c, Buffer.from('portico test')))),
  );
  const usages = usage === undefined ? [] : [extension('551d0f', tagged(0x03, Buffer.from([0, usage])))];
  const extensions = [...usages, ...more];
  const body = tagged(
    0x30,
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1])),
    algorithm,
    name,
    tagged(0x30, time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [tagged(0xa3, tagged(0x30, ...extensions))] : []),
  );
  const signature = sign(kind === 'ed25519' ? null : 'sha256', body, privateKey);
  return tagged(0x30, body, algorithm, tagged(0x03, Buffer.from([0]), signature));
}

export function pemOf(label: string, der: Buffer): string {
  return `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;
}

export const extension = (id: string, value: Buffer): Buffer => tagged(0x30, identifier(id), tagged(0x04, value));

export function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 128
      ? [content.length]
      : content.length < 256
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const identifier = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));

const algorithms: Readonly<Record<string, readonly Buffer[]>> = {
  rsa: [identifier('2a864886f70d01010b'), tagged(0x05)],
  ec: [identifier('2a8648ce3d040302')],
  ed25519: [identifier('2b6570')],
};

/** Two digits for the year until 2049, four from then on. */
function time(date: Date): Buffer {
  const text = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050 ? tagged(0x17, Buffer.from(text.slice(2))) : tagged(0x18, Buffer.from(text));
}

export interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const pairs = new Map<string, Pair>();
const makers: Readonly<Record<string, () => Pair>> = {
  RSA: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'P-256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'P-384': () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'P-521': () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  Ed25519: () => generateKeyPairSync('ed25519'),
};

/** A key of that kind. The same one each time for the same name after a blank: `P-256 other`. */
export function pair(name: string): Pair {
  const known = pairs.get(name) ?? makers[name.split(' ')[0]!]!();
  pairs.set(name, known);
  return known;
}

export const spki = ({ publicKey }: Pair): Buffer => publicKey.export({ type: 'spki', format: 'der' });
export const jwk = ({ publicKey }: Pair): Record<string, unknown> =>
  publicKey.export({ format: 'jwk' }) as Record<string, unknown>;

const signers: Readonly<Record<string, (input: Buffer, key: KeyObject) => Buffer>> = {
  RS: (input, key) => sign('sha256', input, key),
  RS384: (input, key) => sign('sha384', input, key),
  RS512: (input, key) => sign('sha512', input, key),
  // Salt as long as the digest, padding PSS.
  PS: (input, key) => sign('sha256', input, { key, padding: 6, saltLength: 32 }),
  PS384: (input, key) => sign('sha384', input, { key, padding: 6, saltLength: 48 }),
  PS512: (input, key) => sign('sha512', input, { key, padding: 6, saltLength: 64 }),
  ES: (input, key) => sign('sha256', input, { key, dsaEncoding: 'ieee-p1363' }),
  ES384: (input, key) => sign('sha384', input, { key, dsaEncoding: 'ieee-p1363' }),
  ES512: (input, key) => sign('sha512', input, { key, dsaEncoding: 'ieee-p1363' }),
  Ed: (input, key) => sign(null, input, key),
};

/** As texts, so that they can be what no library would write. */
type Part = object | string;

const encoded = (part: Part): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

const defaultValue = new Map([
  ['rsa', 'RS256'],
  ['ec', 'ES256'],
  ['ed25519', 'EdDSA'],
]);
const algorithmOf = ({ privateKey }: Pair): string => defaultValue.get(privateKey.asymmetricKeyType ?? '')!;

/** A token that this key has signed, whatever the header says, by the algorithm that is named. */
export function signed(by: Pair, payload: Part, header: Part = {}, algorithm = algorithmOf(by)): string {
  const head = typeof header === 'string' ? header : { alg: algorithm, ...header };
  const input = `${encoded(head)}.${encoded(payload)}`;
  const signer = signers[algorithm] ?? signers[algorithm.slice(0, 2)]!;
  return `${input}.${signer(Buffer.from(input), by.privateKey).toString('base64url')}`;
}

/** A token with a code that anybody can make who knows these bytes. */
export function coded(secret: Buffer | string, payload: Part, header: Part = { alg: 'HS256' }): string {
  const input = `${encoded(header)}.${encoded(payload)}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

/** Without a signature, or with any text in its place. */
export const unsigned = (header: Part, payload: Part, signature = ''): string =>
  `${encoded(header)}.${encoded(payload)}.${signature}`;

export const audience = 'portico';

/** Claims of a good token, at the time at which test clocks stand. */
export function claims(changes: Readonly<Record<string, unknown>> = {}, now = startOfTime): Record<string, unknown> {
  const seconds = Math.floor(now / 1000);
  const good = {
    iss: 'https://idp.example',
    sub: '4711',
    aud: audience,
    exp: seconds + 3600,
    iat: seconds,
    user: 'alice',
  };
  return Object.fromEntries(Object.entries({ ...good, ...changes }).filter(([, value]) => value !== undefined));
}
