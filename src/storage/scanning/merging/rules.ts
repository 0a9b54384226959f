import type { StoredFile } from '../../../spi/index.ts';
import { isArchived } from '../../files/rules.ts';
import type { Counted } from '../counters.ts';
import type { ScanOptions } from '../options.ts';
import type { FileFacts, KnownFile } from './store.ts';

/** Decision of a scan about one file. */
export interface MergeDecision {
  readonly path: string;
  /** Undefined for a new file. */
  readonly row: KnownFile | undefined;
  /** New values. Undefined: no change. */
  readonly to: FileFacts | undefined;
  /** Events, in their order. */
  readonly events: readonly ('file/new' | 'file/change' | 'file/close' | 'file/hash')[];
  readonly counts: Counted | undefined;
  /** Stored file whose times are written into the metadata. */
  readonly file: StoredFile | undefined;
  /** Whether the service may have changed the file since it was listed. The file is then looked at again. */
  readonly isDoubtful: boolean;
}

export type Rules = Pick<ScanOptions, 'closeLimit' | 'hashes'> & { readonly now: number };

/** States in which an absent file becomes lost. Other states mean that it is elsewhere, or not there yet. */
const missed: ReadonlySet<string> = new Set(['OPEN', 'CLOSED', 'MISSING']);

/** Decision about a stored file without a row. One that nobody has written to for the closing time is closed at once. */
export function decideNew(file: StoredFile, { now, closeLimit, hashes }: Rules): MergeDecision {
  if (isArchived(file)) {
    const to = { ...factsOf(file), state: 'ARCHIVED', hashed: 0, hashDue: null, changedAt: now, timestamp: now };
    return {
      ...{ path: file.path, row: undefined, to, events: ['file/new'] },
      counts: 'fresh',
      file,
      isDoubtful: false,
    };
  }
  const isOpen = file.modified === undefined || now - file.modified / 1000 < Math.max(closeLimit, 1);
  const state = isOpen ? 'OPEN' : 'CLOSED';
  const hashDue = isOpen ? null : dueOf(0, hashes, now);
  return {
    path: file.path,
    row: undefined,
    to: { ...factsOf(file), state, hashed: 0, hashDue, changedAt: now, timestamp: now },
    events: isOpen ? ['file/new'] : ['file/new', 'file/close'],
    counts: 'fresh',
    file,
    isDoubtful: false,
  };
}

/** Decision about a row whose file is there. Undefined: no change. */
export function decideSeen(row: KnownFile, file: StoredFile, rules: Rules): MergeDecision | undefined {
  switch (row.state) {
    case 'NONE':
    case 'TO_APPEAR':
      return changed(row, file, rules);
    case 'OPEN':
      return ofOpen(row, file, rules);
    case 'CLOSED':
      return ofClosed(row, file, rules);
    case 'MISSING':
    case 'LOST':
      return ofLost(row, file, rules);
    case 'ARCHIVED':
      return ofArchived(row, file, rules);
    default:
      return undefined;
  }
}

/** Decision about a row whose file is absent. `careful`: no file becomes LOST. */
export function decideUnseen(row: KnownFile, { now }: Rules, careful: boolean): MergeDecision | undefined {
  if (!missed.has(row.state)) return undefined;
  const { path } = row;
  const missing = { path, row, file: undefined, isDoubtful: true, events: [], counts: 'missing' } as const;
  if (row.state !== 'MISSING') return { ...missing, to: { ...row, state: 'MISSING', hashDue: null } };
  if (careful) return { ...missing, to: undefined };
  const to = { ...row, state: 'LOST', hashDue: null, timestamp: now };
  return { ...missing, to, events: ['file/change'], counts: 'lost' };
}

/** Growing files send no events. A file whose size stops changing becomes CLOSED. */
function ofOpen(row: KnownFile, file: StoredFile, rules: Rules): MergeDecision | undefined {
  const { now, closeLimit, hashes } = rules;
  if (isArchived(file)) return archived(row, file, rules);
  if (row.content === null || !isSame(row, file)) {
    const to = { ...row, ...factsOf(file), hashed: 0, hashDue: null, changedAt: now, timestamp: now };
    return silently(row, to, file);
  }
  // A caller may have set the state OPEN since.
  if (now - Math.max(row.changedAt, row.timestamp) < closeLimit) return undefined;
  const to = { ...row, ...factsOf(file), state: 'CLOSED', hashDue: dueOf(row.hashed, hashes, now), timestamp: now };
  return { path: row.path, row, to, events: ['file/close'], counts: 'closed', file: undefined, isDoubtful: false };
}

