import { itemAt } from '../../assets/items/contract/entities.ts';
import { mustBeUnlocked, unlockedFor } from '../../assets/items/contract/item-locks.ts';
import {
  adoptFiles,
  type ComponentRow,
  mustHaveTags,
  requireTags,
  shapePath,
  shapesAt,
  shapesPath,
  shapeWithParts,
} from '../../assets/shapes/public.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing, together } from '../../core/store/commit-plan.ts';
import type { Call } from '../../http/call.ts';
import { sentBytesOf } from '../../http/form-body.ts';
import { raw } from '../../http/forms.ts';
import { flag, list, text } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import { commitJob, type StartedJob } from '../../room/jobs/contract.ts';
import { jobDocument } from '../../room/jobs/documents.ts';
import { jobParameters } from '../../room/jobs/parameters.ts';
import { subjectOf } from '../../security/caller.ts';
import { storageNamed } from '../../storage/public.ts';
import { beginImport } from './new-imports.ts';
import { addressFrom, addressParameters, importRequestFrom, type WorkQuery, workParameters } from './parameters.ts';
import type { IngestParts } from './parts.ts';
import { receiveImport, sentFilename, uploadParameters } from './raw/receive.ts';
import { startedJob } from './raw/routes.ts';
import type { ImportRequest } from './steps/import-job.ts';
import { claim } from './store.ts';

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

/** Tags of the new shape. A new essence version begins with its original. */
const tagsIn = ({ tag, importTag }: ShapeQuery, type: Form['type']): readonly string[] =>
  importTag ?? tag ?? (type === 'ESSENCE_VERSION' ? ['original'] : []);

/** Files that become shapes of items that are there. */
export function shapeImportRoutes(parts: IngestParts): readonly Route[] {
  const { store, clock } = parts;
  const importing = {
    method: 'POST',
    entities: { item: itemAt(store)('WRITE', 'SHAPE') },
    access: role('_import'),
    acting: 'allowed',
  } as const;

  /** The job, and what holds in its commit. */
  async function importOf(
    call: Call<ShapeQuery>,
    itemId: string,
    type: Form['type'],
    more: ImportRequest,
  ): Promise<StartedJob> {
    const { filename } = call.query;
    const importTag = tagsIn(call.query, type);
    const [tagGuards] = await Promise.all([
      requireTags(store, importTag),
      mustHaveTags(store, call, itemId, importTag, type === 'ESSENCE_VERSION' ? 'version' : 'shape'),
    ]);
    const { storageId, ...source } = importRequestFrom({ ...call.query, tag: [], original: undefined });
    const storage = storageId === undefined ? undefined : (await storageNamed(store, storageId)).id;
    const request = {
      ...source,
      ...more,
      itemId,
      importTag,
      ...(storage !== undefined && { storageId: storage }),
      ...(filename !== undefined && { filename }),
    };
    const job = await beginImport(parts, call, type, request);
    const guards = changing(...tagGuards, unlockedFor(call, itemId, clock.now()));
    return { ...job, work: together(guards, job.work) };
  }

  return forms.flatMap(({ type, path, says }) => [
    route({
      ...importing,
      path,
      says: `Imports a file from an address or a storage as ${says} of an item, as a job.`,
      query: {
        ...addressParameters,
        ...query,
        allowReimport: flag('Allows a file that a component has', false),
      },
      answers: jobDocument,
      handle(call, { item }) {
        const { allowReimport } = call.query;
        return commitJob(call, async () => {
          const { fileId, ...address } = addressFrom(call.query);
          const named = fileId === undefined ? [] : [fileId];
          const adopted = await adoptFiles(store, call, named, 'fileId', allowReimport);
          const file = fileId === undefined ? undefined : adopted.ids.get(fileId)!;
          const more = { ...address, ...(file !== undefined && { fileId: file }), allowReimport };
          const { work, jobId, document } = await importOf(call, item.id, type, more);
          const claims =
            file === undefined || allowReimport
              ? []
              : [claim({ type: 'file', id: file, jobId }, changedMeanwhile('File', file))];
          return { document, work: together(changing(...adopted.guards), work, changing(...claims)) };
        });
      },
    }),
    route({
      ...importing,
      path: `${path}/raw`,
      says: `Imports the body as ${says} of an item, whole or in parts. The job starts after the last part.`,
      query: { ...query, ...uploadParameters },
      reads: raw('bytes'),
      answers: startedJob,
      async handle(call, { item: { id: itemId } }) {
        const { storageId } = call.query;
        // Prepared once without the file, so that a refusal comes ahead of the bytes.
        await Promise.all([mustBeUnlocked(store, call, itemId, clock.now()), importOf(call, itemId, type, {})]);
        const importTag = tagsIn(call.query, type);
        const sent = sentBytesOf(call);
        const filename = await sentFilename(call, sent);
        const target = `${type} ${itemId} ${importTag.join(',')}`;
        const upload = { target, owner: subjectOf(call).name, storageId, tags: importTag, filename, itemId };
        return receiveImport(parts, call, sent, upload, {
          take: (fileId) =>
            importOf(call, itemId, type, {
              fileId,
              allowReimport: true,
              ...(filename !== undefined && { filename }),
            }),
        });
      },
    }),
  ]);
}

