import { mustHave } from '../../access/public-reading.ts';
import type { Call } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { flag, list, text } from '../../http/parameters/index.ts';
import { type Route, role, route, segment } from '../../http/route.ts';
import { itemName } from '../../items/contract/item/kind.ts';
import type { StartedJob } from '../../jobs/contract.ts';
import { jobDocument } from '../../jobs/documents.ts';
import { changedMeanwhile, retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { storageNamed } from '../../media/public.ts';
import { subjectOf } from '../../security/caller.ts';
import { adoptFiles, itemChangeable, itemFor, requireTags, shapesPath } from '../../shapes/public.ts';
import { changing, together } from '../../store/commit-plan.ts';
import { claim } from '../claims/store.ts';
import { addressFrom, addressParameters, type WorkQuery, wishFrom, workParameters } from '../parameters.ts';
import type { IngestParts } from '../parts.ts';
import { receiveImport, sentFilename, uploadParameters } from '../raw/receive.ts';
import { jobReply } from '../raw/routes.ts';
import { beginImport } from '../starting/ordering.ts';
import type { ImportWish } from '../steps/import-job.ts';

const { tag: _tag, ...work } = workParameters;
const query = {
  tag: list(text('Tags of the new shape. The first shape of an item is always its original')),
  importTag: list(text('The same as tag')),
  filename: text('File name in the metadata of the shape'),
  ...work,
};

type ShapeQuery = Omit<WorkQuery, 'tag'> & {
  readonly tag: readonly string[] | undefined;
  readonly importTag: readonly string[] | undefined;
  readonly filename: string | undefined;
};

interface Form {
  readonly type: 'SHAPE_IMPORT' | 'ESSENCE_VERSION';
  readonly path: string;
  readonly says: string;
}

const forms: readonly Form[] = [
  { type: 'SHAPE_IMPORT', path: shapesPath, says: 'another shape' },
  { type: 'ESSENCE_VERSION', path: `${shapesPath}/essence`, says: 'the next essence version' },
];

/** Files that become shapes of items that are there. */
export function shapeImportRoutes(parts: IngestParts): readonly Route[] {
  const { store, render } = parts;

  /** The job, and what holds in its commit. */
  async function importOf(
    call: Call<ShapeQuery>,
    item: string,
    type: Form['type'],
    more: ImportWish,
  ): Promise<StartedJob> {
    const { id: itemId } = await itemFor(store, call, item, 'WRITE');
    const { tag, importTag = tag ?? (type === 'ESSENCE_VERSION' ? ['original'] : []), filename } = call.query;
    await mustHave(store, call, itemName, { id: itemId }, 'WRITE', { type: 'SHAPE', extradata: importTag });
    const known = await requireTags(store, importTag);
    const { storageId, ...asked } = wishFrom({ ...call.query, tag: [], original: undefined });
    const storage = storageId === undefined ? undefined : (await storageNamed(store, storageId)).id;
    const wish = {
      ...asked,
      ...more,
      itemId,
      importTag,
      ...(storage !== undefined && { storageId: storage }),
      ...(filename !== undefined && { filename }),
    };
    const job = await beginImport(parts, call, type, wish);
    const there = changing(...known, ...itemChangeable(parts, call, itemId));
    return { ...job, work: together(there, job.work) };
  }

  return forms.flatMap(({ type, path, says }) => [
    route({
      method: 'POST',
      path,
      says: `Imports a file from an address or a storage as ${says} of an item, as a job.`,
      query: {
        ...addressParameters,
        ...query,
        allowReimport: flag('Allows a file that a component has', false),
      },
      answers: jobDocument,
      access: role('_import'),
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, form, params) {
        const { allowReimport } = call.query;
        const job = await retryWhenChanged(async () => {
          const { fileId, ...address } = addressFrom(call.query);
          const named = fileId === undefined ? [] : [fileId];
          const adopted = await adoptFiles(store, call, named, 'fileId', allowReimport);
          const file = fileId === undefined ? undefined : adopted.ids.get(fileId)!;
          const more = { ...address, ...(file !== undefined && { fileId: file }), allowReimport };
          const { work, jobId, document } = await importOf(call, segment(params, 'item'), type, more);
          const claims =
            file === undefined || allowReimport
              ? []
              : [claim({ type: 'file', id: file, jobId }, changedMeanwhile('File', file))];
          await call.commit(together(changing(...adopted.guards), work, changing(...claims)));
          return document;
        });
        return render(form, jobDocument, job);
      },
    }),
    route({
      method: 'POST',
      path: `${path}/raw`,
      says: `Imports the body as ${says} of an item, whole or in parts. The job starts after the last part.`,
      query: { ...query, ...uploadParameters },
      reads: 'bytes',
      answers: [jobDocument, 'nothing'],
      access: role('_import'),
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, form, params) {
        const item = segment(params, 'item');
        const { id: itemId } = await itemFor(store, call, item, 'WRITE');
        const { tag = [], importTag = tag, storageId } = call.query;
        await requireTags(store, importTag);
        const filename = await sentFilename(call);
        const target = `${type} ${itemId} ${importTag.join(',')}`;
        const upload = { target, owner: subjectOf(call).name, storageId, tags: importTag, filename, itemId };
        const job = await receiveImport(parts, call, upload, (fileId) =>
          importOf(call, item, type, {
            fileId,
            allowReimport: true,
            ...(filename !== undefined && { filename }),
          }),
        );
        return jobReply(parts, form, job);
      },
    }),
  ]);
}
