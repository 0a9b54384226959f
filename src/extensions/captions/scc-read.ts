import { CaptionError, type Cue, type CueReader, linesOf } from './cue.ts';
import { frameCode, pairedCharacter, plainCharacter, sccFrame } from './scc-codes.ts';

/** Frames until a caption without an end disappears: four seconds. */
const forgotten = 120;
const rows = 15;

/** Rows of a screen, from the top. */
type Screen = Map<number, string>;

/** Row that a preamble selects: two for each first byte, by a bit of the second. */
const rowOf: ReadonlyMap<number, number> = new Map([
  [0x11, 1],
  [0x12, 3],
  [0x15, 5],
  [0x16, 7],
  [0x17, 9],
  [0x10, 11],
  [0x13, 12],
  [0x14, 14],
]);

/** Decodes the first caption channel. */
class Decoder {
  readonly cues: Cue[] = [];
  #shown: Screen = new Map();
  #loading: Screen = new Map();
  /** Modes: captions appear whole (pop-on), roll up line by line, or are painted in position. */
  #mode: 'pop' | 'roll' | 'paint' = 'pop';
  #row = rows;
  #since = 0;
  #isFirst = true;
  #last = -1;

  word(first: number, second: number, frame: number): void {
    const isControl = first >= 0x10 && first <= 0x1f;
    const both = first * 256 + second;
    // Commands are sent twice, for the case that one is lost.
    const isRepeated = isControl && both === this.#last;
    this.#last = isRepeated ? -1 : isControl ? both : -1;
    if (isRepeated) return;
    if (!isControl) {
      if (!this.#isFirst) return;
      if (first >= 0x20) this.#write(plainCharacter(first), frame);
      if (second >= 0x20) this.#write(plainCharacter(second), frame);
      return;
    }
    this.#isFirst = first < 0x18;
    if (this.#isFirst) this.#control(first, second, frame);
  }

  /** Ends the caption that is still visible at the end of the file. */
  end(): void {
    this.#erase(this.#since + forgotten);
  }

  #control(first: number, second: number, frame: number): void {
    const paired = pairedCharacter(first, second);
    if (paired) {
      if (paired.replaces) this.#back();
      this.#write(paired.character, frame);
    } else if ((first === 0x14 || first === 0x15) && second >= 0x20 && second <= 0x2f) this.#command(second, frame);
    else if (second >= 0x40) this.#row = (rowOf.get(first) ?? rows) + (first !== 0x10 && (second & 0x20) !== 0 ? 1 : 0);
    else if (first === 0x11) this.#write(' ', frame);
  }

  #command(second: number, frame: number): void {
    if (second === 0x20) this.#mode = 'pop';
    else if (second === 0x21) this.#back();
    else if (second >= 0x25 && second <= 0x27) this.#roll(frame);
    else if (second === 0x29) this.#mode = 'paint';
    else if (second === 0x2c) this.#erase(frame);
    else if (second === 0x2d) this.#newLine(frame);
    else if (second === 0x2e) this.#loading = new Map();
    else if (second === 0x2f) this.#flip(frame);
  }

  #roll(frame: number): void {
    if (this.#mode !== 'roll') this.#erase(frame);
    this.#mode = 'roll';
  }

  /** Roll-up lines become single cues, each until the next begins. */
  #newLine(frame: number): void {
    if (this.#mode === 'roll') this.#erase(frame);
  }

  #flip(frame: number): void {
    this.#erase(frame);
    [this.#shown, this.#loading] = [this.#loading, this.#shown];
    this.#since = frame;
    this.#mode = 'pop';
  }

  #erase(frame: number): void {
    const lines = [...this.#shown].toSorted(([one], [other]) => one - other).map(([, line]) => line.trim());
    const text = lines.filter((line) => line !== '').join('\n');
    if (text !== '' && frame > this.#since) {
      this.cues.push({ start: frameCode(this.#since), end: frameCode(frame), text });
    }
    this.#shown = new Map();
  }

  #write(character: string, frame: number): void {
    const screen = this.#mode === 'pop' ? this.#loading : this.#shown;
    if (this.#mode !== 'pop' && screen.size === 0) this.#since = frame;
    screen.set(this.#row, ((screen.get(this.#row) ?? '') + character).slice(-200));
  }

  #back(): void {
    const screen = this.#mode === 'pop' ? this.#loading : this.#shown;
    const line = screen.get(this.#row);
    if (line !== undefined) screen.set(this.#row, line.slice(0, -1));
  }
}

/** Reads SCC: words of the first CEA-608 channel. A word takes one frame. */
export function* readScc(text: string): CueReader {
  const decoder = new Decoder();
  let isFirst = true;
  for (const line of linesOf(text)) {
    if (isFirst && !/^Scenarist_SCC V1\.0/.test(line)) {
      throw new CaptionError('Expected the first line "Scenarist_SCC V1.0" of SCC');
    }
    const content = isFirst ? '' : line.trim();
    isFirst = false;
    yield undefined;
    if (content === '') continue;
    const [time = '', ...words] = content.split(/\s+/);
    const begin = sccFrame(time);
    for (const [at, word] of words.entries()) {
      if (!/^[0-9a-f]{4}$/i.test(word)) {
        throw new CaptionError(`Expected words of four hexadecimal digits: found "${word.slice(0, 40)}"`);
      }
      const both = Number.parseInt(word, 16);
      // The highest bit of each byte is a parity bit.
      decoder.word((both >> 8) & 0x7f, both & 0x7f, begin + at);
      if (decoder.cues.length > 0) yield* decoder.cues.splice(0);
    }
  }
  decoder.end();
  yield* decoder.cues;
}
