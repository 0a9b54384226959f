import { afterAllIn, inByteOrder } from '../../../core/lib/bytes.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { Listing, StoredFile } from '../../../spi/index.ts';
import type { ReachableMethod } from '../look.ts';
import type { ScanOptions } from '../options.ts';
import { decideNew, decideSeen, decideUnseen, type MergeDecision, type Rules } from './rules.ts';
import {
  closedBetween,
  deletedSince,
  filesBetween,
  type KnownFile,
  pathsInWork,
  uploading,
  waitingBetween,
} from './store.ts';

interface WithPath {
  readonly path: string;
}

/** Stored file and database row of one path. */
export interface PathPair<F extends WithPath, R extends WithPath> {
  readonly path: string;
  readonly file: F | undefined;
  readonly row: R | undefined;
}

/** Pairs two lists that are sorted by the bytes of their paths. */
function mergeByPath<F extends WithPath, R extends WithPath>(
  files: readonly F[],
  rows: readonly R[],
): PathPair<F, R>[] {
  const pairs: PathPair<F, R>[] = [];
  let [at, other] = [0, 0];
  while (at < files.length || other < rows.length) {
    const [file, row] = [files[at], rows[other]];
    const order = file && row ? inByteOrder(file.path, row.path) : file ? -1 : 1;
    if (order <= 0) at++;
    if (order >= 0) other++;
    pairs.push({
      path: order <= 0 ? file!.path : row!.path,
      file: order <= 0 ? file : undefined,
      row: order >= 0 ? row : undefined,
    });
  }
  return pairs;
}

/** Whether paths come in the order of their bytes, all of them behind the first. A listing in another order would lose files. */
export function isInOrder(after: string, paths: readonly WithPath[]): boolean {
  let last = after;
  for (const { path } of paths) {
    if (inByteOrder(last, path) >= 0) return false;
    last = path;
  }
  return true;
}

/** Rows compared at once: more than files of a page, so that a page is mostly one window. */
export const windowRows = 2000;
/** Concurrent checks of files. */
const looks = 8;

/** A part of a storage, between two paths: what it lists there, and the rows. */
interface Window {
  readonly after: string;
  /** The last path of it. */
  readonly upTo: string;
  readonly pairs: readonly PathPair<StoredFile, KnownFile>[];
}

/** The windows of a page of a listing, one after the other: there may be many more rows than files. */
export async function* windowsOf(
  reader: Reader,
  storage: string,
  after: string,
  { files, next }: Listing,
): AsyncGenerator<Window> {
  const end = next ?? afterAllIn();
  let [from, at] = [after, 0];
  for (let isLast = false; !isLast; ) {
    const rows = await filesBetween(reader, { id: storage, after: from, upTo: end, limit: windowRows });
    isLast = rows.length < windowRows;
    const upTo = isLast ? end : rows.at(-1)!.path;
    let to = isLast ? files.length : at;
    while (to < files.length && inByteOrder(files[to]!.path, upTo) <= 0) to++;
    yield { after: from, upTo, pairs: mergeByPath(files.slice(at, to), rows) };
    [from, at] = [upTo, to];
  }
}

/** Whether all rows of a page are closed files as it lists them, so that there is nothing to decide. */
export async function isUnchanged(
  reader: Reader,
  storage: string,
  after: string,
  { files, next }: Listing,
): Promise<boolean> {
  if (files.length === 0 || !files.every(isPlain)) return false;
  const upTo = next ?? afterAllIn();
  const [rows] = await closedBetween(reader, { id: storage, after, upTo, limit: files.length + 1 });
  return rows?.files === files.length && rows.text === files.map(lineOf).join('\n');
}

/** Whether the line of a file means no other one. */
const isPlain = ({ path, version, archive }: StoredFile): boolean =>
  archive === undefined && !path.includes('\n') && !version.includes('\n');

const lineOf = ({ path, version, size, modified }: StoredFile): string =>
  `${path}\n${version}\n${size}\n${modified ?? ''}`;

