import type { WorkKind } from '../core/work/work-kind.ts';
import { below, type RouteGroup } from '../http/route-group.ts';
import type { RoomContext } from '../room/context.ts';
import { defineRoom, readAndWrite } from '../room/define-room.ts';
import type { JobType } from '../room/jobs/job-type.ts';
import type { openBytes } from './bytes/bytes.ts';
import * as documents from './documents.ts';
import { storageEvents } from './events.ts';
import { fileDeletionKind } from './files/deletion/work.ts';
import { fileAddresses, fileKind } from './files/entity.ts';
import { checkSendfile } from './hand-over.ts';
import { copyTypes } from './jobs/copying/steps.ts';
import { fileDeletionType } from './jobs/deletion.ts';
import { evacuationKind } from './jobs/evacuation-work.ts';
import type { FileJobParts } from './jobs/file-job.ts';
import { copyRoutes, fileDeletionRoutes } from './jobs/routes.ts';
import type { StorageParts } from './parts.ts';
import { storageRoomRoutes } from './routes.ts';
import { closingKind } from './scanning/closing-work.ts';
import { hashKind } from './scanning/hashing-work.ts';
import { scanKind } from './scanning/turns/work.ts';
import { createVerify, storageCommands } from './scanning/verification.ts';
import { openWatching } from './scanning/watching-work.ts';
import { storageSchema } from './schema-sql.ts';
import { type StorageSettings, storageSettings } from './settings.ts';
import { storagesCheck } from './storages/change.ts';
import { storageDeletionKind } from './storages/deletion.ts';
import { storageGroupKind, storageKind } from './storages/entity.ts';
import * as tables from './tables.ts';
import { mediaTools } from './tools.ts';

/** Scans of storages and the hashes of their files. */
function openScanning(parts: StorageParts) {
  const watching = openWatching(parts);
  const workers: readonly WorkKind[] = [
    scanKind(parts),
    hashKind(parts),
    closingKind(parts, watching.watches),
    watching.kind,
  ];
  return { workers, verify: createVerify(parts), close: watching.close };
}

/** Copies, moves and deletions of files: what callers ask for, and the work that carries it out. */
function openFileJobs(
  context: StorageParts,
  { publishing, destinations, space }: Pick<ReturnType<typeof openBytes>, 'publishing' | 'destinations' | 'space'>,
) {
  const { store } = context;
  const parts: FileJobParts = { ...context, publishing, destinations, space };
  const addresses = fileAddresses(store);
  const routes: readonly RouteGroup[] = [
    below(['file', 'storage'], () => copyRoutes(parts, addresses)),
    below(['file', 'storage'], () => fileDeletionRoutes(parts, addresses)),
  ];
  const jobTypes: readonly JobType[] = [...copyTypes(parts), fileDeletionType(parts)];
  const workers: readonly WorkKind[] = [fileDeletionKind(context), evacuationKind(parts)];
  return { routes, jobTypes, workers };
}

/** Storages, files and bytes. */
export const storage = defineRoom({
  name: 'storage',
  settings: storageSettings,
  checkSettings: checkSendfile,
  tables,
  schema: globalThis.isEdgeModule ? [] : storageSchema(),
  documents: [documents],
  events: storageEvents,
  commands: globalThis.isEdgeModule ? {} : storageCommands,
  roles: readAndWrite('file', 'storage', 'storage_group', 'storage_rule'),
  open(context: RoomContext<StorageSettings>) {
    const { parts, bytes } = mediaTools(context);
    const fileJobs = openFileJobs(parts, bytes);
    const scanning = openScanning(parts);
    return {
      routes: [...storageRoomRoutes(parts, bytes), ...bytes.routes, ...fileJobs.routes],
      jobTypes: fileJobs.jobTypes,
      checks: [storagesCheck(context.store)],
      entities: {
        '/storage': storageKind(context.store),
        '/storage/storage-group': storageGroupKind(context.store),
        '/storage/file': fileKind(context.store),
      },
      workers: [storageDeletionKind(parts), ...bytes.workers, ...fileJobs.workers, ...scanning.workers],
      provides: { verify: scanning.verify },
      onDelete: { user: bytes.forgetUser },
      async close() {
        scanning.close();
        await parts.places.close();
      },
    };
  },
});
