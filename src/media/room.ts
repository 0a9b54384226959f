import type { RoomContext } from '../room/context.ts';
import { defineRoom, readAndWrite } from '../room/define-room.ts';
import { fileDocument, fileListDocument, importableFileListDocument } from './documents/file.ts';
import { storageRuleDocument, storageRulesDocument } from './documents/rules.ts';
import {
  storageDocument,
  storageGroupDocument,
  storageGroupListDocument,
  storageImportDocument,
  storageListDocument,
  storageMethodListDocument,
} from './documents/storage.ts';
import { transferDocument, transferListDocument } from './documents/transfer.ts';
import { mediaEvents } from './events.ts';
import { fileKind } from './files/kinds.ts';
import { openFileJobs } from './jobs/file-jobs.ts';
import { mediaRoutes } from './routes.ts';
import { openScanning } from './scanning/scanning.ts';
import { mediaCommands } from './scanning/verifying/commands.ts';
import { mediaSchema } from './schema-sql.ts';
import { type MediaSettings, mediaSettings } from './settings.ts';
import { storageDeletionKind } from './storages/deletion/kind.ts';
import { storageGroupKind, storageKind } from './storages/kinds.ts';
import * as tables from './tables.ts';
import { mediaTools } from './tools.ts';

/** Storages, files and bytes. */
export const media = defineRoom({
  name: 'media',
  settings: mediaSettings,
  tables,
  schema: mediaSchema,
  documents: [
    fileDocument,
    fileListDocument,
    importableFileListDocument,
    storageDocument,
    storageGroupDocument,
    storageGroupListDocument,
    storageImportDocument,
    storageListDocument,
    storageMethodListDocument,
    storageRuleDocument,
    storageRulesDocument,
    transferDocument,
    transferListDocument,
  ],
  events: mediaEvents,
  commands: mediaCommands,
  roles: readAndWrite('file', 'storage', 'storage_group', 'storage_rule'),
  open(context: RoomContext<MediaSettings>) {
    const { parts, bytes } = mediaTools(context);
    const fileJobs = openFileJobs(parts, bytes);
    const scanning = openScanning(parts);
    return {
      routes: [...mediaRoutes(parts, bytes), ...bytes.routes, ...fileJobs.routes],
      jobTypes: fileJobs.jobTypes,
      entities: {
        '/storage': storageKind(context.store),
        '/storage/storage-group': storageGroupKind(context.store),
        '/storage/file': fileKind(context.store),
      },
      workers: [storageDeletionKind(parts), ...bytes.workers, ...fileJobs.workers, ...scanning.workers],
      offers: { verify: scanning.verify },
      onDelete: { user: bytes.forgetUser },
      async close() {
        scanning.close();
        await parts.places.close();
      },
    };
  },
});
