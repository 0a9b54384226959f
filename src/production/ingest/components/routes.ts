import { unlockedFor } from '../../../assets/items/contract/item-locks.ts';
import { adoptFiles, type ComponentRow, shapePath, shapesAt, shapeWithParts } from '../../../assets/shapes/public.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile, retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import { flag } from '../../../http/parameters/index.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { jobDocument } from '../../../room/jobs/documents.ts';
import { jobParameters } from '../../../room/jobs/parameters.ts';
import { storageNamed } from '../../../storage/public.ts';
import { claim } from '../claims/store.ts';
import { addressFrom, addressParameters, workParameters } from '../parameters.ts';
import type { IngestParts } from '../parts.ts';
import { beginImport } from '../starting/ordering.ts';

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
      async handle(call, { shape: named }) {
        const { allowReimport, storageId, growing: grows } = call.query;
        const { fileId: ofFile, ...address } = addressFrom(call.query);
        const job = await retryWhenChanged(async () => {
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
          await call.commit(together(changing(...guards), work, changing(...claims)));
          return document;
        });
        return job;
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
