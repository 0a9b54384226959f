import { documentTypes } from '../../../http/negotiation.ts';
import { type Route, route } from '../../../http/route.ts';
import { type OrderParts, orderDocument, orderOf } from '../../../jobs/contract.ts';
import { jobDocument } from '../../../jobs/documents.ts';
import { jobParameters } from '../../../jobs/parameters.ts';
import { retryWhenChanged } from '../../../lib/retry-when-changed.ts';
import type { FileAddresses } from '../../files/addresses.ts';
import { whenOf } from '../../files/changes/routes.ts';
import { tellFile } from '../../files/changes/rules.ts';
import { write } from '../../files/kinds.ts';
import { noSuchFile } from '../../files/refusals.ts';
import { fileThere } from '../../files/store.ts';
import { usesOfFile } from '../../files/uses.ts';
import type { FileJobParts } from '../parts.ts';
import { nameFile } from '../store.ts';

export function deletionRoutes(
  parts: FileJobParts,
  ordering: OrderParts,
  { paths, fileOf }: FileAddresses,
): readonly Route[] {
  const { store, render, offices } = parts;
  return paths.map((path) =>
    route({
      method: 'DELETE',
      path,
      says: 'Deletes a file as a job. Its bytes go when the grace time is over, and its entry with them.',
      query: jobParameters,
      answers: jobDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const started = parts.clock.now();
        const order = await retryWhenChanged(async () => {
          const row = await fileOf(params);
          const { id, storageId } = row;
          const uses = await usesOfFile(store, id);
          const [itemId] = uses.itemId;
          const data = [
            ['fileId', id],
            ['storageId', storageId],
            ...(itemId ? [['itemId', itemId] as const] : []),
          ] as const;
          const ordered = await orderOf(ordering, call, { type: 'DELETE_FILE', data, memo: { fileId: id } });
          const job = offices.startJob(ordered.order);
          const marked = tellFile(row, { state: 'TO_BE_DELETED' }, uses, whenOf(parts));
          const named = nameFile({ fileId: id, jobId: ordered.order.jobId });
          const there = fileThere({ id }, noSuchFile(id));
          await parts.commit(
            {
              changes: [...ordered.guards, there, ...job.changes, named, ...(marked?.changes ?? [])],
              events: [...job.events, ...(marked?.events ?? [])],
            },
            call,
          );
          return ordered.order;
        });
        return render(type, jobDocument, orderDocument(order, started));
      },
    }),
  );
}
