import type { NewHasher } from '../../core/lib/bytes.ts';
import { afterAllIn } from '../../core/lib/bytes.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { printable } from '../../core/lib/messages.ts';
import type { Store } from '../../core/store/store.ts';
import { type CommandContext, CommandError, type RoomCommands } from '../../room/command.ts';
import type { Listing, StorageDriver, StoredFile } from '../../spi/index.ts';
import type { StorageDrivers } from '../drivers.ts';
import { fileAt } from '../files/store.ts';
import type { StorageSettings } from '../settings.ts';
import { findStorage, methodsOf, storagesBehind } from '../storages/store.ts';
import { hashFile } from './hash-files.ts';
import { lookAt, lookError } from './look.ts';
import { filesBetween, type KnownFile, pathsInWork, waitingBetween } from './merging/store.ts';
import { type PathPair, windowRows, windowsOf } from './merging/window.ts';
import { optionsOf } from './options.ts';

interface VerifyParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly places: StorageDrivers;
  readonly hasher: NewHasher;
  readonly settings: Pick<StorageSettings, 'closeLimit'>;
}

/** Difference between database and storage. */
export interface VerifiedFile {
  readonly storage: string;
  readonly what: 'missing' | 'unknown' | 'changed' | 'hash' | 'skipped' | 'offline';
  readonly path: string;
  readonly says: string;
}

export interface Verified {
  readonly files: number;
  readonly findings: number;
}

/** States whose files must be there. */
const present: ReadonlySet<string> = new Set(['OPEN', 'CLOSED', 'BEING_READ', 'MISSING', 'LOST']);
/** States whose files do not change. */
const resting: ReadonlySet<string> = new Set(['CLOSED', 'BEING_READ']);

/**
 * Compares the rows of storages with their files, without changes. Memory use does not depend on the number of files.
 */
export function createVerify({ store, clock, places, hasher, settings }: VerifyParts) {
  /** `hashes`: reads all bytes, too. */
  async function verify(storage: string, hashes: boolean, tell: (finding: VerifiedFile) => void): Promise<Verified> {
    const { signal } = new AbortController();
    let [files, findings] = [0, 0];
    const addFinding = (what: VerifiedFile['what'], path: string, says: string) => {
      findings++;
      tell({ storage, what, path, says });
    };
    const methods = await methodsOf(store, { id: storage });
    const look = await lookAt({ places, clock }, methods, { signal });
    const readable = look.seen.filter(({ method }) => method.read === 1 || method.browse === 1);
    const driver = (readable.find((each) => each.driver.list && each.driver.can.list) ?? readable[0])?.driver;
    if (!driver) {
      addFinding('offline', '', look.unseen[0]?.message ?? 'Expected a method that reads or lists: none');
      return { files, findings };
    }
    const { excluded } = await optionsOf(store, storage, settings);
    let after: string | undefined;
    do {
      const page = await pageOf(driver, storage, after);
      for (const { path, reason } of page.skipped ?? []) addFinding('skipped', path, reason);
      const dark = (page.skipped ?? []).map(({ path }) => path);
      for await (const window of windowsOf(store, storage, after ?? '', page)) {
        const ignored = await inBetween(storage, window.after, window.upTo);
        for (const pair of window.pairs) {
          files++;
          const { path } = pair;
          if (ignored.has(path) || excluded(path) || dark.some((each) => isAt(each, path))) continue;
          if (!problemOf(pair) && !hashes) continue;
          await judge(storage, driver, path, hashes, addFinding);
        }
      }
      after = page.next;
    } while (after !== undefined);
    return { files, findings };
  }

  /** Page of a listing. For storages that cannot be listed, the rows name the files. */
  async function pageOf(driver: StorageDriver, id: string, after = ''): Promise<Listing> {
    if (driver.can.list && driver.list) return driver.list({ limit: windowRows, ...(after !== '' && { after }) });
    const rows = await filesBetween(store, { id, after, upTo: afterAllIn(), limit: windowRows });
    const looked = await Promise.all(rows.map(({ path }) => driver.stat(path)));
    const files = looked.filter((file) => file !== undefined);
    return rows.length < windowRows ? { files } : { files, next: rows.at(-1)!.path };
  }

  /** Paths whose bytes are about to change, or to go. */
  async function inBetween(id: string, after: string, upTo: string): Promise<ReadonlySet<string>> {
    const paths = new Set((await pathsInWork(store, { id, after, upTo })).map(({ path }) => path));
    for (let from = after; ; ) {
      const rows = await waitingBetween(store, { id, after: from, upTo, limit: windowRows });
      for (const { path } of rows) paths.add(path);
      if (rows.length < windowRows) return paths;
      from = rows.at(-1)!.path;
    }
  }

  /** Checks a difference again, because a running server may have changed the file. */
  async function judge(
    storageId: string,
    driver: StorageDriver,
    path: string,
    hashes: boolean,
    report: (what: VerifiedFile['what'], path: string, says: string) => void,
  ): Promise<void> {
    try {
      const row = await fileAt(store, { storageId, path });
      const file = await driver.stat(path);
      const problem = problemOf({ path, row, file });
      if (problem) return report(problem.what, path, problem.says);
      if (!hashes || !row?.hash || !file || !resting.has(row.state)) return;
      const { hash } = await hashFile(driver, path, hasher, new AbortController().signal);
      const now = await fileAt(store, { storageId, path });
      if (hash !== row.hash && now?.version === row.version)
        report('hash', path, `${row.id}: ${hash} instead of ${row.hash}`);
    } catch (error) {
      report('skipped', path, lookError(error));
    }
  }

  return verify;
}

