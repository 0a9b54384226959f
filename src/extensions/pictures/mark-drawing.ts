import { runInSlices } from '../../core/lib/turn.ts';
import type { Pixels } from '../../production/transcoding/public-reading.ts';
import type { Area, Mark } from '../../room/marks.ts';
import { blend, type Colour, drawInto, emptyPixels, fitted } from './canvas.ts';
import { letterHeight, letterOf, letterWidth } from './graph-canvas.ts';
import { readPixels, writePixels } from './pixels.ts';

/** A picture that gets a mark, or the size of an overlay. */
export interface MarkTask {
  readonly mark: Mark;
  readonly picture: Uint8Array<ArrayBuffer> | Pick<Area, 'width' | 'height'>;
  readonly areas?: readonly Area[] | undefined;
}

/** Box of a picture that gets one mark: a larger one would take seconds. */
const maxBox = { width: 1280, height: 720 };

/** A JPEG of the picture, or a PNG of the overlay. Undefined: the picture cannot be read. */
export async function markHere({ picture, areas, mark }: MarkTask): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!(picture instanceof Uint8Array)) {
    const overlay = emptyPixels(picture.width, picture.height, [0, 0, 0, 0]);
    await runInSlices(drawMark(overlay, { x: 0, y: 0, ...picture }, mark));
    return writePixels(overlay, 'image/png');
  }
  const pixels = await readPixels(picture);
  if (!pixels) return undefined;
  const size = areas ? pixels : fitted(pixels, maxBox);
  const sheet = emptyPixels(size.width, size.height, [0, 0, 0, 255]);
  const whole = { x: 0, y: 0, width: size.width, height: size.height };
  await runInSlices(drawInto(sheet, pixels, whole));
  for (const area of areas ?? [whole]) await runInSlices(drawMark(sheet, area, mark));
  return writePixels(sheet, 'image/jpeg');
}

/** Letters that are no letter of the font with a mark above it. */
const spelled: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', đ: 'd', Đ: 'D', ł: 'l', Ł: 'L', ı: 'i' },
  ...{ þ: 'th', Þ: 'Th', ð: 'd', '–': '-', '—': '-', '‘': "'", '’': "'", '“': '"', '”': '"', '·': '-' },
};
/** Dots above a letter, by the character that combines with it. Others are one dot. */
const above: Readonly<Record<string, number>> = { '\u0308': 0b01010, '\u030a': 0b01110, '\u0303': 0b01110 };
const combining = /^\p{M}$/u;

/** Rows of dots of a letter, the first two of them above capitals. */
type Glyph = readonly number[];

/** Glyphs of a text. A character that the font has not is a box, and takes no other place. */
function glyphsOf(text: string): readonly Glyph[] {
  const glyphs: Glyph[] = [];
  for (const character of Array.from(text.normalize('NFD')).flatMap((each) => [...(spelled[each] ?? each)])) {
    const last = glyphs.at(-1);
    if (!combining.test(character)) glyphs.push([0, 0, ...letterOf(character)]);
    else if (last) glyphs[glyphs.length - 1] = [above[character] ?? 0b00100, ...last.slice(1)];
  }
  return glyphs;
}

/** Dots from one letter to the next, and from one line to the next. */
const [advance, leading] = [letterWidth + 1, letterHeight + 4];

/** Lines of a text that fit into a width. Where there is no room for all, the last ones stay: they number the viewer. */
function linesOf(text: string, maxLetters: number, maxLines: number): readonly (readonly Glyph[])[] {
  const lines: Glyph[][] = [[]];
  for (const word of text.split(' ')) {
    const glyphs = glyphsOf(word);
    const line = lines.at(-1)!;
    if (line.length > 0 && line.length + 1 + glyphs.length <= maxLetters) line.push(...glyphsOf(' '), ...glyphs);
    else for (let at = 0; at < glyphs.length; at += maxLetters) lines.push(glyphs.slice(at, at + maxLetters));
  }
  return lines.filter(({ length }) => length > 0).slice(-maxLines);
}

/** Draws the text in white with a black shadow: one of both is seen on any picture. */
export function* drawMark(pixels: Pixels, area: Area, { text, place, strength }: Mark): Generator<number, void> {
  const scale = Math.max(1, Math.floor(Math.min(area.width, area.height) / 240));
  const [across, down] = [advance * scale, leading * scale];
  const maxLetters = Math.max(1, Math.floor(area.width / across) - 1);
  const lines = linesOf(text, maxLetters, Math.max(1, Math.floor(area.height / down)));
  const width = Math.max(...lines.map(({ length }) => length)) * across;
  const height = lines.length * down;
  const alpha = Math.round((strength * 255) / 100);
  const shadow = Math.max(1, scale >> 1);
  for (const [left, top] of placesOf(place, area, { width, height, gap: down })) {
    for (const [at, glyphs] of lines.entries()) {
      const from = left + ((width - glyphs.length * across) >> 1);
      const line = { glyphs, scale, left: from, top: top + at * down };
      drawLine(pixels, area, { ...line, left: from + shadow, top: line.top + shadow }, [0, 0, 0, alpha]);
      drawLine(pixels, area, line, [255, 255, 255, alpha]);
      yield glyphs.length * across * scale * letterHeight;
    }
  }
}

/** Upper left corners of the text, from those of the area. */
function placesOf(
  place: Mark['place'],
  area: Area,
  { width, height, gap }: { readonly width: number; readonly height: number; readonly gap: number },
): readonly (readonly [left: number, top: number])[] {
  const left = (area.width - width) >> 1;
  if (place === 'top') return [[left, gap >> 1]];
  if (place === 'bottom') return [[left, area.height - height - (gap >> 1)]];
  if (place === 'middle') return [[left, (area.height - height) >> 1]];
  const places: [number, number][] = [];
  const [step, fall] = [width + 2 * gap, height + 2 * gap];
  for (let top = gap >> 1, row = 0; top < area.height; top += fall, row++)
    for (let from = row % 2 === 0 ? gap >> 1 : -(step >> 1); from < area.width; from += step) places.push([from, top]);
  return places;
}

interface Line {
  readonly glyphs: readonly Glyph[];
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

/** Dots beyond the edges of the area are left out. */
function drawLine({ width, data }: Pixels, area: Area, { glyphs, scale, left, top }: Line, colour: Colour): void {
  for (const [at, rows] of glyphs.entries()) {
    for (const [row, bits] of rows.entries()) {
      for (let dot = 0; dot < letterWidth * scale; dot++) {
        if (((bits >> (letterWidth - 1 - Math.floor(dot / scale))) & 1) === 0) continue;
        const x = left + at * advance * scale + dot;
        if (x < 0 || x >= area.width) continue;
        for (let line = 0; line < scale; line++) {
          const y = top + row * scale + line;
          if (y >= 0 && y < area.height) blend(data, ((area.y + y) * width + area.x + x) * 4, colour, 1);
        }
      }
    }
  }
}
