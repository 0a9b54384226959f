/** Characters of CEA-608 that differ from ASCII. */
const moved: Readonly<Record<number, string>> = {
  42: 'á',
  92: 'é',
  94: 'í',
  95: 'ó',
  96: 'ú',
  123: 'ç',
  124: '÷',
  125: 'Ñ',
  126: 'ñ',
  127: '█',
};

/** Character sets selected by the byte pairs 0x11 0x30, 0x12 0x20 and 0x13 0x20. */
const special = '®°½¿™¢£♪à\u00a0èâêîôû';
const western = 'ÁÉÓÚÜü‘¡*’—©℠·“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»';
const northern = 'ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤¦ÅåØø┌┐└┘';

/** A single byte as a character. */
export const plainCharacter = (byte: number): string => moved[byte] ?? String.fromCharCode(byte);

/** Decodes a pair of bytes. `replaces`: it overwrites the character before it. */
export function pairedCharacter(
  first: number,
  second: number,
): { readonly character: string; readonly replaces: boolean } | undefined {
  if (first === 0x11 && second >= 0x30 && second <= 0x3f) {
    return { character: special[second - 0x30]!, replaces: false };
  }
  const table = first === 0x12 ? western : first === 0x13 ? northern : undefined;
  if (table === undefined || second < 0x20 || second > 0x3f) return undefined;
  return { character: table[second - 0x20]!, replaces: true };
}

const bytesOf: ReadonlyMap<string, readonly number[]> = new Map([
  ...Array.from({ length: 96 }, (_, at): [string, readonly number[]] => [plainCharacter(at + 32), [at + 32]]).reverse(),
  ...[...special].map((each, at): [string, readonly number[]] => [each, [0x11, 0x30 + at]]),
  ...[...western].map((each, at): [string, readonly number[]] => [each, [0x12, 0x20 + at]]),
  ...[...northern].map((each, at): [string, readonly number[]] => [each, [0x13, 0x20 + at]]),
]);

/**
 * Encodes a character as one byte or a pair. Characters unknown to CEA-608 lose their accent, or become a question
 * mark.
 */
export function bytesFor(character: string): readonly number[] {
  const ownBytes = bytesOf.get(character);
  if (ownBytes) return ownBytes;
  const bare = character.normalize('NFD').replace(/\p{M}/gu, '');
  return bytesOf.get(bare) ?? [63];
}

/** Plain character sent before an extended one, for decoders that ignore the latter. */
export function fallbackFor(character: string): number {
  const bare = character.normalize('NFD').replace(/\p{M}/gu, '');
  const bareBytes = bytesOf.get(bare);
  return bareBytes?.length === 1 ? bareBytes[0]! : 32;
}
