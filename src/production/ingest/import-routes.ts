import { type MetadataDocumentValue, metadataDocument } from '../../assets/metadata/public-reading.ts';
import { adoptFiles } from '../../assets/shapes/public.ts';
import { existing } from '../../core/lib/checks.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import type { Call } from '../../http/call.ts';
import { flag, list, type QueryOf, repeated, text } from '../../http/parameters/index.ts';
import { optional } from '../../http/reads.ts';
import { type Route, role, route } from '../../http/route.ts';
import { commitJob } from '../../room/jobs/contract.ts';
import { type Job, jobDocument } from '../../room/jobs/documents.ts';
import type { Caller } from '../../security/caller.ts';
import { fileAddresses, newFile, newPath, noSuchFile, storageAt, storageNamed } from '../../storage/public.ts';
import { fileAt, findFile, usesOf } from '../../storage/public-reading.ts';
import { prepareImport } from './new-imports.ts';
import { addressFrom, addressParameters, importParameters, importRequestFrom } from './parameters.ts';
import type { IngestParts } from './parts.ts';
import { callerMayHave, mayHaveAlike } from './sources/foreign.ts';
import { foundFile, statOf } from './sources/found-file.ts';
import { claim, claimedBy } from './store.ts';

const { fileId: _file, ...uris } = addressParameters;

/** Imports of files that lie elsewhere. */
export function importRoutes(parts: IngestParts): readonly Route[] {
  const { store } = parts;

  return [
    route({
      method: 'POST',
      path: '/import',
      says: 'Creates an item and a job that imports its file from an address. If the file cannot be read, the job fails.',
      query: {
        ...importParameters,
        ...uris,
        filename: text('File name in the metadata of the item'),
        settings: text('The profile whose access entries the item gets'),
        ids: list(text('External ids of the item')),
        sidecar: repeated('The address or the id of a file with metadata or subtitles'),
      },
      reads: optional(metadataDocument),
      answers: jobDocument,
      access: role('_import'),
      acting: 'allowed',
      async handle(call) {
        const { importTag = ['original'], tag = [], settings, filename, sidecar, ids: externalIds = [] } = call.query;
        const { storageId, ...source } = importRequestFrom(call.query);
        const storage = storageId === undefined ? undefined : (await storageNamed(store, storageId)).id;
        const request = {
          ...source,
          ...addressFrom(call.query),
          ...(storage !== undefined && { storageId: storage }),
          ...(filename !== undefined && { filename }),
          ...(sidecar.length > 0 && { sidecars: sidecar }),
        };

        const item = {
          type: 'PLACEHOLDER_IMPORT',
          request,
          externalIds,
          metadata: call.body,
          importTag,
          tags: tag,
          settings,
        } as const;
        return commitJob(call, () => prepareImport(parts, call, item));
      },
    }),
  ];
}

/** The file at a path of a storage. One that no scan has found yet is registered, if its bytes are there. */
async function fileAtPath(
  parts: IngestParts,
  call: Caller,
  storageId: string,
  { path: pathText, growing }: { readonly path: string; readonly growing: boolean },
): Promise<string> {
  const { store, clock } = parts;
  const path = newPath(pathText);
  const knownFile = await fileAt(store, { storageId, path });
  if (knownFile) return knownFile.id;
  const file = existing(await statOf(parts, storageId, path), noSuchFile, path);
  await mayHaveAlike(store, callerMayHave(parts, call), file.identity);
  const id = await store.nextId('file');
  const newRow = foundFile({ id, storageId, path }, file, growing, clock.now());
  await call.commit(newFile(newRow, changedMeanwhile('File', path)));
  return id;
}

const query = {
  ...importParameters,
  id: list(text('External ids of the item')),
  filename: text('File name in the metadata of the item'),
  allowReimport: flag('Allows a file that a component has', false),
  settings: text('The profile whose access entries the item gets'),
};

type Query = QueryOf<typeof query>;

/** Imports of files that lie on storages. */
export function fileImportRoutes(parts: IngestParts): readonly Route[] {
  const { store } = parts;
  const { paths, fileOf } = fileAddresses(store);
  const shared = {
    method: 'POST',
    reads: optional(metadataDocument),
    answers: jobDocument,
    access: role('_import'),
    acting: 'allowed',
  } as const;

  return [
    ...paths.map((path) =>
      route({
        ...shared,
        path: `${path}/import`,
        says: 'Imports a file of a storage as a new item, as a job. The file stays where it is.',
        query,
        handle: (call, params) => start(call, async () => (await fileOf(params)).id),
      }),
    ),
    route({
      ...shared,
      path: '/storage/:storage/import',
      says: 'Imports the file at a path of a storage as a new item, as a job. A file that no scan has found is registered.',
      query: { path: text('The path of the file below its storage', { required: true }), ...query },
      entities: { storage: storageAt(store) },
      handle: (call, { storage: { id } }) => start(call, () => fileAtPath(parts, call, id, call.query)),
    }),
  ];

  function start(call: Call<Query, MetadataDocumentValue | undefined>, find: () => Promise<string>): Promise<Job> {
    const { importTag = ['original'], tag = [], id: externalIds = [], settings } = call.query;
    const { filename, allowReimport } = call.query;
    const { storageId: _storage, ...source } = importRequestFrom(call.query);
    return commitJob(call, async () => {
      const fileId = await find();
      const file = { type: 'file', id: fileId } as const;
      store.ahead(() => [claimedBy(store, file), usesOf(store, { ids: [fileId] }), findFile(store, file)]);
      const { guards } = await adoptFiles(store, call, [fileId], 'path', allowReimport);
      const other = allowReimport ? undefined : await claimedBy(store, file);
      if (other) throw beingImported(fileId, other.jobId);
      const changed = changedMeanwhile('File', fileId);
      const request = { ...source, fileId, allowReimport, ...(filename !== undefined && { filename }) };
      return prepareImport(parts, call, {
        type: 'AUTO_IMPORT',
        ...{ request, externalIds, metadata: call.body, importTag, tags: tag, settings },
        path: (await findFile(store, file))?.path,
        also: ({ jobId }) => [...guards, ...(allowReimport ? [] : [claim({ ...file, jobId }, changed)])],
      });
    });
  }
}

const beingImported = (id: string, jobId: string): ServiceError =>
  new ServiceError('bad-value', {
    context: 'file',
    id,
    explanation: `Expected a file that no job imports now, or allowReimport=true [${jobId}]`,
    value: id,
  });
