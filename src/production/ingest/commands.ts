import { printable } from '../../core/lib/messages.ts';
import { type CommandContext, CommandError, type RoomCommands } from '../../room/command.ts';
import type { Imported, Importer, ImporterOptions } from './importer.ts';
import { shownAddress } from './sources/source.ts';
import { type JobSeen, jobSaid, jobSeen } from './store.ts';

type ImportCommandContext = CommandContext<{ readonly importer: Importer }>;

/** Milliseconds between two reads of a job, and until a message that no server takes it. */
const [pause, patience] = [500, 10_000];
const width = 20;

export const importCommands: RoomCommands<ImportCommandContext> = {
  import: {
    usage: 'import FILE|FOLDER|URL [--tag TAG] [--storage ID] [--user NAME] [--no-wait]',
    says: 'Imports a file, the files of a folder, or the file at an address. A running server processes the jobs.',
    words: ['FILE'],
    flags: ['--no-wait'],
    options: ['--tag', '--storage', '--user'],
    about: {
      FILE: 'A file or a folder of this machine, or an address with http or https.',
      '--tag': 'A shape tag that the file is transcoded to.',
      '--storage': 'The storage that takes the file; as storage rules say without it.',
      '--user': 'The user who owns the items; admin without it.',
      '--no-wait': 'Ends when the jobs have begun.',
    },
    opensStorages: true,
    async run({ words: [source = ''], has, option }, context) {
      const options: ImporterOptions = {
        user: option('--user').at(-1) ?? 'admin',
        tags: option('--tag'),
        storageId: option('--storage').at(-1),
      };
      await tellOfTranscoder(options.tags, context);
      let failed = 0;
      for await (const { name, start } of pendingImports(source, options, context)) {
        const imported = await start();
        // People who do not wait ask for the job later, by its id.
        if (has('--no-wait')) context.tell(`${name}\titem ${imported.itemId}\tjob ${imported.jobId}`);
        else if (!(await watchJob(name, imported, context))) failed++;
      }
      if (failed > 0) throw new CommandError(`Expected all imports to end well: ${failed} failed`);
    },
  },
};

/** Says before the first byte is copied that the tags will wait. The servers may run on other machines than this one. */
async function tellOfTranscoder(tags: readonly string[], { provides, tell }: ImportCommandContext): Promise<void> {
  if (tags.length === 0) return;
  const missing = await provides.importer.missingTranscoder();
  if (missing === undefined) return;
  tell(`${printable(tags.join(', '))} waits for a transcoder, and there is none on this machine: ${missing}`);
}

interface PendingImport {
  readonly name: string;
  start(): Promise<Imported>;
}

async function* pendingImports(
  source: string,
  options: ImporterOptions,
  context: ImportCommandContext,
): AsyncGenerator<PendingImport> {
  const { importer } = context.provides;
  if (/^https?:\/\//i.test(source)) {
    yield { name: shownAddress(source), start: () => importer.address(source, options) };
    return;
  }
  let fileCount = 0;
  for await (const file of context.localFiles(source)) {
    fileCount++;
    const onBytes = teller(file.name, file.size, 'copied', context);
    yield { name: printable(file.name), start: () => importer.file(file, options, onBytes) };
  }
  if (fileCount === 0)
    throw new CommandError(`Expected a file, a folder with files, or an address: "${source.slice(0, 80)}"`);
}

/** Prints a bar for each tenth. */
function teller(name: string, total: number, word: string, { tell }: ImportCommandContext): (done: number) => void {
  let last = 0;
  return (done) => {
    const tenth = total > 0 ? Math.floor((10 * done) / total) : 10;
    if (tenth <= last) return;
    last = tenth;
    const full = Math.round((width * tenth) / 10);
    tell(`${printable(name)}\t[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${tenth * 10} % ${word}`);
  };
}

/** Prints each change of a job until it ends. False: it failed. */
export async function watchJob(
  name: string,
  { jobId }: Pick<Imported, 'jobId'>,
  { store, tell, sleep, now }: Pick<CommandContext, 'store' | 'tell' | 'sleep' | 'now'>,
): Promise<boolean> {
  const begun = now();
  let last = '';
  let reportedStep = 0;
  let isTold = false;
  for (;;) {
    const [seen] = await jobSeen(store, { id: jobId });
    const texts = await saidBy(store, jobId);
    for (const text of texts.slice(reportedStep)) if (!isId.test(text)) tell(`${printable(name)}\t${printable(text)}`);
    reportedStep = texts.length;
    if (!seen) throw new CommandError(`Expected the job to stay until it ends: ${jobId}`);
    const line = lineOf(seen);
    if (line !== last && line !== '') tell(`${printable(name)}\t${line}`);
    last = line;
    if (/^(?:FINISHED|FAILED|ABORTED$)/.test(seen.status)) return seen.status.startsWith('FINISHED');
    if (seen.status === 'READY' && !isTold && now() - begun > patience) {
      isTold = true;
      tell('The job waits for a server on this database: portico serve');
    }
    await sleep(pause);
  }
}

/** Texts of the log of a job, such as why it has made no stills. They only grow. */
async function saidBy(store: CommandContext['store'], id: string): Promise<readonly string[]> {
  const rows = await jobSaid(store, { id });
  return rows.flatMap(({ said, warning }) => [
    ...(JSON.parse(said) as [number, string][]).map(([, text]) => text),
    ...(warning === null ? [] : [warning]),
  ]);
}

/** Reason of a wait. For a missing transcoder it includes the installation hint. */
function waitsFor(waiting: string): string {
  const { requirement, resourceId } = JSON.parse(waiting) as { requirement: string; resourceId?: string };
  return ` waits: ${requirement}${resourceId === undefined ? '' : `: ${resourceId}`}`;
}

/** Texts of a log that name a file for machines. */
const isId = /^[A-Z]+-\d+$/;

/** States in words. Any other is a step that runs. */
const stateWords: Readonly<Record<string, string>> = {
  READY: 'waits for its turn',
  WAITING: 'waits',
  HOLD: 'on hold',
  FINISHED: 'done',
  FINISHED_WARNING: 'done, with a warning',
  FAILED_TOTAL: 'failed',
  ABORTED: 'aborted',
};

/** A job in words, without the percent of its step: that falls whenever another step begins. */
function lineOf({ status, waiting, description, error }: JobSeen): string {
  const why = waiting === null ? '' : waitsFor(waiting);
  const isEnded = /^(?:FINISHED|ABORTED$)/.test(status);
  const step = isEnded ? '' : `${description ?? ''}${why}`;
  const parts = [stateWords[status] ?? '', step, error ?? ''].filter((part) => part !== '');
  return parts.map(printable).join('\t');
}
