import { type Hasher, toHex } from './bytes.ts';

/** A hash at a boundary of its blocks, as JSON keeps it. */
export interface HashState {
  readonly words: readonly number[];
  readonly bytes: number;
}

/** A hash that goes on after a stop, where the hash of the platform would begin again. Costs several times as much. */
export interface ResumableHasher extends Hasher {
  /** Only behind a number of bytes that is a multiple of `hashBlock`. */
  state(): HashState;
}

/** Bytes of a block. */
export const hashBlock = 64;

const sha256Constants = Int32Array.from([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);

/** FIPS 180-4. Reads one block, and changes the words. */
type Compress = (words: Int32Array, schedule: Int32Array, view: DataView, at: number) => void;

const algorithms: Readonly<Record<'SHA-1' | 'SHA-256', readonly [initial: readonly number[], compress: Compress]>> = {
  'SHA-1': [[0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0], compressSha1],
  'SHA-256': [
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19],
    compressSha256,
  ],
};

function compressSha1(words: Int32Array, w: Int32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 80; i++) {
    const x = w[i - 3]! ^ w[i - 8]! ^ w[i - 14]! ^ w[i - 16]!;
    w[i] = (x << 1) | (x >>> 31);
  }
  let a = words[0]!;
  let b = words[1]!;
  let c = words[2]!;
  let d = words[3]!;
  let e = words[4]!;
  for (let i = 0; i < 80; i++) {
    let f = b ^ c ^ d;
    let k = 0x6ed9eba1;
    if (i < 20) {
      f = (b & c) | (~b & d);
      k = 0x5a827999;
    } else if (i >= 60) k = -0x359d3e2a;
    else if (i >= 40) {
      f = (b & c) | (b & d) | (c & d);
      k = -0x70e44324;
    }
    const next = (((a << 5) | (a >>> 27)) + f + e + k + w[i]!) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  words[0] = words[0]! + a;
  words[1] = words[1]! + b;
  words[2] = words[2]! + c;
  words[3] = words[3]! + d;
  words[4] = words[4]! + e;
}

function compressSha256(words: Int32Array, w: Int32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
  }
  let a = words[0]!;
  let b = words[1]!;
  let c = words[2]!;
  let d = words[3]!;
  let e = words[4]!;
  let f = words[5]!;
  let g = words[6]!;
  let h = words[7]!;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + sha256Constants[i]! + w[i]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  words[0] = words[0]! + a;
  words[1] = words[1]! + b;
  words[2] = words[2]! + c;
  words[3] = words[3]! + d;
  words[4] = words[4]! + e;
  words[5] = words[5]! + f;
  words[6] = words[6]! + g;
  words[7] = words[7]! + h;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** `from`: the state of an earlier one, which goes on. */
export function resumableHasher(name: 'SHA-1' | 'SHA-256', from?: HashState): ResumableHasher {
  const [initial, compress] = algorithms[name];
  const words = Int32Array.from(from?.words ?? initial);
  const schedule = new Int32Array(80);
  const rest = new Uint8Array(hashBlock);
  let bytes = from?.bytes ?? 0;

  function update(piece: Uint8Array): void {
    const filled = bytes % hashBlock;
    bytes += piece.byteLength;
    let at = 0;
    if (filled > 0) {
      at = Math.min(hashBlock - filled, piece.byteLength);
      rest.set(piece.subarray(0, at), filled);
      if (filled + at < hashBlock) return;
      compress(words, schedule, viewOf(rest), 0);
    }
    const view = viewOf(piece);
    for (; at + hashBlock <= piece.byteLength; at += hashBlock) compress(words, schedule, view, at);
    rest.set(piece.subarray(at));
  }

  return {
    update,
    state() {
      if (bytes % hashBlock === 0) return { words: [...words], bytes };
      throw new Error(`Expected whole blocks of ${hashBlock} bytes: ${bytes}`);
    },
    hex() {
      const length = bytes;
      // The padding: a bit, zeros up to the last eight bytes of a block, and the number of bits.
      const padding = new Uint8Array(((119 - (length % hashBlock)) % hashBlock) + 9);
      padding[0] = 0x80;
      viewOf(padding).setBigUint64(padding.byteLength - 8, BigInt(length) * 8n);
      update(padding);
      const digest = new Uint8Array(4 * words.length);
      for (const [at, word] of words.entries()) viewOf(digest).setInt32(4 * at, word);
      return toHex(digest);
    },
  };
}
