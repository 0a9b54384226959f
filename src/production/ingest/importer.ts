import { knownTags } from '../../assets/shapes/public.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing, together } from '../../core/store/commit-plan.ts';
import { type Actor, type CommitPlan, systemActor } from '../../core/store/contract.ts';
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
import { claim } from './store.ts';

export interface ImporterOptions {
  readonly user: string;
  readonly tags: readonly string[];
  readonly storageId: string | undefined;
}

export interface Imported {
  readonly jobId: string;
  readonly itemId: string;
}

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

    /** The bytes go to a storage first. The job begins in the commit in which the file is whole. */
    async file(file: LocalFile, options: ImporterOptions, onBytes: (count: number) => void): Promise<Imported> {
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
      const staged = await to.driver.stage!(file.open(), { hashes: keptAlgorithms, size: file.size, onBytes });
      let imported: Imported | undefined;
      const plan = async (id: string): Promise<CommitPlan> => {
        const request = { fileId: id, filename: file.name };
        const importWork = await prepareServiceImport(parts, { type: 'RAW_IMPORT', request, ...importOptions });
        imported = importWork;
        const taken = claim({ type: 'file', id, jobId: imported.jobId }, changedMeanwhile('File', id));
        return together(importWork.work, changing(taken));
      };
      const { token, size, hashes } = staged;
      const bytes = { token, size, ...fileHashes(hashes), state: 'CLOSED', transferId: null };
      const place = { methodId: to.method.id, storageId, path, fileId, mode: 'create' as const };
      const by = { actor, commit: (work: CommitPlan) => store.commit(work, actor), also: { plan } };
      await publishing.publish({ ...bytes, ...place }, to.driver, by, await roomFor(size));
      return imported!;
    },
  };
}
