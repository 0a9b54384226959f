import { itemAt } from '../../../assets/items/contract/entities.ts';
import { unlockedFor } from '../../../assets/items/contract/item-locks.ts';
import {
  adoptFiles,
  attachFile,
  commitShapes,
  type ExpectedKind,
  expectedKinds,
  inTurnOfItem,
  mustHaveTags,
  requireTags,
  shapeWithParts,
} from '../../../assets/shapes/public.ts';
import { document, element, list, string } from '../../../core/documents/describe.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import { uris } from '../../../http/answers.ts';
import type { Call } from '../../../http/call.ts';
import { sentBytesOf } from '../../../http/form-body.ts';
import { raw } from '../../../http/forms.ts';
import { badParameter, flag, text, whole } from '../../../http/parameters/index.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { commitJob, type StartedJob } from '../../../room/jobs/contract.ts';
import { type Job, jobDocument } from '../../../room/jobs/documents.ts';
import type { JobQuery } from '../../../room/jobs/parameters.ts';
import { subjectOf } from '../../../security/caller.ts';
import { storageNamed } from '../../../storage/public.ts';
import { otherForms, tagsGiven } from '../../transcoding/public.ts';
import { beginImport } from '../new-imports.ts';
import { addressFrom, addressParameters, importRequestFrom, type WorkQuery, workParameters } from '../parameters.ts';
import type { IngestParts } from '../parts.ts';
import { receiveImport, sentFilename, uploadParameters } from '../raw/receive.ts';
import { startedJob } from '../raw/routes.ts';
import { newUploadKey } from '../raw/upload-keys.ts';
import type { ImportRequest } from '../steps/import-job.ts';
import { claim } from '../store.ts';
import { type ExpectedComponent, placeFor } from './choose.ts';

/** The addresses of the files of a placeholder, by the kinds of components. */
export const placeholderImportDocument = document('PlaceholderImportRequestDocument', {
  container: element(string),
  video: list(string),
  audio: list(string),
  binary: list(string),
});

const path = '/import/placeholder/:item';
const where = {
  index: whole('Index among the components of its kind, from 0'),
  shapeId: text('The placeholder shape. Default: the first one of the item'),
};
const filename = text('File name in the metadata of the item');

type ExpectedQuery = WorkQuery & { readonly index: number | undefined; readonly shapeId: string | undefined };

