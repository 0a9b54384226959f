import { generateKeyPairSync } from 'node:crypto';
import { certificateOf, extension, pemOf, tagged } from '../../support/keys.ts';

/** A certificate of its own, for 127.0.0.1 or another name. */
export function selfSigned(host?: string): { readonly key: string; readonly cert: string; readonly base64: string } {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const names = tagged(0x30, host ? tagged(0x82, Buffer.from(host)) : tagged(0x87, Buffer.from([127, 0, 0, 1])));
  const authority = tagged(0x30, tagged(0x01, Buffer.from([0xff])));
  const der = certificateOf(pair, { more: [extension('551d11', names), extension('551d13', authority)] });
  const key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { key, cert: pemOf('CERTIFICATE', der), base64: der.toString('base64') };
}