interface Around {
  /** For rows that are few, by an index. */
  readonly reader: Reader;
  readonly storage: string;
  readonly seen: { readonly driver: Pick<ReachableMethod['driver'], 'stat'> };
  readonly options: Pick<ScanOptions, 'excluded'>;
  readonly rules: Rules;
  /** Whether no file may become LOST. */
  readonly careful: boolean;
  /** The newest event when the listing began. */
  readonly sequence: number;
  readonly skipped: Listing['skipped'];
  readonly signal: AbortSignal;
}

/** Decisions for a window of paths, in the order of the paths. */
export async function decideWindow(around: Around, { after, upTo, pairs }: Window): Promise<MergeDecision[]> {
  const { reader, storage: id, options, skipped = [] } = around;
  const folders = skipped.filter(({ path }) => path.endsWith('/')).map(({ path }) => path);
  const entries = new Set(skipped.map(({ path }) => path));
  const isDark = (path: string) => entries.has(path) || folders.some((folder) => path.startsWith(folder));
  const inWork = new Set((await pathsInWork(reader, { id, after, upTo })).map(({ path }) => path));
  const decided = pairs.flatMap(({ path, file, row }) => {
    // Files that are unreadable, excluded, or about to change stay as they are.
    if (inWork.has(path) || (!file && isDark(path)) || options.excluded(path)) return [];
    const decision = decide(around, file, row);
    return decision ? [decision] : [];
  });
  return confirmed(around, await free(around, await knownWindow(around, decided, after, upTo)));
}

function decide({ rules, careful }: Around, file: StoredFile | undefined, row: KnownFile | undefined) {
  if (!row) return decideNew(file!, rules);
  return file ? decideSeen(row, file, rules) : decideUnseen(row, rules, careful);
}

/** New files, but for those whose bytes only wait for their deletion. */
async function knownWindow(
  { reader, storage, sequence }: Around,
  decided: MergeDecision[],
  after: string,
  upTo: string,
) {
  if (!decided.some(({ row }) => !row)) return decided;
  const waiting = new Map<string, string | null>();
  for (let from = after; ; ) {
    const rows = await waitingBetween(reader, { id: storage, after: from, upTo, limit: windowRows });
    for (const { path, content } of rows) waiting.set(path, content);
    if (rows.length < windowRows) break;
    from = rows.at(-1)!.path;
  }
  // Files deleted since the listing still appear in it.
  const isOld = (await deletedSince(reader, { sequence })) !== undefined;
  return decided.flatMap((decision) => {
    if (decision.row) return [decision];
    const content = waiting.get(decision.path);
    if (content === null || (content !== undefined && content === decision.to?.content)) return [];
    return [isOld ? { ...decision, isDoubtful: true } : decision];
  });
}

/** Leaves out targets of uploads in parts: the uploader decides when they are complete. */
async function free({ reader, storage }: Around, decided: MergeDecision[]): Promise<MergeDecision[]> {
  const open = decided.flatMap(({ row }) => (row?.state === 'OPEN' ? [row.id] : []));
  if (open.length === 0) return decided;
  const busy = new Set((await uploading(reader, { id: storage, ids: open })).map(({ id }) => id));
  return decided.filter(({ row }) => !row || !busy.has(row.id));
}

/**
 * Looks again at what the service may have changed between the listing and the rows. What it changes later, the
 * versions of the rows tell.
 */
async function confirmed(around: Around, decided: MergeDecision[]): Promise<MergeDecision[]> {
  const doubtful = decided.filter(({ isDoubtful }) => isDoubtful);
  if (doubtful.length === 0) return decided;
  const { driver } = around.seen;
  const again = new Map<MergeDecision, MergeDecision | undefined>();
  for (let at = 0; at < doubtful.length; at += looks) {
    await Promise.all(
      doubtful.slice(at, at + looks).map(async (decision) => {
        const file = await driver.stat(decision.path, around.signal).catch((error: unknown) => {
          // The path belongs to another kind of entry, such as a link: the file's state is unknown.
          if (Object(error).kind === 'bad-path') return null;
          throw error;
        });
        const isNothing = file === null || (!file && !decision.row);
        again.set(decision, isNothing ? undefined : decide(around, file, decision.row));
      }),
    );
  }
  return decided.flatMap((decision) => {
    const sure = decision.isDoubtful ? again.get(decision) : decision;
    return sure ? [sure] : [];
  });
}
