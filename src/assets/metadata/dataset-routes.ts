import { baseOf } from '../../http/address.ts';
import { answer } from '../../http/answers.ts';
import { raw } from '../../http/forms.ts';
import type { MediaType } from '../../http/negotiation.ts';
import { content } from '../../http/reads.ts';
import { type Route, role, route } from '../../http/route.ts';
import { attachmentAt, keptForms, keptReply } from './attachments/places.ts';
import { type AttachmentKind, deleteAttachment, keepAttachment } from './attachments/rules.ts';
import { namesOfAttachments } from './attachments/store.ts';
import { metadataDatasetListDocument } from './documents.ts';
import type { MetadataContext } from './settings.ts';

const nobody = { type: 'dataset', id: '' };
const datasetKind: AttachmentKind = { kind: 'dataset', noun: 'MetadataDataset', max: 1000 };
const rdf: readonly MediaType[] = ['text/turtle', 'application/rdf+xml', 'application/ld+json', ...keptForms];

/** Routes for datasets: RDF documents in any syntax, stored byte for byte. */
export function datasetRoutes({ store, clock }: MetadataContext): readonly Route[] {
  const path = '/metadata/dataset';
  const one = `${path}/:dataset`;
  const read = role('_metadata_dataset_read');
  const write = role('_metadata_dataset_write');

  return [
    route({
      method: 'GET',
      path,
      says: 'The metadata datasets, ordered by name.',
      answers: answer(metadataDatasetListDocument, { list: 'dataset' }),
      access: read,
      async handle(call) {
        const rows = await namesOfAttachments(store, { ...nobody, kind: datasetKind.kind });
        const uriOf = (name: string) => `${baseOf(call)}${path}/${encodeURIComponent(name)}`;
        return { dataset: rows.map(({ name }) => ({ name, uri: uriOf(name) })) };
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: 'A metadata dataset, with the bytes that were sent.',
      entities: { dataset: attachmentAt(store, datasetKind, () => nobody) },
      answers: raw('bytes', rdf),
      access: read,
      handle: (_call, { dataset }) => keptReply(dataset),
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Stores a metadata dataset: RDF/XML, Turtle or JSON-LD.',
      reads: content,
      access: write,
      acting: 'refused',
      handle: (call, { dataset }) =>
        call.commit(keepAttachment(nobody, datasetKind, dataset, call.body, clock.now(), [])),
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Removes a metadata dataset.',
      access: write,
      acting: 'refused',
      handle: (call, { dataset }) => call.commit(deleteAttachment(nobody, datasetKind, dataset)),
    }),
  ];
}
