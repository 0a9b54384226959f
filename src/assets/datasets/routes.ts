import { baseOf } from '../../http/address.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { renderList } from '../../http/render-list.ts';
import { done } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { keptForms, keptReply, sentContent } from '../attachments/content.ts';
import { type Kind, keep, missing, remove } from '../attachments/rules.ts';
import { findAttachment, namesOf } from '../attachments/store.ts';
import type { AssetParts } from '../parts.ts';
import { metadataDatasetListDocument } from './documents.ts';

const nobody = { type: 'dataset', id: '' };
const datasetKind: Kind = { kind: 'dataset', noun: 'MetadataDataset', most: 1000 };
const rdf: readonly MediaType[] = ['text/turtle', 'application/rdf+xml', 'application/ld+json', ...keptForms];

/** Routes for datasets: RDF documents in any syntax, stored byte for byte. */
export function datasetRoutes({ store, limits, clock, render }: AssetParts): readonly Route[] {
  const path = '/metadata/dataset';
  const one = `${path}/:dataset`;
  const read = role('_metadata_dataset_read');
  const write = role('_metadata_dataset_write');
  const { kind, noun } = datasetKind;

  return [
    route({
      method: 'GET',
      path,
      says: 'The datasets of metadata, in the order of their names.',
      answers: metadataDatasetListDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type) {
        const dataset = (await namesOf(store, { ...nobody, kind })).map(({ name }) => ({
          name,
          uri: `${baseOf(call)}${path}/${encodeURIComponent(name)}`,
        }));
        return renderList(render, type, metadataDatasetListDocument, { dataset }, 'dataset');
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: 'A dataset of metadata, in the form in which it was sent.',
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
      says: 'Keeps a dataset of metadata: RDF/XML, Turtle or JSON-LD.',
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
      says: 'Removes a dataset of metadata.',
      access: write,
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        await call.commit(remove(nobody, datasetKind, params.dataset));
        return done;
      },
    }),
  ];
}
