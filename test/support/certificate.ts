import { type KeyObject, sign } from 'node:crypto';

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
