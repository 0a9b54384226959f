import { renderUris } from '../../access/public.ts';
import { uriListDocument } from '../../documents/index.ts';
import { baseOf } from '../../http/address.ts';
import { documentOrText } from '../../http/negotiation.ts';
import { text } from '../../http/parameters/index.ts';
import { done } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { newPath, noSuchStorage, storageNamed, storageThere } from '../../media/public.ts';
import type { MetadataContext } from '../../metadata/public.ts';
import { itemChangeable } from '../commit.ts';
import { shapeFor, shapePath } from '../places.ts';
import { noSuchShape } from '../rules.ts';
import { shapeThere } from '../store.ts';
import { addFilename, dropFilename, expectNoOther } from './rules.ts';
import { filenamesOf, rulesLike } from './store.ts';

const path = `${shapePath}/filename`;
const one = `${path}/:storage`;
const writing = { access: role('_storage_rule_write'), acting: 'allowed', produces: [] } as const;

/** Routes for file names of shapes on storages. */
export function filenameRoutes(parts: MetadataContext): readonly Route[] {
  const { store } = parts;
  return [
    route({
      method: 'GET',
      path,
      says: 'The storage name rules of a shape: addresses and names.',
      answers: [uriListDocument, 'text'],
      access: role('_storage_rule_read'),
      produces: documentOrText,
      async handle(call, type, params) {
        const { id, itemId } = await shapeFor(store, call, params, 'READ');
        const base = `${baseOf(call)}/item/${itemId}/shape/${id}/filename`;
        const rows = await filenamesOf(store, { shapeId: id });
        const addresses = rows.map(
          ({ storageId, filename }) => `${base}/${storageId}?filename=${encodeURIComponent(filename)}`,
        );
        return renderUris(parts, type, addresses);
      },
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Sets the file name of a shape on a storage. A job renames an existing file.',
      query: { filename: text('The path of the file below the storage', { required: true }) },
      ...writing,
      async handle(call, _type, params) {
        const filename = newPath(call.query.filename, 'filename');
        await retryWhenChanged(async () => {
          const { id: shapeId, itemId } = await shapeFor(store, call, params, 'ALL');
          const { id: storageId } = await storageNamed(store, params.storage);
          const rule = { shapeId, storageId, filename };
          const like = await rulesLike(store, rule);
          if (like?.shapeId === shapeId && like.filename === filename) return;
          expectNoOther(rule, like);
          const guards = [
            ...itemChangeable(parts, call, itemId),
            shapeThere({ id: shapeId }, noSuchShape(shapeId)),
            storageThere({ id: storageId }, noSuchStorage(storageId)),
          ];
          await call.commit(addFilename(rule, guards));
        });
        return done;
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Removes the storage name rule of a shape. Files keep their names.',
      query: { filename: text('File name. Default: any name') },
      ...writing,
      async handle(call, _type, params) {
        const { id: shapeId, itemId } = await shapeFor(store, call, params, 'ALL');
        const storageId = params.storage;
        const row = (await filenamesOf(store, { shapeId })).find((each) => each.storageId === storageId);
        const filename = call.query.filename ?? row?.filename ?? '';
        const { changes, ...work } = dropFilename({ shapeId, storageId, filename });
        await call.commit({ ...work, changes: [...itemChangeable(parts, call, itemId), ...changes] });
        return done;
      },
    }),
  ];
}
