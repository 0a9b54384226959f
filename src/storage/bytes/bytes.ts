import type { Statement } from '../../core/store/contract.ts';
import type { WorkKind } from '../../core/work/work-kind.ts';
import type { BytesRequest } from '../../http/bytes.ts';
import type { SentBytes } from '../../http/form-body.ts';
import type { Reply } from '../../http/reply.ts';
import { below, type RouteGroup } from '../../http/route-group.ts';
import type { Caller } from '../../security/caller.ts';
import { fileAddresses } from '../files/entity.ts';
import type { BytesUse } from '../files/link-routes.ts';
import type { FileRow } from '../files/store.ts';
import type { StorageParts } from '../parts.ts';
import { download } from './download.ts';
import { createPublishing } from './publishing/publish.ts';
import { recoveryKind } from './publishing/recovery.ts';
import { createSweep } from './publishing/sweep.ts';
import { createDestinations } from './receiving/destination.ts';
import { type ReceivingParts, receiveBytes } from './receiving/receive.ts';
import { createSpace, createUploads } from './receiving/upload-limits.ts';
import { byteRoutes } from './routes.ts';
import { expiryKind } from './transfers/end.ts';
import { createLiveTransfers } from './transfers/live.ts';
import { transferRoutes } from './transfers/routes.ts';
import { abortOfOwner } from './transfers/store.ts';
import { tusRoutes } from './tus-routes.ts';

/** Uploads, downloads, and the work that finishes what a stop cut off. */
export function openBytes(context: StorageParts) {
  const { store, settings } = context;
  const publishing = createPublishing(context);
  const sweep = createSweep(context);
  const receiving: ReceivingParts = {
    ...context,
    context,
    publishing,
    live: createLiveTransfers(context.hasher),
    space: createSpace(context),
    destinations: createDestinations(context),
    uploads: createUploads(settings),
  };
  const routes: readonly RouteGroup[] = [
    below(['storage', 'file'], () => byteRoutes(receiving, fileAddresses(store))),
    below('transfer', () => transferRoutes(context)),
    below('upload', () => tusRoutes(receiving)),
  ];
  const workers: readonly WorkKind[] = [
    recoveryKind({ ...context, publishing, sweep }),
    expiryKind({ ...context, live: receiving.live }),
    sweep.kind,
  ];
  return {
    publishing,
    destinations: receiving.destinations,
    space: receiving.space,
    receiving,
    routes,
    workers,
    /** The bytes of a file as callers get them. */
    download: (request: BytesRequest, row: FileRow, { type, ...use }: BytesUse): Promise<Reply> =>
      download(context, request, row, { use, type }),
    /** Replaces the bytes of a file by those of a request. */
    replace: (caller: Caller, sent: SentBytes, file: FileRow): Promise<FileRow> =>
      receiveBytes(receiving, caller, sent, { storageId: file.storageId, path: file.path, file, state: 'CLOSED' }, {}),
    /** Aborts the uploads of a deleted user: no other caller may continue them. */
    forgetUser: ({ names }: { readonly names: readonly string[] }): readonly Statement[] => [abortOfOwner({ names })],
  };
}
