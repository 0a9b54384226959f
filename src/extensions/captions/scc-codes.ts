import { CaptionError } from './cue.ts';

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

/** Real frames per second. Time codes count 30. */
export const sccRate = 30_000 / 1001;

/** Time base of SCC time codes. */
const base = '30000:1001';

const code = /^(\d{2}):(\d{2}):(\d{2})([:;.,])(\d{2})$/;

/** Frame number of a time code. A semicolon before the frames marks drop-frame: skipped numbers keep hours exact. */
export function sccFrame(text: string): number {
  const [, hours, minutes, seconds, mark, frames] = code.exec(text) ?? [];
  if (hours === undefined) {
    throw new CaptionError(`Expected time codes of SCC such as 01:00:00;00: found "${text.slice(0, 40)}"`);
  }
  const whole = Number(hours) * 60 + Number(minutes);
  const dropped = mark === ':' ? 0 : 2 * (whole - Math.floor(whole / 10));
  return (whole * 60 + Number(seconds)) * 30 + Number(frames) - dropped;
}

/** Drop-frame time code of a frame number. */
export function frameText(frame: number): string {
  const [tens, rest] = [Math.floor(frame / 17_982), frame % 17_982];
  const number = frame + tens * 18 + (rest < 1800 ? 0 : 2 * (1 + Math.floor((rest - 1800) / 1798)));
  const two = (count: number) => String(Math.floor(count)).padStart(2, '0');
  return `${two(number / 108_000)}:${two((number / 1800) % 60)}:${two((number / 30) % 60)};${two(number % 30)}`;
}

export const frameCode = (frame: number): string => `${frame}@${base}`;
