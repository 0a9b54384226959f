import { mustHave } from '../../assets/access/public-reading.ts';
import { collectionName, collectionNamed } from '../../assets/items/contract/entities.ts';
import type { CollectionRow } from '../../assets/items/contract/store.ts';
import { creatorOf, joinNew } from '../../assets/items/public.ts';
import { prepareMetadata } from '../../assets/metadata/public.ts';
import { type MetadataDocumentValue, metadataDocument } from '../../assets/metadata/public-reading.ts';
import { callerNamed } from '../../assets/search/public.ts';
import { importTags, requireTags } from '../../assets/shapes/public.ts';
import { changing, nothing, together } from '../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { documentFrom } from '../../http/body.ts';
import { roleMissing } from '../../http/route.ts';
import { hook } from '../../room/hook.ts';
import type { JobQuery } from '../../room/jobs/parameters.ts';
import { accountOf, type Caller, subjectOf } from '../../security/caller.ts';
import type { UploadImports } from '../../storage/public.ts';
import { isRefusal, nameFile, storageNamed } from '../../storage/public.ts';
import { prepareImport } from './new-imports.ts';
import type { IngestParts } from './parts.ts';
import { placeForUpload } from './raw/receive.ts';
import { takenBy } from './store.ts';

/** Import that a caller requested when an upload began. */
interface UploadRequest {
  readonly filename?: string | undefined;
  readonly tag: readonly string[];
  readonly collection?: string | undefined;
  readonly metadata?: MetadataDocumentValue | undefined;
  /** Upload of a guest of a share. */
  readonly guestUpload?: string | undefined;
}

/** Adds to the commit that makes an item of a guest's upload what belongs to the share. A restart may lie between. */
export const guestUploadHook = hook<(upload: string, work: CommitPlan) => Promise<CommitPlan>>('shares');

const defaultJob: JobQuery = {
  priority: undefined,
  jobmetadata: [],
  notification: [],
  holdJob: false,
  resourceTag: [],
  notificationData: [],
};

/** The collection, if the caller may add items to it. */
export async function collectionToFill(
  { store }: Pick<IngestParts, 'store'>,
  caller: Caller,
  name: string,
): Promise<CollectionRow> {
  if (!(await subjectOf(caller).has('_collection_write'))) throw roleMissing('_collection_write');
  const row = await collectionNamed(store, name);
  await mustHave(store.reader(accountOf(caller)), caller, collectionName, row, 'WRITE', undefined, name);
  return row;
}

export function uploadImports(parts: IngestParts): UploadImports {
  const { store, limits } = parts;

  async function planFor(caller: Caller, fileId: string, request: UploadRequest): Promise<CommitPlan> {
    const { filename, tag, collection, metadata } = request;
    const joined = collection === undefined ? undefined : await collectionToFill(parts, caller, collection);
    const { jobId, itemId, work } = await prepareImport(
      parts,
      // Transcodes come behind all else: pictures do not wait for films.
      { ...caller, query: { ...defaultJob, priority: tag.length > 0 ? ('low' as const) : undefined } },
      {
        type: 'RAW_IMPORT',
        request: { fileId, filename, tags: tag, transcodes: tag.length > 0, thumbnails: 'regular' },
        externalIds: [],
        metadata,
        importTag: importTags,
        tags: tag,
        settings: undefined,
      },
    );
    const joins = joined ? joinNew(parts, joined, { type: 'item', id: itemId }) : nothing;
    return together(work, joins, changing(takenBy({ fileId, jobId }), nameFile({ fileId, jobId })));
  }

  async function planAsAllowed(caller: Caller, fileId: string, request: UploadRequest): Promise<CommitPlan> {
    for (const allowed of [request, { ...request, collection: undefined }]) {
      try {
        return await planFor(caller, fileId, allowed);
      } catch (error) {
        // The request was allowed when the upload began.
        if (!isRefusal(error)) throw error;
      }
    }
    return planFor(caller, fileId, { filename: request.filename, tag: [] });
  }

  return {
    async prepare(caller, parameters) {
      const filename = parameters.get('filename') || undefined;
      const tag = (parameters.get('tag') ?? '').split(',').flatMap((each) => each.trim() || []);
      const text = parameters.get('metadata') || undefined;
      const metadata = text === undefined ? undefined : documentFrom(text, metadataDocument, limits, 'metadata');
      await requireTags(store, [...importTags, ...tag]);
      const named = parameters.get('collection') || undefined;
      const collection = named === undefined ? undefined : (await collectionToFill(parts, caller, named)).id;
      if (metadata) {
        const { name: by, asker } = await creatorOf(caller);
        const rights = asker && ({ asker, skipForbidden: false } as const);
        await prepareMetadata(parts, { kind: 'item', id: '', isNew: true }, [{ by, document: metadata }], rights);
      }
      const storage = parameters.get('storage') || undefined;
      const storageId = storage === undefined ? undefined : (await storageNamed(store, storage)).id;
      const place = await placeForUpload(parts, caller, {
        storageId,
        tags: importTags,
        filename,
        collectionId: collection,
      });
      const wish: UploadRequest = { filename, tag, collection, metadata, guestUpload: caller.guest?.upload };
      return { ...place, wish: JSON.stringify(wish) };
    },

    async start({ owner, actor, wish: text, fileId }) {
      const caller = await callerNamed(parts, owner, actor);
      if (!caller) return nothing;
      const request = JSON.parse(text) as UploadRequest;
      const work = await planAsAllowed(caller, fileId, request);
      const { guestUpload } = request;
      return guestUpload === undefined ? work : (parts.hooks.find(guestUploadHook)?.(guestUpload, work) ?? work);
    },
  };
}