const { storageId: onStorage, growing } = workParameters;

/** Files whose tracks become components of a shape that is there. */
export function componentImportRoutes(parts: IngestParts): readonly Route[] {
  const { store, clock } = parts;
  return [
    route({
      method: 'POST',
      path: `${shapePath}/component`,
      says: 'Imports a file from an address or a storage as further components of a shape, as a job.',
      entities: shapesAt(store).shape('WRITE'),
      query: {
        ...addressParameters,
        allowReimport: flag('Allows a file that a component has', false),
        storageId: onStorage,
        growing,
        ...jobParameters,
      },
      answers: jobDocument,
      access: role('_import'),
      acting: 'allowed',
      handle(call, { shape: named }) {
        const { allowReimport, storageId, growing: grows } = call.query;
        const { fileId: ofFile, ...address } = addressFrom(call.query);
        return commitJob(call, async () => {
          const { shape, components } = await shapeWithParts(store, named);
          expectMedia(shape, components);
          const adopted = await adoptFiles(store, call, ofFile === undefined ? [] : [ofFile], 'fileId', allowReimport);
          const fileId = ofFile === undefined ? undefined : adopted.ids.get(ofFile)!;
          const storage = storageId === undefined ? undefined : (await storageNamed(store, storageId)).id;
          const { id: shapeId, itemId } = shape;
          const { jobId, work, document } = await beginImport(parts, call, 'SHAPE_IMPORT', {
            ...address,
            ...(fileId !== undefined && { fileId }),
            ...(storage !== undefined && { storageId: storage }),
            itemId,
            shapeId,
            joins: true,
            allowReimport,
            growing: grows,
          });
          const claims =
            fileId === undefined || allowReimport
              ? []
              : [claim({ type: 'file', id: fileId, jobId }, changedMeanwhile('File', fileId))];
          const guards = [unlockedFor(call, itemId, clock.now()), ...adopted.guards];
          return { document, work: together(changing(...guards), work, changing(...claims)) };
        });
      },
    }),
  ];
}

/** Clients of placeholders name the component that gets the file. */
function expectMedia(
  shape: { readonly id: string; readonly placeholder: number },
  components: readonly ComponentRow[],
) {
  const refused = (explanation: string) =>
    new ServiceError('bad-value', { context: 'shape', id: shape.id, explanation });
  if (shape.placeholder === 1) {
    throw refused('Expected a shape that is no placeholder: POST /import/placeholder/{item}/{component} fills one');
  }
  if (components.every(({ kind }) => kind === 'binary' || kind === 'descriptor')) {
    throw refused('Expected a shape of media: this one has no container and no track');
  }
}
