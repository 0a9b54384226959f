import { badValue } from '../../core/documents/error.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { together } from '../../core/store/commit-plan.ts';
import type { Reader } from '../../core/store/statement.ts';
import { baseOf } from '../../http/address.ts';
import { answer } from '../../http/answers.ts';
import { page, pageOf } from '../../http/parameters/index.ts';
import { linesOf } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { checkName } from '../../identity/public-reading.ts';
import { changeInTurn, forgetEntity } from '../../room/entities/changes.ts';
import { findEntity, noSuchEntity, pathEntity } from '../../room/entities/find.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { askerOf } from '../definitions/public-reading.ts';
import { type ChangedMetadata, type ChangeOptions, commitChange } from './change.ts';
import { documentListDocument } from './documents.ts';
import { metadataEvent } from './events.ts';
import type { MetadataRequest } from './merge/request.ts';
import type { MetadataResource } from './places.ts';
import type { MetadataContext } from './settings.ts';
import {
  countDocuments,
  deleteDocumentRow,
  documentKind,
  documentMustExist,
  documentPage,
  globalDocumentName,
  insertDocument,
  isNoDocument,
} from './store.ts';
import { forgetMetadata, prepareRequests } from './write.ts';

const maxLength = 128;

/** Changes a document, and creates it first if necessary. `name`: its name, or an external id of an existing one. */
export async function putDocument(
  parts: MetadataContext,
  call: Caller,
  name: string,
  request: MetadataRequest,
  { skipForbidden = false, before }: ChangeOptions,
): Promise<ChangedMetadata> {
  const { store, clock } = parts;
  const kind = documentKind(store);
  const row = await findEntity(store, kind, name);
  if (!row) checkNewName(name);
  const { id } = row ?? { id: name };
  const owner = { kind: 'document', id } as const;
  const rights = { asker: await askerOf(call), skipForbidden };
  return changeInTurn(parts, owner, async (waited) => {
    const current = waited ? await kind.find(id) : row;
    const prepared = await prepareRequests(parts, owner, [{ by: subjectOf(call).name, request }], rights);
    const changed = { owner, prepared };
    await before?.(changed);
    if (current) {
      const exists = documentMustExist(id, noSuchEntity(globalDocumentName, id));
      await commitChange(parts, call, owner, prepared, [exists]);
    } else {
      const created = {
        changes: [
          isNoDocument({ id }, changedMeanwhile('Document', id)),
          insertDocument({ id, createdAt: clock.now() }),
        ],
        events: [metadataEvent('document/create', id, { document: id })],
      };
      await call.commit(together(created, prepared));
    }
    return changed;
  });
}

function checkNewName(name: string): void {
  checkName(name, 'path');
  if ([...name].length > maxLength) throw badValue('path', `at most ${maxLength} characters`, name);
}

/** Deletes a document with its metadata. */
async function deleteDocument(call: Caller, id: string): Promise<void> {
  const changes = [
    deleteDocumentRow({ id }),
    ...forgetEntity('document', id),
    ...forgetMetadata({ kind: 'document', id }),
  ];
  await call.commit({ changes, events: [metadataEvent('document/delete', id, { document: id })] });
}

export const readDocuments = role('_document_read');
const write = role('_document_write');

const documentPath = '/document/:document';

/** Global documents in paths. Only roles decide. */
const documentAt = (reader: Reader) => pathEntity(reader, documentKind(reader));

/** Location of documents: metadata has the same path as the document. */
export const documentPlace = (reader: Reader): MetadataResource => ({
  kind: 'document',
  noun: globalDocumentName.noun,
  path: documentPath,
  metadataPath: documentPath,
  of: 'of a document',
  read: readDocuments,
  write,
  entity: () => documentAt(reader),
});

/** Routes that list and delete documents. Content is read and changed by the metadata routes. */
export const documentRoutes = ({ store, settings }: MetadataContext): readonly Route[] => [
  route({
    method: 'GET',
    path: '/document',
    says: 'The documents, ordered by name.',
    query: page(settings.maxPage, 100),
    answers: answer(documentListDocument, {
      list: 'document',
      text: ({ document = [] }) => linesOf(document.map(({ name = '' }) => [name])),
    }),
    access: readDocuments,
    async handle(call) {
      const { reader } = call;
      const names = (await documentPage(reader, { ...pageOf(call.query) })).map(({ id }) => id);
      if (call.type === 'text/plain') return { document: names.map((name) => ({ name })) };
      const { hits } = (await countDocuments(reader, {})) ?? { hits: 0 };
      const document = names.map((name) => ({ name, uri: `${baseOf(call)}/document/${encodeURIComponent(name)}` }));
      return { hits, document };
    },
  }),
  route({
    method: 'DELETE',
    path: documentPath,
    says: 'Deletes a document with its metadata.',
    entities: { document: documentAt(store) },
    access: write,
    acting: 'allowed',
    handle: (call, { document: { id } }) => deleteDocument(call, id),
  }),
];
