/** Letters of five by seven dots, from the blank to the tilde. Each row is a digit of base 32; some letters go on below the line. */
const letters = (
  '0000000 4444404 aa00000 aavavaa 4fke5u4 op248j3 cik8lid 4480000 2484842 8422248 04lel40 044v440 ' +
  '000004480 000e000 00000cc 12248g0 ehjlphe 4c4444e eh1248v v2421he 26aiv22 vgu11he 68guhhe v124888 ' +
  'ehhehhe ehhf12c 0cc0cc0 0cc0c48 248g842 00v0v00 8421248 eh12404 eh1dlle ehhvhhh uhhuhhu ehggghe ' +
  'sihhhis vgguggv vgguggg ehgnhhf hhhvhhh e44444e 72222ic hikokih ggggggv hrllhhh hhpljhh ehhhhhe ' +
  'uhhuggg ehhhlid uhhukih fgge11u v444444 hhhhhhe hhhhha4 hhhllla hha4ahh hhha444 v1248gv e88888e ' +
  'g884221 e22222e 4ah0000 000000v 8420000 00e1fhf ggmphhu 00egghe 11djhhf 00ehvge 698s888 00fhhhf1e ' +
  'ggmphhh 40c444e 2062222ic ggikoki c44444e 00qllhh 00mphhh 00ehhhe 00uhhhugg 00fhhhf11 00mpggg ' +
  '00fge1u 88s8896 00hhhjd 00hhha4 00hhlla 00ha4ah 00hhhhf1e 00v248v 6448446 4444444 c44244c 008l200'
).split(' ');

/** For all characters that the font has not. */
const unknown = 'vhhhhhv';

export const letterWidth = 5;
export const letterHeight = 9;

const first = 0x20;

const parsed = new Map<string, readonly number[]>();

/** The rows of a letter, from the top. In each row the highest of five bits is the dot on the left. */
export function letterOf(character: string): readonly number[] {
  const parsedRows = parsed.get(character);
  if (parsedRows) return parsedRows;
  const digits = letters[character.charCodeAt(0) - first];
  if (character.length > 1 || digits === undefined) return rowsOf(unknown);
  const rows = rowsOf(digits);
  parsed.set(character, rows);
  return rows;
}

const rowsOf = (digits: string): readonly number[] => Array.from(digits, (digit) => Number.parseInt(digit, 32));
