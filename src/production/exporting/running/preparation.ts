import { readableAmong } from '../../../assets/access/public.ts';
import { accessOf } from '../../../assets/access/public-reading.ts';
import { libraryItemsHook, membersOfCollection } from '../../../assets/items/public.ts';
import { mediaOfItem, mustBeUsable } from '../../../assets/usage/public.ts';
import { groupBy } from '../../../core/lib/group-by.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { JobFails, type LeasedJob } from '../../../room/jobs/job-type.ts';
import type { Caller } from '../../../security/caller.ts';
import { splitUri } from '../destination-uri.ts';
import type { ExportParts } from '../parts.ts';
import { type ExportedFile, forgetExportedFiles, insertExportedFiles } from '../store.ts';
import { firstOfBag, lastOfBag, metadataInBag, payloadName } from './bag.ts';
import { type ExportMemo, isPicture } from './export-job.ts';
import { exportTemplatesHook, filesToExport, type ItemFiles } from './files.ts';
import { namesFor } from './naming.ts';

const idsAtOnce = 1000;

/** The items of an export that the caller may read, each once. Collections have those of the collections in them. */
async function* itemsToExport(parts: ExportParts, call: Caller, memo: ExportMemo): AsyncGenerator<string, void> {
  const { store } = parts;
  if (memo.target === 'item') return yield memo.id;
  if (memo.target === 'shape') return yield memo.itemId!;
  const viewer = await accessOf(store, call);
  const seen = new Set<string>();

  async function* readable(ids: readonly string[]): AsyncGenerator<string, void> {
    const fresh = ids.filter((id) => !seen.has(id));
    for (const id of fresh) seen.add(id);
    const allowed = await readableAmong(store, viewer, 'item', fresh);
    for (const id of fresh) if (allowed.has(id)) yield id;
  }

  if (memo.target === 'library') {
    const all = await parts.hooks.need(libraryItemsHook)(memo.id);
    for (let at = 0; at < all.length; at += idsAtOnce) yield* readable(all.slice(at, at + idsAtOnce));
    return;
  }
  const collections = new Set([memo.id]);
  // A set is walked in the order in which it grows.
  for (const collection of collections) {
    for await (const members of membersOfCollection(store, collection)) {
      yield* readable(members.filter(({ type }) => type === 'item').map(({ id }) => id));
      const inner = members.filter(({ type }) => type === 'collection').map(({ id }) => id);
      const allowed = await readableAmong(store, viewer, 'collection', inner);
      for (const id of inner) if (allowed.has(id)) collections.add(id);
    }
  }
}

const isOfMany = ({ target }: Pick<ExportMemo, 'target'>): boolean => target === 'collection' || target === 'library';

/** Items that are read at once. */
const slice = 100;

interface PreparedFiles {
  readonly files: number;
  /** Items without a file to export. */
  readonly missing: number;
  /** Shapes whose version is not approved. */
  readonly waiting: number;
  /** Shapes that terms of use close. */
  readonly closed: number;
}

