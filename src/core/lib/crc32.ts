import { yieldTurn } from './turn.ts';

/** Bytes that are looked at in one turn of the loop: a few milliseconds. */
const turnBytes = 1024 * 1024;

/** Eight tables: each is for bytes that stand so many places before the end of a word of eight. */
const tables = Array.from({ length: 8 }, () => new Uint32Array(256));
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  tables[0]![byte] = crc;
}
for (let at = 1; at < 8; at++)
  for (let byte = 0; byte < 256; byte++) {
    const before = tables[at - 1]![byte]!;
    tables[at]![byte] = (before >>> 8) ^ tables[0]![before & 255]!;
  }
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
  ...[Uint32Array, Uint32Array, Uint32Array, Uint32Array],
  ...[Uint32Array, Uint32Array, Uint32Array, Uint32Array],
];

interface Runtime {
  readonly process?: {
    getBuiltinModule?(name: string): { readonly crc32?: (bytes: Uint8Array, before?: number) => number } | undefined;
  };
}

/** The function of the runtime, four times as fast, where it has one. An import would fail elsewhere. */
const native = (globalThis as Runtime).process?.getBuiltinModule?.('node:zlib')?.crc32;

/** The check sum of ZIP and PNG. `before`: that of the bytes in front of these. */
export const crc32: (bytes: Uint8Array, before?: number) => number = native ?? portableCrc32;

/** As `crc32`, for runtimes without it. */
export function portableCrc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      t7[crc & 255]! ^
      t6[(crc >>> 8) & 255]! ^
      t5[(crc >>> 16) & 255]! ^
      t4[crc >>> 24]! ^
      t3[bytes[at + 4]!]! ^
      t2[bytes[at + 5]!]! ^
      t1[bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) crc = t0[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** As `crc32`, for bytes of any length: other work comes in between. */
export async function crc32InTurns(bytes: Uint8Array, before = 0): Promise<number> {
  let crc = before;
  for (let at = 0; at < bytes.length; at += turnBytes) {
    if (at > 0) await yieldTurn();
    crc = crc32(bytes.subarray(at, at + turnBytes), crc);
  }
  return crc;
}
