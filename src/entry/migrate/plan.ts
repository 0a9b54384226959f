import { durationInWords, printable } from '../../core/lib/messages.ts';
import type {
  FileType,
  GroupListDocument,
  ItemType,
  MetadataFieldListDocument,
  StorageListDocument,
  StorageType,
} from '../../types.ts';
import { Refused } from './calls.ts';
import type { Migration } from './carry.ts';
import { fieldGroupsOf, fieldsOf, namespacesOf, shapeTagsOf } from './definitions.ts';
import { itemsOf } from './items.ts';
import { valuesIn } from './metadata.ts';
import { importSettingsOf, notificationsOf, quotaRulesOf, schedulesOf } from './orders.ts';
import { hitsOf, many, type Original } from './original.ts';
import { groupsOf, isRole, usersOf } from './people.ts';
import { at, type Path } from './places.ts';
import { listOf, neverComes, pageOf, section, tableOf } from './report-page.ts';
import { lineOf, storageGroupsOf, storagesOf } from './storages.ts';

interface Count {
  readonly kind: string;
  /** Undefined: the original does not tell. */
  readonly count: number | undefined;
}

interface PlanDocument {
  readonly from: string;
  readonly version: string;
  readonly to: string;
  readonly count: readonly Count[];
  /** Things to do before a run. */
  readonly problem: readonly string[];
  readonly differs: readonly string[];
  readonly doesNotCome: readonly string[];
  readonly estimate: {
    /** Items that were read. */
    readonly sample: number;
    readonly requests: number;
    /** Requests a second: as measured, and at most as --rate says. */
    readonly rate: number;
    readonly seconds: number;
    readonly bytesToCopy: number;
  };
}

/** Items that are read for the measure. */
const sampleSize = 200;

/** Differences and gaps of every migration. */
const alwaysDiffers = [
  'Items and collections keep the time of their creation and their owner. Their first change set is of the migration.',
  'Change sets of the original are kept in history.jsonl, and not in the log of the metadata.',
  'Shapes, files and access entries have the time of the migration. An administrator granted the entries, and set the deletion locks.',
  'Old ids find items, collections, libraries, storages, files, shapes, import settings and quota rules. New ids are new.',
  'Files of no item are found by the scan of their storage, with new ids.',
  'Notifications are paused, and quota rules refuse nothing, until a person switches them on.',
  'Storages with "keep" are read only, until a run with --final. A storage has one method here.',
  'References between metadata come as copies. An item that a collection has twice is in it once.',
  'Queries of libraries run with the rights of an administrator, and not of their user.',
  'The user admin keeps the names and groups that it has here.',
];

/** Counts, differences and time of a migration. Changes nothing at either side. */
export async function makePlan(migration: Migration, to: string, rate: number): Promise<PlanDocument> {
  const { original, options } = migration;
  const storages = await collected(storagesOf(migration));
  const groups = (await collected(groupsOf(migration))).filter((group) => !isRole(group));
  const fields = await fieldsOf(migration);
  const notifications = await notificationsOf(migration);
  const items = await hitsOf(original, at`/item`, '', {});
  const count: Count[] = [
    { kind: 'users', count: (await countOf(original, at`/user`)) ?? (await collected(usersOf(migration))).length },
    { kind: 'groups', count: groups.length },
    { kind: 'fields', count: fields.filter(({ system }) => String(system) !== 'true').length },
    { kind: 'groups of fields', count: (await fieldGroupsOf(migration)).length },
    { kind: 'shape tags', count: (await shapeTagsOf(migration)).length },
    { kind: 'namespaces of external ids', count: (await namespacesOf(migration)).length },
    { kind: 'storages', count: storages.length },
    { kind: 'groups of storages', count: (await storageGroupsOf(migration)).length },
    { kind: 'items', count: items },
    { kind: 'collections', count: await countOf(original, at`/collection`, {}) },
    { kind: 'libraries', count: await countOf(original, at`/library`) },
    { kind: 'files', count: await countOf(original, at`/storage/file`) },
    { kind: 'notifications', count: notifications.length },
    { kind: 'deletion locks', count: await countOf(original, at`/deletion-lock`) },
    { kind: 'import settings', count: (await importSettingsOf(migration)).length },
    { kind: 'quota rules', count: (await quotaRulesOf(migration)).length },
    { kind: 'scheduled requests', count: (await schedulesOf(migration)).length },
  ];

  const sample: ItemType[] = [];
  for await (const item of itemsOf(migration)) if (sample.push(item) >= sampleSize) break;
  for (const { id = '' } of sample.slice(0, 10)) await original.api.find(at`/item/${id}/access`).catch(passRefusals);
  const { requests, answering } = original.api.figures;
  const share = sample.length === 0 ? 0 : (items ?? 0) / sample.length;
  const perItem = sum(sample, (item) => requestsFor(item, options.without));
  const containers = sum(count, ({ kind, count: number = 0 }) =>
    ['collections', 'libraries'].includes(kind)
      ? 4 * number
      : ['users', 'groups', 'fields'].includes(kind)
        ? number
        : 0,
  );
  const needed = Math.ceil(share * perItem) + containers;
  const measured = Math.min(rate, (1000 * options.lanes * requests) / Math.max(answering, 1));

  return {
    from: original.address,
    version: original.version,
    to,
    count,
    problem: await problemsOf(migration, storages),
    differs: [...(await lacksOf(migration, groups, fields)), ...alwaysDiffers],
    doesNotCome: neverComes,
    estimate: {
      sample: sample.length,
      requests: needed,
      rate: measured,
      seconds: Math.ceil(needed / Math.max(measured, 0.001)),
      bytesToCopy: await bytesToCopy(migration, sample),
    },
  };
}

