import { knownTags } from '../../assets/shapes/public.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing, together } from '../../core/store/commit-plan.ts';
import { type Actor, type CommitPlan, type Statement, systemActor } from '../../core/store/contract.ts';
import { findUser } from '../../identity/public-reading.ts';
import { CommandError, type LocalFile } from '../../room/command.ts';
import {
  bytesQuotaHook,
  chooseStorage,
  extensionOf,
  fileHashes,
  inventPath,
  keptAlgorithms,
  noRules,
} from '../../storage/public.ts';
import { findTranscoders } from '../transcoding/public.ts';
import { prepareServiceImport } from './new-imports.ts';
import type { IngestParts } from './parts.ts';
import { claim, forgetSource, insertSource, sourceSeen } from './store.ts';

export interface ImporterOptions {
  readonly user: string;
  readonly tags: readonly string[];
  readonly storageId: string | undefined;
}

export interface Imported {
  readonly jobId: string;
  readonly itemId: string;
}

export interface FolderImported extends Imported {
  /** An earlier run of the command began the import. */
  readonly isEarlier: boolean;
}

export interface CopyOptions {
  /** Called with the number of bytes that are copied so far. */
  readonly onBytes: (count: number) => void;
  readonly signal?: AbortSignal;
}

/** Statuses of jobs whose file a later run imports again. */
const failed: ReadonlySet<string | null> = new Set(['FAILED_TOTAL', 'ABORTED']);

const taken = (jobId: string): ServiceError =>
  new ServiceError('request-repeated', { explanation: 'Expected a file that no other command imports now', id: jobId });

export type Importer = ReturnType<typeof createImporter>;

/** Imports for a command beside a running server: the server does the jobs. */
export function createImporter(parts: IngestParts) {
  const { store, destinations, publishing, space } = parts;

  async function prepared({ user: name, tags }: ImporterOptions) {
    const user = await findUser(store, { name });
    if (!user) throw new CommandError(`Expected the name of a user in --user: "${name.slice(0, 80)}"`);
    const tagNames = (await knownTags(store, { names: tags })).map((tag) => tag.name);
    const missing = tags.find((tag) => !tagNames.includes(tag));
    if (missing !== undefined) throw new CommandError(`Expected a shape tag in --tag: "${missing.slice(0, 80)}"`);
    return { user, tags };
  }

  /** The bytes go to a storage first. The job begins in the commit in which the file is whole. */
  async function importFile(
    file: LocalFile,
    options: ImporterOptions,
    { onBytes, signal }: CopyOptions,
    also: (imported: Imported) => Promise<readonly Statement[]> = async () => [],
  ): Promise<Imported> {
    const importOptions = await prepared(options);
    const tags = ['original'];
    const storageId = options.storageId ?? (await chooseStorage(store, { ...noRules, tags }));
    if (storageId === undefined)
      throw new CommandError('Expected a storage that takes new files: make one with POST /storage');
    const to = await destinations.writableOf(await destinations.storageOf(storageId));
    await space.mustHold(to.method, to.driver, file.size);
    const owner = { user: importOptions.user.name };
    const roomFor = (bytes: number) =>
      parts.hooks.need(bytesQuotaHook).guards({ storageId, fileId: undefined, bytes, for: owner });
    const early = await roomFor(file.size);
    if (early.length > 0) await store.commit({ changes: early, events: [] }, systemActor);
    const actor: Actor = { ...systemActor, user: importOptions.user.name };
    const fileId = await store.nextId('file');
    const unnamed = { storageId, fileId, extension: extensionOf(file.name), preferredPaths: [] };
    const path = await inventPath(parts, unnamed, to.driver, actor);
    const staged = await to.driver.stage!(file.open(signal), { hashes: keptAlgorithms, size: file.size, onBytes });
    let imported: Imported | undefined;
    const plan = async (id: string): Promise<CommitPlan> => {
      const request = { fileId: id, filename: file.name };
      const importWork = await prepareServiceImport(parts, { type: 'RAW_IMPORT', request, ...importOptions });
      imported = importWork;
      const claimed = claim({ type: 'file', id, jobId: imported.jobId }, changedMeanwhile('File', id));
      return together(importWork.work, changing(claimed, ...(await also(imported))));
    };
    const { token, size, hashes } = staged;
    const bytes = { token, size, ...fileHashes(hashes), state: 'CLOSED', transferId: null };
    const place = { methodId: to.method.id, storageId, path, fileId, mode: 'create' as const };
    const by = { actor, commit: (work: CommitPlan) => store.commit(work, actor), also: { plan } };
    await publishing.publish({ ...bytes, ...place }, to.driver, by, await roomFor(size));
    return imported!;
  }

  return {
    /** Names what to install where no transcoder of this machine works. Undefined: one does. */
    async missingTranscoder(): Promise<string | undefined> {
      const { working, install } = await findTranscoders(parts.transcoders());
      return working.length > 0 ? undefined : install.join('; or ');
    },

    /** Starts an import. The job reads the address. */
    async address(uri: string, options: ImporterOptions): Promise<Imported> {
      const { storageId } = options;
      const request = { uri, ...(storageId !== undefined && { storageId }) };
      const preparedImport = await prepareServiceImport(parts, {
        type: 'PLACEHOLDER_IMPORT',
        request,
        ...(await prepared(options)),
      });
      await store.commit(preparedImport.work, systemActor);
      return preparedImport;
    },

    /** Throws unless the options name a user and tags that are there. */
    async check(options: ImporterOptions): Promise<void> {
      await prepared(options);
    },

    file: (file: LocalFile, options: ImporterOptions, copying: CopyOptions): Promise<Imported> =>
      importFile(file, options, copying),

    /**
     * Imports a file of a folder, unless an earlier run of the command with the same options has. A file that has
     * changed since, or failed, is imported again. `isNew`: imports it in any case.
     */
    async fileOfFolder(
      file: LocalFile,
      options: ImporterOptions,
      copying: CopyOptions,
      isNew: boolean,
    ): Promise<FolderImported> {
      const { user, tags, storageId = null } = options;
      const hash = parts.fingerprint(JSON.stringify([file.path, user, storageId, ...tags]));
      const { size, modified } = file;
      const find = async () => {
        const row = await sourceSeen(store, { hash });
        const isDone = row?.size === size && row.modified === modified && !failed.has(row.status);
        return { row, isDone };
      };
      const { row: earlier, isDone } = await find();
      if (earlier && isDone && !isNew) return { ...earlier, isEarlier: true };
      /** Records the file in the commit that begins its import. Throws if another command has begun one by then. */
      const also = async ({ itemId, jobId }: Imported): Promise<readonly Statement[]> => {
        const { row, isDone: isDoneNow } = await find();
        if (row && isDoneNow && row.jobId !== earlier?.jobId) throw taken(row.jobId);
        const gone = row ? [forgetSource({ hash, jobId: row.jobId })] : [];
        return [...gone, insertSource({ hash, size, modified, itemId, jobId }, changedMeanwhile('File', itemId))];
      };
      return { ...(await importFile(file, options, copying, also)), isEarlier: false };
    },
  };
}
