import type { Clock } from '../../core/lib/clock.ts';
import type { Random } from '../../core/lib/random.ts';
import type { FileType, ItemType } from '../../types.ts';
import { CommandError } from '../commands/command.ts';
import { type Ask, createApi, Refused, reasonOf } from './calls.ts';
import { digestOf, type Migration, type MigrationOptions } from './carry.ts';
import { carryContainers } from './containers.ts';
import { carryDefinitions } from './definitions.ts';
import { carryItems } from './items.ts';
import { Journal, OtherOriginal, type StateFolder } from './journal.ts';
import { carryLocks } from './locks.ts';
import { carryNotifications, carryOrders } from './orders.ts';
import { hitsOf, type Original, openOriginal, type Page } from './original.ts';
import { carryPeople, makeLinks } from './people.ts';
import { at, withQuery } from './places.ts';
import { Progress } from './progress.ts';
import { carryRelations } from './relations.ts';
import { Report, type ReportDocument } from './report.ts';
import { reportPage } from './report-page.ts';
import { carryStorages } from './storages.ts';

interface Side {
  /** Address of the API, for people. */
  readonly address: string;
  readonly ask: Ask;
}

export interface MigrationRequest {
  readonly from: Side;
  readonly to: Side;
  readonly folder: StateFolder;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Requests a second to the original. */
  readonly rate: number;
  readonly options: MigrationOptions;
  digest(text: string): string;
  newHasher(): { update(bytes: Uint8Array): void; hex(): string };
  tell(text: string): void;
}

/** Opens the original, and sees that its login may read all. */
export async function reachOriginal(
  request: Pick<MigrationRequest, 'from' | 'clock' | 'random' | 'signal' | 'rate' | 'tell'>,
): Promise<Original> {
  const { from, rate, ...parts } = request;
  const api = createApi({ ...parts, ask: from.ask, rate });
  try {
    const original = await openOriginal(api, from.address);
    await api.read(original.pagePath(at`/user`, { first: 1, number: 1 }));
    return original;
  } catch (error) {
    if (!(error instanceof Refused) || ![401, 403].includes(error.status)) throw error;
    throw new CommandError(`Expected a login of an administrator of ${from.address}: ${error.message}`);
  }
}

/** Number from which new ids are above all that the original has given, and will give until the day of the change. */
export async function numberAbove(original: Original): Promise<number> {
  const newest = { sort: [{ field: 'created', order: 'descending' }] };
  const page = { first: 1, number: 1 };
  const items = await original.list<ItemType>(original.pagePath(at`/item`, page), 'item', newest);
  const path = original.pagePath(at`/storage/file`, { first: 0, number: 1 }, 'sort=fileId%20desc');
  const files = await original.list<FileType>(path, 'file').catch((): Page<FileType> => ({ entries: [] }));
  const digits = [...items.entries, ...files.entries].map(({ id = '' }) => /\d+$/.exec(id)?.[0].length ?? 0);
  return Math.max(1_000_000, 10 ** (Math.max(0, ...digits) + 1));
}

export async function openMigration(request: MigrationRequest, original: Original): Promise<Migration> {
  const { to, from, rate: _rate, ...parts } = request;
  try {
    const journal = await Journal.open(request.folder, from.address);
    return { ...parts, original, target: createApi({ ...parts, ask: to.ask }), journal, report: new Report() };
  } catch (error) {
    if (!(error instanceof OtherOriginal)) throw error;
    throw new CommandError(`Expected another folder in --state: this one is of ${error.message}`);
  }
}

/** Carries all that is new or has changed, and writes the report. */
export async function migrate(request: MigrationRequest, original: Original): Promise<ReportDocument> {
  const { clock, folder, from, to, tell } = request;
  const began = clock.now();
  const migration = await openMigration(request, original);
  const { report, target } = migration;
  const write = async (state: ReportDocument['state'], reason?: string): Promise<ReportDocument> => {
    const document: ReportDocument = {
      from: from.address,
      version: original.version,
      to: to.address,
      state,
      reason,
      began: new Date(began).toISOString(),
      ended: new Date(clock.now()).toISOString(),
      ...(await report.figures(migration.journal.remarks())),
      original: original.api.figures,
      target: target.figures,
    };
    await folder.write('report.json', `${JSON.stringify(document, null, 2)}\n`);
    await folder.write('report.html', reportPage(document));
    return document;
  };
  try {
    const items = await hitsOf(original, at`/item`, '', {});
    const progress = new Progress({ clock, tell, report, api: original.api, totals: { item: items } });
    report.told = (kind) => progress.look(kind);
    const { isFinal, without, storages } = migration.options;
    const choices = digestOf(migration, [isFinal, [...without].toSorted(), [...storages]]);
    await migration.journal.beginPass(choices, began);
    await carryAll(migration);
    await migration.journal.endPass();
    return await write('complete');
  } catch (error) {
    await write('stopped', reasonOf(error));
    throw error;
  }
}

async function carryAll(migration: Migration): Promise<void> {
  const { journal, options } = migration;
  // A notification that a killed run has made may not be paused, and each item would fire it.
  if (journal.hasBegun('notification')) await carryNotifications(migration);
  await carryPeople(migration);
  await carryDefinitions(migration);
  await carryStorages(migration);
  const items = await carryItems(migration);
  if (!options.without.has('relations')) await carryRelations(migration, items);
  const collections = await carryContainers(migration);
  await carryLocks(migration);
  await carryDeletions(migration, 'collection', collections);
  await carryDeletions(migration, 'item', items);
  if (!options.without.has('notifications')) await carryNotifications(migration);
  await carryOrders(migration);
  if (options.page !== undefined) await makeLinks(migration, options.page);
}

/** Items and collections that came over, and that the original has no more. They are deleted only on request. */
async function carryDeletions(
  migration: Migration,
  kind: 'item' | 'collection',
  seen: ReadonlySet<string>,
): Promise<void> {
  const { original, target, journal, report, options, signal } = migration;
  for (const old of [...journal.oldIds(kind)].filter((id) => !seen.has(id))) {
    signal.throwIfAborted();
    // A list may miss an entity that is there.
    if (await original.api.find(at`/${kind}/${old}`)) continue;
    if (!options.deletes) {
      report.remark(`Gone from the original, and still here: each ${kind}. --delete removes it`, old);
      continue;
    }
    const path = at`/${kind}/${journal.find(kind, old)!.id}`;
    // The bytes may still be those of the original.
    const query = kind === 'item' ? 'keepShapeTagMedia=*' : '';
    if (await target.find(path)) await target.write('DELETE', withQuery(path, query));
    await journal.forget(kind, old);
    report.count(kind, 'deleted');
  }
}