/** Undefined where a release or a login has no such list. */
const countOf = (original: Original, path: Path, body?: object): Promise<number | undefined> =>
  hitsOf(original, path, '', body).catch(passRefusals);

async function collected<T>(entries: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

const sum = <T>(all: readonly T[], of: (each: T) => number): number => all.reduce((total, each) => total + of(each), 0);

function passRefusals(error: unknown): undefined {
  if (error instanceof Refused) return undefined;
  throw error;
}

/** Requests that the original gets for an item: access, relations, log, older versions, pictures, a share of pages. */
function requestsFor({ metadata, thumbnails, posters }: ItemType, without: ReadonlySet<string>): number {
  const versions = Number(valuesIn(metadata, '__version_count')[0] ?? 1);
  const pictures = without.has('thumbnails') ? 0 : many(thumbnails?.uri).length + many(posters?.uri).length;
  const more = ['history', 'relations'].filter((part) => !without.has(part)).length;
  return 0.02 + 1 + more + (versions > 1 ? versions : 0) + pictures;
}

/** Bytes of the storages that are copied: all their files, each as large as those of the sample are. */
async function bytesToCopy({ original, options }: Migration, sample: readonly ItemType[]): Promise<number> {
  let bytes = 0;
  for (const [id, { copies }] of options.storages) {
    if (!copies) continue;
    const files = new Map<string, number>();
    for (const { containerComponent, videoComponent, audioComponent, binaryComponent } of sample.flatMap(({ shape }) =>
      many(shape),
    )) {
      const components = [containerComponent, videoComponent, audioComponent, binaryComponent].flatMap((each) => [
        ...many<{ readonly file?: readonly FileType[] | undefined }>(each),
      ]);
      for (const { id: file = '', size = 0, storage } of components.flatMap((each) => many(each.file)))
        if (storage === id) files.set(file, Math.max(size, 0));
    }
    const count = (await countOf(original, at`/storage/${id}/file`)) ?? 0;
    bytes += (count * sum([...files.values()], (size) => size)) / Math.max(files.size, 1);
  }
  return Math.round(bytes);
}

async function problemsOf(migration: Migration, storages: readonly StorageType[]): Promise<readonly string[]> {
  const { target, options, journal } = migration;
  const problems = storages
    .filter((storage) => lineOf(migration, storage).to === '')
    .map(({ id }) => `Storage ${id} has no line in the table of storages: its files do not come`);
  for (const id of options.storages.keys()) {
    if (!storages.some((storage) => storage.id === id)) problems.push(`The original has no storage ${id} of the table`);
  }
  const isFresh = [...journal.oldIds('item')].length === 0;
  const items = await hitsOf({ ...migration.original, api: target, pagePath: plainPage }, at`/item`, '', {});
  if (isFresh && items) {
    problems.push(`There are ${items} items here already: old ids that they have cannot be given to others`);
  }
  const { storage } = await target.read<StorageListDocument>(at`/storage`);
  const ids = new Set(storages.flatMap(({ id }) => id ?? []));
  for (const { id = '' } of many(storage)) {
    const isOwn = ids.has(id) && journal.find('storage', id)?.id !== id;
    if (isOwn)
      problems.push(`A storage here has the id ${id} of one at the original: set PORTICO_SITE before the first start`);
  }
  return problems;
}

const plainPage: Migration['original']['pagePath'] = (path, page) =>
  at`${path}?${new URLSearchParams(Object.entries(page).map(([name, value]) => [name, String(value)]))}`;

/** Roles of groups, and fields, that are not here and cannot be made. */
async function lacksOf(
  { original, target }: Migration,
  groups: readonly { readonly groupName?: string | undefined }[],
  fields: Awaited<ReturnType<typeof fieldsOf>>,
): Promise<readonly string[]> {
  const roles = new Set(
    many((await target.read<GroupListDocument>(at`/group?role=true`)).group).map((role) => role.groupName),
  );
  const lacking = new Set<string>();
  for (const { groupName = '' } of groups) {
    const group = await original.api.read<{ parentGroupList?: GroupListDocument }>(at`/group/${groupName}`);
    for (const parent of many(group.parentGroupList?.group))
      if (isRole(parent) && !roles.has(parent.groupName)) lacking.add(parent.groupName);
  }
  const own = new Set(
    many((await target.read<MetadataFieldListDocument>(at`/metadata-field`)).field).map((each) => each.name),
  );
  const refused = fields.filter(({ name = '' }) => !own.has(name) && !fieldForm.test(name)).map(({ name }) => name);
  return [
    ...(lacking.size > 0 ? [`These roles are not here: ${[...lacking].toSorted().join(', ')}`] : []),
    ...(refused.length > 0 ? [`These fields cannot be made here: ${refused.join(', ')}`] : []),
  ];
}

/** Names that fields of users may have. */
const fieldForm = /^(?=.{1,255}$)[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+$/;

const inBytes = (bytes: number): string =>
  bytes < 1e9
    ? `${Math.ceil(bytes / 1e6)} MB`
    : bytes < 1e12
      ? `${(bytes / 1e9).toFixed(1)} GB`
      : `${(bytes / 1e12).toFixed(1)} TB`;

const timeIn = ({ requests, rate, seconds, sample }: PlanDocument['estimate']): string =>
  `${durationInWords(seconds)}: ${requests} requests at ${rate.toFixed(1)} a second, by ${sample} items`;

/** Lines of a plan for a terminal. */
export function planLines({ from, version, to, count, problem, differs, doesNotCome, estimate }: PlanDocument): string {
  const list = (title: string, entries: readonly string[]) =>
    entries.length === 0 ? [] : ['', title, ...entries.map((entry) => `  ${entry}`)];
  const lines = [
    `From ${from} (${version}) to ${to}`,
    ...count.map(({ kind, count: number }) => `  ${String(number ?? '?').padStart(9)}  ${kind}`),
    ...list('To do first', problem),
    ...list('Differs', differs),
    ...list('Does not come', doesNotCome),
    '',
    `Time: ${timeIn(estimate)}`,
    ...(estimate.bytesToCopy > 0 ? [`Bytes to copy: ${inBytes(estimate.bytesToCopy)}`] : []),
  ];
  return lines.map(printable).join('\n');
}

export const planPage = ({ from, version, to, count, problem, differs, doesNotCome, estimate }: PlanDocument): string =>
  pageOf(
    'Plan of a migration',
    [
      ['From', `${from} (${version})`],
      ['To', to],
      ['Time', timeIn(estimate)],
      ['Bytes to copy', inBytes(estimate.bytesToCopy)],
    ],
    [
      section('To do first', listOf(problem)),
      section(
        'What comes',
        tableOf(
          ['', 'number'],
          count.map((each) => [each.kind, each.count ?? '?']),
        ),
      ),
      section('What differs', listOf(differs)),
      section('What does not come', listOf(doesNotCome)),
    ].join('\n'),
  );
