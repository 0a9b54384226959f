import { ServiceError } from '../../core/lib/errors.ts';
import { durationInWords, printable, sentenceOf } from '../../core/lib/messages.ts';
import { type CommandContext, CommandError, type LocalFile } from '../../room/command.ts';
import { ImportProgress } from './import-progress.ts';
import type { CopyOptions, FolderImported, Importer, ImporterOptions } from './importer.ts';
import { endedAmong, jobSeen, waitingAmong } from './store.ts';
import { isFinished, lineOf, noServer, patience, pauseFor, waitsFor, warningsOf } from './watch-job.ts';

interface FolderOptions extends ImporterOptions {
  /** Files that are copied at the same time. */
  readonly atOnce: number;
  /** Whether files that an earlier run has imported are imported again. */
  readonly isNew: boolean;
  /** Whether the command ends when the jobs have begun. */
  readonly isShort: boolean;
}

type FolderContext = CommandContext<{ readonly importer: Importer }>;

/** Jobs whose end is awaited, most. Copies wait behind them: their ids are in memory and in one query. */
const maxWatched = 1_000;
/** Failures and warnings that are named at the end, most. */
const maxNamed = 10_000;
/** Milliseconds between two lines about the progress without a terminal. */
const often = 10_000;

/** Imports the files of a folder, several at once. Throws where a file failed, when all others are imported. */
export async function importFolder(source: string, options: FolderOptions, context: FolderContext): Promise<void> {
  await context.provides.importer.check(options);
  await new FolderImport(source, options, context).run();
}

interface Watched {
  readonly name: string;
  /** An earlier run of the command began the job. */
  readonly isEarlier: boolean;
}

class FolderImport {
  readonly #source: string;
  readonly #options: FolderOptions;
  readonly #context: FolderContext;
  readonly #signal: AbortSignal;
  readonly #progress: ImportProgress;
  readonly #begun: number;
  readonly #pause: number;
  /** Files by the ids of their jobs, until these end. */
  readonly #watched = new Map<string, Watched>();
  readonly #failures: string[] = [];
  /** Files by the warning of their job. */
  readonly #warnings = new Map<string, string[]>();
  #imported = 0;
  #earlier = 0;
  #failed = 0;
  #isCopying = true;
  #toldAt: number;
  /** When a file was copied or a job ended. */
  #movedAt: number;
  readonly #waitsTold = new Set<string>();

  constructor(source: string, options: FolderOptions, context: FolderContext) {
    this.#source = source;
    this.#options = options;
    this.#context = context;
    this.#signal = context.interruption();
    this.#progress = new ImportProgress(context.now);
    this.#begun = context.now();
    this.#pause = pauseFor(context);
    this.#toldAt = this.#begun;
    this.#movedAt = this.#begun;
  }