const isAt = (skipped: string, path: string): boolean =>
  skipped.endsWith('/') ? path.startsWith(skipped) : path === skipped;

function problemOf({
  file,
  row,
}: PathPair<StoredFile, Pick<KnownFile, 'id' | 'path' | 'state' | 'size' | 'modified' | 'content'>>):
  | { readonly what: VerifiedFile['what']; readonly says: string }
  | undefined {
  if (!row) return file && { what: 'unknown', says: 'No file is known at this path' };
  if (!file) return present.has(row.state) ? { what: 'missing', says: `${row.id} is ${row.state}` } : undefined;
  if (!resting.has(row.state)) return undefined;
  if (row.size !== null && row.size !== file.size) {
    return { what: 'changed', says: `${row.id}: ${file.size} bytes instead of ${row.size}` };
  }
  const isOther = row.modified !== null && file.modified !== undefined && row.modified !== file.modified;
  return isOther ? { what: 'changed', says: `${row.id}: written since it was closed` } : undefined;
}

type MediaCommandContext = CommandContext<{ readonly verify: ReturnType<typeof createVerify> }>;

const page = 100;

export const storageCommands: RoomCommands<MediaCommandContext> = {
  'verify-media': {
    usage: 'verify-media [STORAGE] [--hash]',
    says: 'Compares files with their entries, and changes nothing. Exits with 1 if they differ. --hash reads all bytes.',
    optional: ['STORAGE'],
    flags: ['--hash'],
    about: { STORAGE: 'The id of one storage.', '--hash': 'Reads all bytes and compares their hashes.' },
    opensStorages: true,
    async run({ words: [name], has }, context) {
      let [files, findings] = [0, 0];
      for await (const id of storagesOf(context, name)) {
        const verified = await context.provides.verify(id, has('--hash'), (finding) => context.tell(lineOf(finding)));
        files += verified.files;
        findings += verified.findings;
      }
      if (findings === 0) return context.tell(`Compared ${files} files: all are as they should be`);
      throw new CommandError(`Expected files as they are known: ${findings} findings in ${files} files`);
    },
  },
};

async function* storagesOf({ store }: MediaCommandContext, name: string | undefined): AsyncGenerator<string> {
  if (name !== undefined) {
    const row = await findStorage(store, { id: name });
    if (!row) throw new CommandError(`Expected the id of a storage: "${name.slice(0, 80)}"`);
    return yield row.id;
  }
  for (let after = -1; ; ) {
    const storages = await storagesBehind(store, { after, limit: page });
    if (storages.length === 0) return;
    for (const { id } of storages) yield id;
    after = storages.at(-1)!.serial;
  }
}

const lineOf = ({ storage, what, path, says }: VerifiedFile): string =>
  [storage, what, path, says].map(printable).join('\t');
