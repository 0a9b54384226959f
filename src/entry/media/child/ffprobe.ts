import { MediaFault } from '../../../production/checking/public-reading.ts';
import type { MediaSource, MediaTool, ProbeOptions, ProbeResult } from '../../../spi/index.ts';
import { resultOf } from './ffprobe-result.ts';
import { findProgram } from './find-program.ts';
import { inputWords } from './media-input.ts';
import { permissionFor } from './permissions.ts';
import type { ChildPool } from './pool.ts';
import { runLimited } from './run-program.ts';
import { limiterOf, ownLimits } from './spawn-limited.ts';

interface FfprobeOptions {
  /** Name or path of ffprobe. Empty: disabled. */
  readonly program: string;
  readonly megabytes: number;
  readonly seconds: number;
}

interface InstalledFfprobe {
  readonly path: string;
  readonly version: string;
}

/** The program of FFmpeg that knows nearly everything, where the operator has it. */
export class Ffprobe {
  readonly #options: FfprobeOptions;
  readonly #pool: ChildPool;
  #found: Promise<InstalledFfprobe | undefined> | undefined;

  constructor(options: FfprobeOptions, pool: ChildPool) {
    this.#options = options;
    this.#pool = pool;
  }

  async tool(): Promise<MediaTool> {
    const installed = await this.#find();
    if (installed) return { name: 'ffprobe', version: installed.version };
    const { program } = this.#options;
    const missing = program === '' ? 'Switched off (ffprobe)' : `Expected the program "${program}": install FFmpeg`;
    return { name: 'ffprobe', missing: `${missing} for MXF, AVI, MPEG and the like${permissionFor(program)}` };
  }

  /** Undefined: it is not here. */
  async probe(source: MediaSource, { maxBytes, signal }: ProbeOptions): Promise<ProbeResult | undefined> {
    const installed = await this.#find();
    if (!installed) return undefined;
    let bytesRead = 0;
    const counted: MediaSource = {
      ...source,
      async read(range) {
        bytesRead += range.end - range.from;
        if (bytesRead > maxBytes)
          throw new MediaFault('exhausted', `Expected to know the file after ${maxBytes} bytes`);
        return source.read(range);
      },
    };
    await this.#pool.inTurn(signal);
    const lent = await this.#pool.loopback.lend(counted);
    try {
      const words = ['-v', 'error', ...inputWords, '-show_format', '-show_streams', '-of', 'json', lent.url];
      const { code, output, errors } = await this.#run(installed.path, words, signal);
      const fault = lent.fault();
      if (code === 0) return { ...resultOf(JSON.parse(output), source.name), bytesRead };
      if (fault) throw fault.error;
      throw new MediaFault(
        'unsupported',
        `Expected a media file: ${errors.replaceAll(lent.url, 'it').trim().slice(0, 300)}`,
      );
    } finally {
      lent.takeBack();
      this.#pool.leave();
    }
  }

  async #run(path: string, words: readonly string[], signal: AbortSignal) {
    const { megabytes, seconds } = this.#options;
    const limits = { megabytes, cpuSeconds: seconds + 1, folder: await this.#pool.folder() };
    return runLimited(path, [...ownLimits('ffprobe', limits, limiterOf()), ...words], limits, {
      signal,
      within: seconds * 1000,
    });
  }

  #find(): Promise<InstalledFfprobe | undefined> {
    this.#found ??= this.#look();
    return this.#found;
  }

  async #look(): Promise<InstalledFfprobe | undefined> {
    const path = await findProgram(this.#options.program);
    if (path === undefined) return undefined;
    try {
      const { code, output } = await this.#run(path, ['-version'], AbortSignal.timeout(this.#options.seconds * 1000));
      const version = /^ffprobe version (\S{1,60})/.exec(output)?.[1];
      return code === 0 && version !== undefined ? { path, version } : undefined;
    } catch {
      return undefined;
    }
  }
}
