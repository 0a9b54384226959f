import { versionSequences } from '../../assets/items/public.ts';
import { below } from '../../http/route-group.ts';
import { type IngestContext, openIngestParts } from '../../production/ingest/public.ts';
import { defineRoom } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import * as documents from './documents.ts';
import { projectImportRoutes } from './import-routes.ts';
import { projectRoutes } from './routes.ts';
import { projectVersionExportRoutes, projectVersionRoutes } from './version-routes.ts';
import { sequencesOf } from './versions.ts';

/** Projects of editing programs as collections, and their versions. */
export const projects = defineRoom({
  name: 'projects',
  extension: { says: 'Projects of editing programs: imports, versions and their exports.', needs: ['sequences'] },
  documents: [documents],
  open(context: IngestContext) {
    const parts = openIngestParts(context);
    return {
      hooks: [hooked(versionSequences, sequencesOf)],
      routes: [
        below('collection', () => [
          ...projectRoutes(parts),
          ...projectVersionRoutes(parts),
          ...projectVersionExportRoutes(parts),
        ]),
        below(['import', 'collection'], () => projectImportRoutes(parts)),
      ],
    };
  },
});
