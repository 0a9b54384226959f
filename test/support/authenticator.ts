import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { codeAt, stepAt } from '../../src/identity/second-factor/totp.ts';
import type { AuthenticatorAnswer } from '../../src/identity/second-factor/webauthn.ts';

/** Stand-ins for what people carry: an authenticator, and an app that makes codes. */

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const text64 = (data: Buffer | string): string => Buffer.from(data).toString('base64url');

interface Ceremony {
  readonly challenge: string;
  readonly origin?: string;
  readonly host?: string;
  readonly type?: string;
  readonly flags?: number;
  readonly counter?: number;
}

const kinds = {
  [-7]: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  [-8]: () => generateKeyPairSync('ed25519'),
  [-257]: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
} as const;

let serial = 0;

export class Authenticator {
  readonly algorithm: keyof typeof kinds;
  readonly #key: KeyObject;
  readonly id = text64(sha256(`credential ${++serial}`));
  counter = 0;

  constructor(algorithm: keyof typeof kinds = -7) {
    this.algorithm = algorithm;
    this.#key = kinds[algorithm]().privateKey;
  }

  /** Answer that the page sends for a new passkey. */
  create({ challenge, origin, host, type = 'webauthn.create', flags = 0x45 }: Ceremony): AuthenticatorAnswer {
    const id = Buffer.from(this.id, 'base64url');
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, Buffer.from([0xa0])]);
    return {
      ...this.#signed({ challenge, type, flags, ...(origin && { origin }), ...(host && { host }) }, credential).answer,
      publicKey: createPublicKey(this.#key).export({ type: 'spki', format: 'der' }).toString('base64url'),
      algorithm: this.algorithm,
    };
  }

  /** Answer that the page sends for a login. */
  get(ceremony: Ceremony): AuthenticatorAnswer {
    const { answer, data } = this.#signed({ type: 'webauthn.get', flags: 0x05, counter: ++this.counter, ...ceremony });
    const digest = this.algorithm === -8 ? null : 'sha256';
    return { ...answer, signature: text64(sign(digest, data, this.#key)) };
  }

  #signed(
    { challenge, type, flags = 0x05, counter = 0, origin = 'https://portico.test', host = 'portico.test' }: Ceremony,
    credential: Buffer = Buffer.alloc(0),
  ) {
    const clientData = JSON.stringify({ type, challenge: text64(challenge), origin, crossOrigin: false });
    const head = Buffer.alloc(5);
    head[0] = flags;
    head.writeUInt32BE(counter, 1);
    const authenticatorData = Buffer.concat([sha256(host), head, credential]);
    const answer = { id: this.id, clientData: text64(clientData), authenticatorData: text64(authenticatorData) };
    return { answer, data: Buffer.concat([authenticatorData, sha256(clientData)]) };
  }
}

const symbols = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an app shows for a secret in base32. */
export function codeOf(secret: string, now: number): Promise<string> {
  const bits = [...secret].map((symbol) => symbols.indexOf(symbol).toString(2).padStart(5, '0')).join('');
  const bytes = Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  return codeAt(Buffer.from(bytes).toString('base64url'), stepAt(now));
}