function ofClosed(row: KnownFile, file: StoredFile, rules: Rules): MergeDecision | undefined {
  const { now, hashes } = rules;
  if (!isSame(row, file)) return changed(row, file, rules);
  if (isArchived(file)) return archived(row, file, rules);
  if (row.content === file.version) return undefined;
  const looked = { ...row, ...factsOf(file), hashDue: dueOf(row.hashed, hashes, now) };
  if (row.content === null) return silently(row, looked, file);
  // A file of the same size with other content, such as a restored backup. Its hash tells whether it is the same.
  if (row.hashed === 0 || !hashes) return silently(row, looked, undefined);
  return row.hashDue === null ? silently(row, { ...row, hashDue: now }, undefined) : undefined;
}

function ofLost(row: KnownFile, file: StoredFile, rules: Rules): MergeDecision {
  const { now, hashes } = rules;
  if (row.content === null || !isSame(row, file)) return { ...changed(row, file, rules), counts: 'again' };
  const isOther = row.content !== file.version && row.hashed === 1 && hashes;
  const facts = isOther ? {} : factsOf(file);
  const hashDue = isOther ? now : dueOf(row.hashed, hashes, now);
  const to = { ...row, ...facts, state: 'CLOSED', hashDue, timestamp: now };
  return { path: row.path, row, to, events: ['file/change'], counts: 'again', file: undefined, isDoubtful: false };
}

/** A file that went to an archive, by a rule of its storage. Its hash is kept where its bytes are the same. */
function archived(row: KnownFile, file: StoredFile, { now }: Rules): MergeDecision {
  const hashed = row.content !== null && isSame(row, file) ? row.hashed : 0;
  const to = { ...row, ...factsOf(file), state: 'ARCHIVED', hashed, hashDue: null, timestamp: now };
  return { path: row.path, row, to, events: ['file/change'], counts: undefined, file: undefined, isDoubtful: false };
}

/** A file that came back. Storages without an archive tell nothing of the state: clients have set it. */
function ofArchived(row: KnownFile, file: StoredFile, rules: Rules): MergeDecision | undefined {
  if (file.archive === undefined) return undefined;
  if (!isSame(row, file)) return changed(row, file, rules);
  if (isArchived(file)) return undefined;
  const { now, hashes } = rules;
  const to = { ...row, ...factsOf(file), state: 'CLOSED', hashDue: dueOf(row.hashed, hashes, now), timestamp: now };
  return { path: row.path, row, to, events: ['file/close'], counts: undefined, file: undefined, isDoubtful: false };
}

/** Decision about a file with new bytes: it is open and has no hash until it stops changing. */
const changed = (row: KnownFile, file: StoredFile, { now }: Rules): MergeDecision => ({
  path: row.path,
  row,
  to: { ...factsOf(file), state: 'OPEN', hashed: 0, hashDue: null, changedAt: now, timestamp: now },
  events: ['file/change'],
  counts: 'changed',
  file,
  isDoubtful: row.state === 'CLOSED',
});

const silently = (row: KnownFile, to: FileFacts, file: StoredFile | undefined): MergeDecision => ({
  path: row.path,
  row,
  to,
  events: [],
  counts: undefined,
  file,
  isDoubtful: row.content !== null,
});

const dueOf = (hashed: number, hashes: boolean, now: number): number | null => (hashed === 0 && hashes ? now : null);

const factsOf = ({ size, modified, version, identity }: StoredFile) => ({
  size,
  modified: modified ?? null,
  content: version,
  identity: identity ?? null,
});

/** Size and time say it. Where the storage keeps no time, its own word does. */
function isSame({ size, modified, content }: KnownFile, file: StoredFile): boolean {
  if (size !== null && size !== file.size) return false;
  if (modified !== null && file.modified !== undefined) return modified === file.modified;
  return content === null || content === file.version;
}
