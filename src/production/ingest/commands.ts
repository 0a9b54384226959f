import { printable } from '../../core/lib/messages.ts';
import { type CommandContext, CommandError, type LocalFile, type RoomCommands } from '../../room/command.ts';
import { importFolder } from './folder-import.ts';
import type { Imported, Importer, ImporterOptions } from './importer.ts';
import { shownAddress } from './sources/source.ts';
import { watchJob } from './watch-job.ts';

type ImportCommandContext = CommandContext<{ readonly importer: Importer }>;

const width = 20;
const [defaultAtOnce, maxAtOnce] = [4, 64];

export const importCommands: RoomCommands<ImportCommandContext> = {
  import: {
    usage: 'import FILE|FOLDER|URL [--tag TAG] [--storage ID] [--user NAME] [--at-once N] [--again] [--no-wait]',
    says: 'Imports a file, the files of a folder, or the file at an address. A running server processes the jobs.',
    words: ['FILE'],
    flags: ['--no-wait', '--again'],
    options: ['--tag', '--storage', '--user', '--at-once'],
    about: {
      FILE: 'A file or a folder of this machine, or an address with http or https.',
      '--tag': 'A shape tag that the file is transcoded to.',
      '--storage': 'The storage that takes the file; as storage rules say without it.',
      '--user': 'The user who owns the items; admin without it.',
      '--at-once': `Files of a folder that are copied at the same time, from 1 to ${maxAtOnce}; ${defaultAtOnce} without it.`,
      '--again': 'Imports all files of a folder, also those that an earlier run has imported.',
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
      const atOnce = atOnceFrom(option('--at-once').at(-1));
      const single = await singleImport(source, options, context);
      if (!single)
        return importFolder(source, { ...options, atOnce, isNew: has('--again'), isShort: has('--no-wait') }, context);
      const { name, start } = single;
      const imported = await start();
      // People who do not wait ask for the job later, by its id.
      if (has('--no-wait')) context.tell(`${name}\titem ${imported.itemId}\tjob ${imported.jobId}`);
      else if (!(await watchJob(name, imported, context)))
        throw new CommandError('Expected all imports to end well: 1 failed');
    },
  },
};

function atOnceFrom(text = String(defaultAtOnce)): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= maxAtOnce) return number;
  throw new CommandError(`Expected a whole number from 1 to ${maxAtOnce} in --at-once: "${text.slice(0, 80)}"`);
}

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

/** Import of a file or an address. Undefined: the source is a folder. */
async function singleImport(
  source: string,
  options: ImporterOptions,
  context: ImportCommandContext,
): Promise<PendingImport | undefined> {
  const { importer } = context.provides;
  if (/^https?:\/\//i.test(source))
    return { name: shownAddress(source), start: () => importer.address(source, options) };
  const file = await firstFile(context.localFiles(source));
  if (!file) throw new CommandError(`Expected a file, a folder with files, or an address: "${source.slice(0, 80)}"`);
  if (file.place !== undefined) return undefined;
  const onBytes = teller(file.name, file.size, 'copied', context);
  return { name: printable(file.name), start: () => importer.file(file, options, { onBytes }) };
}

async function firstFile(files: AsyncIterable<LocalFile>): Promise<LocalFile | undefined> {
  for await (const file of files) return file;
  return undefined;
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
