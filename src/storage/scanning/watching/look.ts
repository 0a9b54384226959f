import type { StorageDriver } from '../../../spi/index.ts';
import { noSuchStorage } from '../../storages/rules.ts';
import { storageThere } from '../../storages/store.ts';
import { commitBatch } from '../merging/commit.ts';
import type { MergeDecision } from '../merging/rules.ts';
import { filesBetween, lastEvent } from '../merging/store.ts';
import { decideWindow } from '../merging/window.ts';
import type { ScanOptions } from '../options.ts';
import type { ScanParts } from '../turns/scan.ts';

interface Watching {
  readonly storage: string;
  readonly driver: StorageDriver;
  readonly options: ScanOptions;
  readonly signal: AbortSignal;
}

/** `open`: may still be written. `gone`: nothing left to do. */
type Looked = 'open' | 'gone';

/**
 * Compares one file with its row by the rules of scans, and writes what follows. `rests`: the system has told of no
 * change for the time that closes a file. Then a row with an older size is brought up to date and closed at once.
 */
export async function lookAtFile(
  parts: Pick<ScanParts, 'store' | 'clock'>,
  watching: Watching,
  path: string,
  rests: boolean,
): Promise<Looked> {
  const { storage, driver, options, signal } = watching;
  const { store, clock } = parts;
  const sequence = (await lastEvent(store, {}))[0]?.sequence ?? 0;
  const file = await driver.stat(path, signal);
  if (!file || options.excluded(path)) return 'gone';
  const isRecent = file.modified !== undefined && isWithin(clock.now() - file.modified / 1000, options.closeLimit);
  const step = async (closeLimit: number): Promise<{ state: string | undefined; isWritten: boolean }> => {
    const window = { after: path.slice(0, -1), upTo: path };
    const rows = await filesBetween(store, { id: storage, ...window, limit: 1000 });
    const row = rows.find((each) => each.path === path);
    const rules = { ...options, closeLimit, now: clock.now() };
    const around = { reader: store, storage, seen: { driver }, options, rules, careful: true, sequence, signal };
    const pairs = [{ path, file, row }];
    const decisions = await decideWindow({ ...around, skipped: undefined }, { ...window, pairs });
    const written = await write(parts, storage, decisions);
    return { state: written[0]?.to?.state ?? row?.state, isWritten: written.length > 0 };
  };
  const first = await step(options.closeLimit);
  if (first.state !== 'OPEN') return 'gone';
  if (!rests || isRecent || !first.isWritten) return 'open';
  return (await step(0)).state === 'OPEN' ? 'open' : 'gone';
}

/** A clock of another machine may be ahead: a file from the future is not waited for. */
const isWithin = (age: number, limit: number): boolean => age >= 0 && age < limit;

const write = ({ store }: Pick<ScanParts, 'store'>, storage: string, decisions: readonly MergeDecision[]) =>
  decisions.length === 0
    ? []
    : commitBatch({ store, storage, decisions, with: () => [storageThere({ id: storage }, noSuchStorage(storage))] });
