import { durationInWords } from '../../core/lib/messages.ts';

/** Milliseconds of the past that speeds are taken from. */
const past = 30_000;
/** Milliseconds between two samples. */
const often = 1_000;

interface Sample {
  readonly at: number;
  readonly files: number;
  readonly bytes: number;
}

/** Tells how far the import of a folder is, how fast, and how long it takes. */
export class ImportProgress {
  readonly #now: () => number;
  readonly #samples: Sample[];
  /** Finished imports, successful or not, and bytes that were copied or skipped. */
  files = 0;
  bytes = 0;
  /** Files of the folder, as far as they are counted. */
  readonly total = { files: 0, bytes: 0, isWhole: false };

  constructor(now: () => number) {
    this.#now = now;
    this.#samples = [{ at: now(), files: 0, bytes: 0 }];
  }

  text(): string {
    const { files, bytes, total } = this;
    const at = this.#now();
    const samples = this.#samples;
    const first = samples[0]!;
    if (at - samples.at(-1)!.at >= often) samples.push({ at, files, bytes });
    while (samples.length > 2 && at - samples[0]!.at > past) samples.shift();
    const seconds = Math.max(at - first.at, 1) / 1000;
    const speeds = { files: (files - first.files) / seconds, bytes: (bytes - first.bytes) / seconds };
    const parts = [
      `${files} of ${total.files}${total.isWhole ? '' : ' or more'} files`,
      `${sizeText(bytes)} of ${sizeText(total.bytes)}`,
      `${speedText(speeds.files)} files/s`,
      `${sizeText(speeds.bytes)}/s`,
    ];
    return [...parts, ...this.#left(speeds)].join(', ');
  }

  /** Time until files and bytes are through, at the speed of the last half minute. */
  #left(speeds: { readonly files: number; readonly bytes: number }): readonly string[] {
    const { files, bytes, total } = this;
    const seconds = Math.max(
      files < total.files ? (total.files - files) / speeds.files : 0,
      bytes < total.bytes ? (total.bytes - bytes) / speeds.bytes : 0,
    );
    return total.isWhole && Number.isFinite(seconds) ? [`${durationInWords(Math.ceil(seconds))} left`] : [];
  }
}

const speedText = (speed: number): string => (speed < 10 ? speed.toFixed(1) : Math.round(speed).toString());

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

function sizeText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const size = bytes / 1000 ** power;
  return `${power > 0 && size < 10 ? size.toFixed(1) : Math.round(size)} ${units[power]}`;
}