/** Files for the components that placeholders expect. */
export function placeholderImportRoutes(parts: IngestParts): readonly Route[] {
  const { store, clock } = parts;
  const entities = { item: itemAt(store)('WRITE', 'SHAPE') };
  const importing = { method: 'POST', entities, access: role('_import'), acting: 'allowed' } as const;

  const placeIn = (call: Call<ExpectedQuery>, itemId: string, kind: ExpectedKind) => {
    const { index, shapeId } = call.query;
    return placeFor(parts, call, { itemId, kind, index, shapeId });
  };

  /** The job for one component, which no other import takes until it has ended. */
  async function jobFor(
    call: Call<JobQuery>,
    { itemId, shapeId, component }: ExpectedComponent,
    request: ImportRequest,
    more: readonly Statement[],
  ): Promise<StartedJob> {
    const importRequest = { ...request, itemId, shapeId, componentId: component.id };
    const job = await beginImport(parts, call, 'PLACEHOLDER_IMPORT', importRequest);
    const { jobId } = job;
    const taken = claim({ type: 'component', id: component.id, jobId }, changedMeanwhile('Component', component.id));
    const files =
      request.fileId === undefined || request.allowReimport
        ? []
        : [claim({ type: 'file', id: request.fileId, jobId }, changedMeanwhile('File', request.fileId))];
    const statements = [unlockedFor(call, itemId, clock.now()), ...more, taken, ...files];
    return { ...job, work: together(changing(...statements), job.work) };
  }

  /** Job parameters of the query, with the file named by its id. */
  async function requestIn(
    call: Call<ExpectedQuery>,
    itemId: string,
    allowReimport = false,
    fileId: string | undefined = undefined,
  ) {
    const { tag = [], storageId, original } = call.query;
    const formTags = call.query['no-transcode'] ? [] : otherForms(tag);
    if (formTags.length > 0) await mustHaveTags(store, call, itemId, tagsGiven(formTags, original));
    const adopted = await adoptFiles(store, call, fileId === undefined ? [] : [fileId], 'fileId', allowReimport);
    const tagGuards = await requireTags(store, tag);
    const storage = storageId === undefined ? undefined : (await storageNamed(store, storageId)).id;
    const request: ImportRequest = {
      ...importRequestFrom(call.query),
      allowReimport,
      ...(storage && { storageId: storage }),
    };
    const file = fileId === undefined ? undefined : adopted.ids.get(fileId)!;
    return {
      request: { ...request, ...(file !== undefined && { fileId: file }) },
      guards: [...tagGuards, ...adopted.guards],
    };
  }

  return [
    route({
      ...importing,
      path,
      says: 'Imports files for several components of a placeholder, each by its own job. Answers the first job.',
      query: { ...where, ...workParameters },
      reads: placeholderImportDocument,
      answers: jobDocument,
      async handle(call, { item }) {
        const { container, video = [], audio = [], binary = [] } = call.body;
        const expectedParts: readonly (readonly [ExpectedKind, string])[] = [
          ...(container === undefined ? [] : [['container', container] as const]),
          ...video.map((uri) => ['video', uri] as const),
          ...audio.map((uri) => ['audio', uri] as const),
          ...binary.map((uri) => ['binary', uri] as const),
        ];
        let first: Job | undefined;
        for (const [kind, uri] of expectedParts) {
          const address = addressFrom({ uri, URL: undefined });
          const job = await commitJob(call, async () => {
            const place = await placeIn(call, item.id, kind);
            const { request, guards } = await requestIn(call, item.id);
            return jobFor(call, place, { ...request, ...address }, guards);
          });
          first ??= job;
        }
        if (!first) throw badParameter('body', 'Expected the address of at least one component');
        return first;
      },
    }),
    route({
      ...importing,
      path: `${path}/:component`,
      says: 'Imports the file of an expected component of a placeholder, from an address or a storage.',
      query: {
        ...addressParameters,
        ...where,
        filename,
        allowReimport: flag('Allows a file that a component has', false),
        ...workParameters,
      },
      answers: jobDocument,
      handle(call, { item, component }) {
        const kind = kindOf(component);
        const { allowReimport, filename: name } = call.query;
        return commitJob(call, async () => {
          const place = await placeIn(call, item.id, kind);
          const { fileId, ...address } = addressFrom(call.query);
          const { request, guards } = await requestIn(call, item.id, allowReimport, fileId);
          const importRequest = { ...request, ...address, ...(name !== undefined && { filename: name }) };
          return jobFor(call, place, importRequest, guards);
        });
      },
    }),
    route({
      ...importing,
      path: `${path}/:component/raw`,
      says: 'Imports the body as the file of a component, whole or in parts. The job starts after the last part.',
      query: { ...where, filename, ...workParameters, ...uploadParameters },
      reads: raw('bytes'),
      answers: startedJob,
      async handle(call, { item: { id: itemId }, component }) {
        const kind = kindOf(component);
        const { storageId } = call.query;
        const { request, guards } = await requestIn(call, itemId);
        const sent = sentBytesOf(call);
        const name = await sentFilename(call, sent);
        const target = `import ${itemId} ${kind} ${call.query.shapeId ?? ''} ${call.query.index ?? ''}`;
        const upload = { target, owner: subjectOf(call).name, storageId, tags: [], filename: name, itemId };
        return receiveImport(parts, call, sent, upload, {
          async take(fileId) {
            const place = await placeIn(call, itemId, kind);
            const importRequest = {
              ...request,
              fileId,
              allowReimport: true,
              ...(name !== undefined && { filename: name }),
            };
            return jobFor(call, place, importRequest, guards);
          },
        });
      },
    }),
    ...(['raw-passkey', ':component/raw-passkey'] as const).map((last) =>
      route({
        ...importing,
        path: `${path}/${last}`,
        says: 'Creates a passkey that lets anybody upload the file of a component once, and a job that waits for it.',
        query: { ...where, filename, ...workParameters },
        answers: uris,
        noStore: true,
        acting: 'refused',
        async handle(call, { item, component = 'container' }) {
          const kind = kindOf(component);
          const { filename: name, storageId } = call.query;
          const { key } = await call.change(async () => {
            const place = await placeIn(call, item.id, kind);
            const { request, guards } = await requestIn(call, item.id);
            const to = { storageId, tags: [], filename: name, itemId: place.itemId };
            const uploadKey = newUploadKey(parts, subjectOf(call), to);
            const importRequest = { ...request, awaitsUpload: true, ...(name !== undefined && { filename: name }) };
            const job = await jobFor(call, place, importRequest, guards);
            return { key: uploadKey.key, ...together(job.work, changing(uploadKey.forJob(job))) };
          });
          return [key];
        },
      }),
    ),
    route({
      ...importing,
      path: `${path}/:component/adopt/:file`,
      says: 'Assigns a file of a storage to an expected component of a placeholder. The last one starts a job.',
      query: { ...where, ...workParameters },
      async handle(call, { item: { id: itemId }, component: kindName, file }) {
        const kind = kindOf(kindName);
        const { request } = await requestIn(call, itemId, true);
        await inTurnOfItem(parts, itemId, async () => {
          const { shapeId, component } = await placeIn(call, itemId, kind);
          const shape = await shapeWithParts(store, { id: shapeId, itemId });
          const { ids, guards } = await adoptFiles(store, call, [file], 'path', false);
          const fileId = ids.get(file)!;
          const attachment = attachFile(shape, component, fileId, guards);
          const isLast = shape.components.every((each) => each.expected === 0 || each.id === component.id);
          const started: CommitPlan[] = [];
          if (isLast) {
            const importRequest = { ...request, itemId, shapeId, fileId, allowReimport: true };
            started.push((await beginImport(parts, call, 'PLACEHOLDER_IMPORT', importRequest)).work);
          }
          await commitShapes(parts, call, itemId, shape.shapes, together(attachment, ...started), { grows: true });
        });
      },
    }),
  ];
}

function kindOf(name: string): ExpectedKind {
  const kind = expectedKinds.find((each) => each === name);
  if (kind) return kind;
  throw badParameter('component', `Expected one of ${expectedKinds.join(', ')}`, name);
}
