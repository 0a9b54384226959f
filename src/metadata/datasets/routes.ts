import { baseOf } from '../../http/address.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { renderList } from '../../http/render-list.ts';
import { done } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { keptForms, keptReply, sentContent } from '../attachments/content.ts';
import { type Kind, keep, missing, remove } from '../attachments/rules.ts';
import { findAttachment, namesOfAttachments } from '../attachments/store.ts';
import type { MetadataContext } from '../settings.ts';
import { metadataDatasetListDocument } from './documents.ts';

const nobody = { type: 'dataset', id: '' };
const datasetKind: Kind = { kind: 'dataset', noun: 'MetadataDataset', most: 1000 };
const rdf: readonly MediaType[] = ['text/turtle', 'application/rdf+xml', 'application/ld+json', ...keptForms];

/** Routes for datasets: RDF documents in any syntax, stored byte for byte. */
export function datasetRoutes({ store, limits, clock, render }: MetadataContext): readonly Route[] {
  const path = '/metadata/dataset';
  const one = `${path}/:dataset`;
  const read = role('_metadata_dataset_read');
  const write = role('_metadata_dataset_write');
  const { kind, noun } = datasetKind;

  return [
    route({
      method: 'GET',
      path,
      says: 'The metadata datasets, ordered by name.',
      answers: metadataDatasetListDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type) {
        const dataset = (await namesOfAttachments(store, { ...nobody, kind })).map(({ name }) => ({
          name,
          uri: `${baseOf(call)}${path}/${encodeURIComponent(name)}`,
        }));
        return renderList(render, type, metadataDatasetListDocument, { dataset }, 'dataset');
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: 'A metadata dataset, with the bytes that were sent.',
      answers: 'bytes',
      access: read,
      produces: rdf,
      async handle(_call, _type, params) {
        const name = params.dataset;
        const row = await findAttachment(store, { ...nobody, kind, name });
        if (!row) throw missing(noun, name);
        return keptReply(row);
      },
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Stores a metadata dataset: RDF/XML, Turtle or JSON-LD.',
      reads: 'bytes',
      access: write,
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        const content = await sentContent(call, limits.bytes);
        await call.commit(keep(nobody, datasetKind, params.dataset, content, clock.now(), []));
        return done;
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Removes a metadata dataset.',
      access: write,
      acting: 'refused',
      async handle(call, { dataset }) {
        await call.commit(remove(nobody, datasetKind, dataset));
      },
    }),
  ];
}
