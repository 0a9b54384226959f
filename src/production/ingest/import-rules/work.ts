import { profileKind } from '../../../assets/items/public.ts';
import { callerWithId } from '../../../assets/search/public.ts';
import { knownTags } from '../../../assets/shapes/public.ts';
import { changedMeanwhile, isChangedOrGone } from '../../../core/lib/retry-when-changed.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import { type CommitPlan, systemActor } from '../../../core/store/contract.ts';
import { type Piece, type PieceContext, type WorkKind, workKind } from '../../../core/work/work-kind.ts';
import { findUser } from '../../../identity/public-reading.ts';
import { findEntity } from '../../../room/entities/find.ts';
import { mayOrder } from '../../../room/jobs/contract.ts';
import type { JobPriority } from '../../../room/jobs/job-type.ts';
import { type AutoImportRow, fileUnused, findAutoImport, findStorage } from '../../../storage/public.ts';
import { type FileRow, fileAt, findFile, usesOf } from '../../../storage/public-reading.ts';
import { prepareServiceImport } from '../new-imports.ts';
import type { IngestParts } from '../parts.ts';
import { claim, countDueFiles, filesDue, filesToImport, forgetDueFile, jobsWithFile, putOffFile } from '../store.ts';
import { type AutoImportRule, autoImportOf, dataOfRule, isMetadata, sidecarMetadata, sidecarPaths } from './rules.ts';

type StoredRule = AutoImportRule & Pick<AutoImportRow, 'author'>;

/** Files that are decided about at once. */
const batch = 50;
/** Milliseconds until another look at a file that a job has, and at one whose rule cannot be carried out. */
const [soon, later] = [5_000, 3_600_000];

/** Starts an import for each file that is closed on a storage whose auto-import rule is switched on. */
export function autoImportKind(parts: IngestParts): WorkKind {
  const { store, clock, log } = parts;

  async function decide(fileId: string): Promise<void> {
    const row = await findFile(store, { id: fileId });
    const rule = row?.state === 'CLOSED' ? await ruleOf(parts, row) : undefined;
    const isUsed = rule && (await usesOf(store, { ids: [fileId] })).length > 0;
    const forgotten = changing(forgetDueFile({ fileId }));
    if (!row || !rule || isUsed) return store.commit(forgotten, systemActor).then(() => undefined);
    if ((await jobsWithFile(store, { fileId })).length > 0) {
      await store.commit(changing(putOffFile({ fileId, due: clock.now() + soon })), systemActor);
      return;
    }
    const started = await startOf(parts, row, rule);
    await store.commit(together(forgotten, ...(started ? [started] : [])), systemActor);
  }

  return workKind<Piece>({
    name: 'auto-imports',
    says: 'Imports files by auto-import rules',
    hosts: ['loop', 'edge'],
    priority: 67,
    concurrency: 1,
    wokenBy: ['file/close', 'file/new'],
    due: () => filesDue,
    claim: async () => [{ key: 'files' }],
    async do(_piece, context: PieceContext) {
      while (context.mayGoOn()) {
        const rows = await filesToImport(store, { now: clock.now(), limit: batch });
        if (rows.length === 0) return;
        for (const { fileId } of rows) {
          try {
            await decide(fileId);
            context.done();
          } catch (error) {
            const pause = isChangedOrGone(error) ? soon : later;
            context.failed(`${fileId}: ${(error as Error).message}`);
            log.write('warn', 'auto-import-failed', { file: fileId, error: (error as Error).message });
            await store.commit(changing(putOffFile({ fileId, due: clock.now() + pause })), systemActor);
          }
        }
      }
    },
    measure: async () => ({ waiting: (await countDueFiles(store, {}))[0]?.count ?? 0 }),
  });
}

/** The rule of the storage of a file, where it is carried out. */
async function ruleOf(parts: IngestParts, { storageId }: FileRow): Promise<StoredRule | undefined> {
  const { store } = parts;
  const row = await findAutoImport(store, { storageId });
  const storage = row?.enabled === 1 ? await findStorage(store, { id: storageId }) : undefined;
  if (!row || storage?.showImportables !== 1) return undefined;
  const rule = JSON.parse(row.document) as AutoImportRule;
  return { ...rule, author: row.author };
}

/** Jobs of a rule are urgent only as long as its author may order urgent ones. */
async function priorityOf(parts: IngestParts, { priority, author }: StoredRule): Promise<JobPriority | undefined> {
  if (!priority) return undefined;
  const wanted = priority.toUpperCase() as JobPriority;
  return (await mayOrder(await callerWithId(parts, author), wanted)) ? wanted : 'HIGH';
}

/** The item of a file and its job, in one commit. Undefined: the rule leaves the file alone. */
async function startOf(parts: IngestParts, row: FileRow, rule: StoredRule): Promise<CommitPlan | undefined> {
  const { store } = parts;
  const wanted = autoImportOf(rule, row.path);
  if (!wanted) return undefined;
  const { settingsId, user: userName } = rule;
  const user = userName === undefined ? undefined : await findUser(store, { name: userName });
  if (userName !== undefined && !user) throw new Error(`Expected the user of the rule: "${userName.slice(0, 80)}"`);
  const settings = settingsId || undefined;
  if (settings !== undefined && !(await findEntity(store, profileKind(store), settings)))
    throw new Error(`Expected the import settings of the rule: "${settings.slice(0, 80)}"`);
  const tags = (await knownTags(store, { names: wanted.tags })).map(({ name }) => name);
  const sidecars: string[] = [];
  let hasMetadata = false;
  for (const path of sidecarPaths(row.path, rule)) {
    const sidecarFile = await fileAt(store, { storageId: row.storageId, path });
    if (!sidecarFile || sidecarFile.id === row.id) continue;
    sidecars.push(sidecarFile.id);
    hasMetadata ||= isMetadata(path);
  }
  const { work, jobId } = await prepareServiceImport(parts, {
    type: 'AUTO_IMPORT',
    user,
    request: { fileId: row.id, sidecars },
    path: row.path,
    metadata: sidecarMetadata(rule, wanted, hasMetadata),
    tags,
    settings,
    projection: rule.projection,
    priority: await priorityOf(parts, rule),
    data: dataOfRule(rule),
  });
  const changed = changedMeanwhile('File', row.id);
  const guards = changing(fileUnused({ id: row.id }, changed), claim({ type: 'file', id: row.id, jobId }, changed));
  return together(guards, work);
}