/** Writes down the files of an export with the names that they are to have. */
export async function prepareFiles(
  parts: ExportParts,
  job: LeasedJob<ExportMemo>,
  call: Caller,
): Promise<PreparedFiles> {
  const { store, settings, clock } = parts;
  const { memo } = job;
  const record = (changes: Parameters<typeof store.commit>[0]['changes']) =>
    store.commit(changing(job.mine, ...changes), job.actor);
  await record([forgetExportedFiles({ jobId: job.id })]);
  if (isPicture(memo)) {
    await mustBeUsable(store, call, mediaOfItem(memo.id), clock.now());
    // No shape and no file has it.
    const rows = [[memo.id, '', '', splitUri(memo.destinationUri).name ?? pictureName(memo)]];
    await record([insertExportedFiles({ jobId: job.id, position: 0, files: rows })]);
    return { files: 1, missing: 0, waiting: 0, closed: 0 };
  }
  const choose =
    memo.template === undefined ? await byNames(parts, job, memo, call) : await byTemplate(parts, job, call);
  let position = 0;
  let missing = 0;
  let [waiting, closed] = [0, 0];
  if (memo.bag !== undefined) await add(firstOfBag);
  for await (const ids of slicesOf(itemsToExport(parts, call, memo))) {
    job.signal.throwIfAborted();
    const itemFiles = await filesToExport(parts, call, memo, ids);
    const [refused] = itemFiles.refusals;
    // A template takes what it names among all shapes, and not each of them.
    if (refused && memo.template === undefined && !(memo.lenient && isOfMany(memo)))
      throw new JobFails(`${refused.itemId}: ${refused.refusal.detail.explanation}`);
    const ofTerms = itemFiles.refusals.filter(({ refusal }) => refusal.code === 'not-usable').length;
    waiting += itemFiles.refusals.length - ofTerms;
    closed += ofTerms;
    const chosen = await choose.of(ids, itemFiles);
    missing += chosen.missing;
    await add(chosen.files);
    await yieldTurn();
  }
  await add(await choose.last());
  return { files: position, missing, waiting, closed };

  async function add(files: readonly ExportedFile[]): Promise<void> {
    if (position + files.length > settings.maxExportFiles) {
      throw new JobFails(`Expected at most ${settings.maxExportFiles} files`);
    }
    await record([insertExportedFiles({ jobId: job.id, position, files })]);
    position += files.length;
  }
}

/** Says which files of some items are exported, and how each is called. */
interface Choice {
  of(
    ids: readonly string[],
    itemFiles: ItemFiles,
  ): Promise<{ readonly files: readonly ExportedFile[]; readonly missing: number }>;
  /** Files behind those of all items. */
  last(): Promise<readonly ExportedFile[]>;
}

async function byNames(
  parts: ExportParts,
  job: LeasedJob<ExportMemo>,
  memo: ExportMemo,
  call: Caller,
): Promise<Choice> {
  const nameOf = await namesFor(parts, job, memo, call);
  return {
    async of(_ids, itemFiles) {
      if (!memo.lenient && itemFiles.missing[0]) throw new JobFails(missingSentence(itemFiles, memo));
      const files: ExportedFile[] = [];
      for (const file of itemFiles.files) {
        const name = await nameOf(file);
        const wished = memo.bag === undefined ? name : payloadName(file.itemId, name);
        files.push([file.itemId, file.shape.id, file.row.id, wished]);
      }
      if (memo.bag !== undefined)
        for (const itemId of new Set(itemFiles.files.map((file) => file.itemId))) files.push(metadataInBag(itemId));
      return { files, missing: itemFiles.missing.length };
    },
    last: async () => (memo.bag === undefined ? [] : lastOfBag),
  };
}

async function byTemplate(parts: ExportParts, job: LeasedJob<ExportMemo>, call: Caller): Promise<Choice> {
  const { ofItem, around } = await parts.hooks.need(exportTemplatesHook).files(job, call, job.memo);
  return {
    async of(ids, itemFiles) {
      const byItem = groupBy(itemFiles.files, ({ itemId }) => itemId);
      const files: ExportedFile[] = [];
      let missing = 0;
      for (const id of ids) {
        job.signal.throwIfAborted();
        const listing = await ofItem(id, byItem.get(id) ?? []);
        files.push(...listing.files);
        if (listing.missing) missing++;
      }
      return { files, missing };
    },
    last: around,
  };
}

/** `VX-7_thumbnail_10000.jpg`: milliseconds from the start. */
const pictureName = ({ id, target, instant = 0, type }: ExportMemo): string =>
  `${id}_${target}_${Math.floor(instant / 1000)}.${type === 'image/png' ? 'png' : 'jpg'}`;

function missingSentence({ missing: [first] }: ItemFiles, { tags }: ExportMemo): string {
  const what = tags ? `a shape with the tag ${tags.join(' or ')}` : 'an original shape';
  return `Expected ${what} with a file that is there: ${first} has none`;
}

async function* slicesOf(ids: AsyncIterable<string>): AsyncGenerator<readonly string[], void> {
  let rest: string[] = [];
  for await (const id of ids) {
    rest.push(id);
    if (rest.length < slice) continue;
    yield rest;
    rest = [];
  }
  if (rest.length > 0) yield rest;
}