  async run(): Promise<void> {
    const files = this.#context.localFiles(this.#source)[Symbol.asyncIterator]();
    const workers = Array.from({ length: this.#options.atOnce }, () => this.#copyFrom(files));
    const copying = Promise.all(workers).finally(() => {
      this.#isCopying = false;
    });
    const watching = this.#watch(copying).finally(() => {
      this.#isCopying = false;
    });
    await Promise.allSettled([...workers, this.#count(), watching]);
    this.#context.rewrite?.('');
    await Promise.all([copying, watching]);
    this.#tellEnd();
  }

  /** Counts files and bytes beside the copies, for the time that is left. */
  async #count(): Promise<void> {
    const { total } = this.#progress;
    for await (const { size } of this.#context.localFiles(this.#source)) {
      if (!this.#isCopying || this.#signal.aborted) return;
      total.files++;
      total.bytes += size;
    }
    total.isWhole = true;
  }

  async #copyFrom(files: AsyncIterator<LocalFile>): Promise<void> {
    while (this.#isCopying && !this.#signal.aborted) {
      if (this.#watched.size >= maxWatched) {
        await this.#context.sleep(this.#pause);
        continue;
      }
      const { value: file, done } = await files.next();
      if (done === true) return;
      await this.#copy(file);
    }
  }

  async #copy(file: LocalFile): Promise<void> {
    const { provides, tell, now } = this.#context;
    const progress = this.#progress;
    const name = printable(file.place ?? file.name);
    let copied = 0;
    const onBytes = (count: number) => {
      progress.bytes += count - copied;
      copied = count;
    };
    try {
      const copying: CopyOptions = { onBytes, signal: this.#signal };
      const { importer } = provides;
      const imported: FolderImported = await importer.fileOfFolder(file, this.#options, copying, this.#options.isNew);
      const { itemId, jobId, isEarlier } = imported;
      onBytes(file.size);
      if (!this.#options.isShort) this.#watched.set(jobId, { name, isEarlier });
      else {
        if (!isEarlier) tell(`${name}\titem ${itemId}\tjob ${jobId}`);
        this.#ends(isEarlier);
      }
    } catch (error) {
      if (this.#signal.aborted) return;
      // Every other file would fail for the same reason, such as a missing storage.
      if (error instanceof CommandError) {
        this.#isCopying = false;
        throw error;
      }
      onBytes(file.size);
      this.#fails(`${name}\tfailed\t${reasonOf(error)}`);
    }
    this.#movedAt = now();
  }

  #ends(isEarlier: boolean): void {
    this.#progress.files++;
    if (isEarlier) this.#earlier++;
    else this.#imported++;
  }

  #fails(line: string): void {
    this.#failed++;
    this.#progress.files++;
    if (this.#failures.length < maxNamed) this.#failures.push(line);
  }

  /** Follows the jobs of all files together until the last one has ended, or no more files can be copied. */
  async #watch(copying: Promise<unknown>): Promise<void> {
    let isBroken = false;
    copying.catch(() => {
      isBroken = true;
    });
    for (;;) {
      const isLast = !this.#isCopying;
      await this.#look();
      if (isLast && (this.#watched.size === 0 || isBroken || this.#signal.aborted)) return;
      this.#show();
      await this.#context.sleep(this.#pause);
    }
  }

  async #look(): Promise<void> {
    const { store, now } = this.#context;
    if (this.#watched.size === 0) return;
    const idsOf = () => [...this.#watched.keys()];
    for (const { id, status } of await endedAmong(store, { ids: idsOf() })) {
      const { name, isEarlier } = this.#watched.get(id)!;
      // A job of an earlier run that was deleted since has imported its file.
      const isFine = status === null ? isEarlier : isFinished(status);
      if (isFine) this.#ends(isEarlier);
      else await this.#failsBy(id, name);
      if (isFine && !isEarlier && status !== 'FINISHED') await this.#warns(id, name);
      this.#watched.delete(id);
      this.#movedAt = now();
    }
    if (now() - this.#movedAt > patience) await this.#tellWaits(idsOf());
  }

  async #failsBy(id: string, name: string): Promise<void> {
    const [job] = await jobSeen(this.#context.store, { id });
    this.#fails(`${name}\t${job ? lineOf(job) : 'failed\tits job was deleted'}`);
  }

  async #warns(id: string, name: string): Promise<void> {
    for (const warning of await warningsOf(this.#context.store, id)) {
      const names = this.#warnings.get(warning) ?? [];
      if (names.length < maxNamed && this.#warnings.size < maxNamed) this.#warnings.set(warning, [...names, name]);
    }
  }

  /** Says once what the jobs wait for that do not go on. */
  async #tellWaits(ids: readonly string[]): Promise<void> {
    for (const { status, waiting, count } of await waitingAmong(this.#context.store, { ids })) {
      const text = status === 'READY' ? noServer : waiting === null ? undefined : waitsFor(waiting);
      if (text === undefined || this.#waitsTold.has(text)) continue;
      this.#waitsTold.add(text);
      this.#context.tell(`${count} ${count === 1 ? 'job' : 'jobs'}: ${printable(text)}`);
    }
  }

  #show(): void {
    const { rewrite, tell, now } = this.#context;
    if (this.#progress.total.files === 0 || (!rewrite && now() - this.#toldAt < often)) return;
    this.#toldAt = now();
    const failures = this.#failed > 0 ? `, ${this.#failed} failed` : '';
    (rewrite ?? tell)(`${this.#progress.text()}${failures}`);
  }

  /** Tells the warnings, the failures and the sum, and throws unless all went well. */
  #tellEnd(): void {
    const { tell, now } = this.#context;
    const [imported, earlier, failed] = [this.#imported, this.#earlier, this.#failed];
    if (imported + earlier + failed === 0 && !this.#signal.aborted)
      throw new CommandError(`Expected a folder with files: "${this.#source.slice(0, 80)}"`);
    for (const [warning, names] of this.#warnings) {
      const others = names.length > 1 ? ` and ${names.length - 1} more` : '';
      tell(`${names[0]}${others}\t${printable(warning)}`);
    }
    for (const line of this.#failures) tell(line);
    if (failed > maxNamed) tell(`${failed - maxNamed} more files failed`);
    const seconds = Math.ceil((now() - this.#begun) / 1000);
    const sum = `${imported} of ${imported + earlier + failed} files imported in ${durationInWords(seconds)}`;
    const others = this.#watched.size > 0 ? `, ${this.#watched.size} go on` : '';
    tell(`${sum}${earlier > 0 ? `, ${earlier} by an earlier run` : ''}${others}`);
    if (this.#signal.aborted)
      throw new CommandError('Stopped before all files were imported: the same command goes on with the others');
    if (failed > 0) throw new CommandError(`Expected all imports to end well: ${failed} failed`);
  }
}

const reasonOf = (error: unknown): string =>
  printable((error instanceof ServiceError && error.detail.explanation) || sentenceOf(error));
