import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate of its own, for 127.0.0.1 or another name: made for each run, so that none expires and no key is kept. */
export function selfSigned(host?: string): { readonly key: string; readonly cert: string; readonly base64: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = tagged(0x30, oid('2a8648ce3d040302'));
  const name = tagged(0x30, tagged(0x31, tagged(0x30, oid('550403'), tagged(0x0c, Buffer.from('portico test')))));
  const time = (offset: number) => {
    const text = new Date(Date.now() + offset * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '');
    return tagged(0x17, Buffer.from(text.slice(2)));
  };
  const alternatives = tagged(0x30, host ? tagged(0x82, Buffer.from(host)) : tagged(0x87, Buffer.from([127, 0, 0, 1])));
  const body = tagged(
    0x30,
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1])),
    algorithm,
    name,
    tagged(0x30, time(-1), time(2)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(
      0xa3,
      tagged(
        0x30,
        extension('551d11', alternatives),
        extension('551d13', tagged(0x30, tagged(0x01, Buffer.from([0xff])))),
      ),
    ),
  );
  const signature = sign('sha256', body, privateKey);
  const whole = tagged(0x30, body, algorithm, tagged(0x03, Buffer.from([0]), signature));
  const base64 = whole.toString('base64');
  const cert = `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert, base64 };
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 128
      ? [content.length]
      : content.length < 256
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const extension = (id: string, value: Buffer): Buffer => tagged(0x30, oid(id), tagged(0x04, value));
