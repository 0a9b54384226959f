import type { ItemsContext } from '../../assets/items/public.ts';
import type { ThreadTask } from '../../core/lib/thread-task.ts';
import { below } from '../../http/route-group.ts';
import { defineRoom, readAndWrite } from '../../room/define-room.ts';
import * as documents from './auto-projections/documents.ts';
import { autoProjectionParticipant } from './auto-projections/participant.ts';
import { autoProjectionRoutes } from './auto-projections/routes.ts';
import * as tables from './auto-projections/tables.ts';
import { autoProjectionKind } from './auto-projections/work.ts';
import { StylesheetFails, tooSlow } from './processor/fails.ts';
import { runStylesheetsIn } from './processor/run-stylesheet.ts';
import type { Transformation } from './processor/transform.ts';
import { projectionRoutes } from './projection-routes.ts';
import { exportInformationDocument, projectionsHook } from './projections.ts';

const megabytes = 512;

/** Task whose stack holds as many nested calls as are allowed. The limit of steps ends most tasks earlier. */
export const stylesheetTask: ThreadTask<Transformation> = {
  program: 'extensions/stylesheets/processor/stylesheet-worker',
  max: 3_000,
  megabytes,
  stackMegabytes: 32,
  tooSlow,
  tooLarge: `Expected a stylesheet that needs at most ${megabytes} megabytes`,
  fails: (message) => new StylesheetFails(message),
  by: ({ by }) => by,
};

/** Stylesheets between metadata and other documents, at requests and after changes. */
export const stylesheets = defineRoom({
  name: 'stylesheets',
  extension: { says: 'Projections, auto-projections, and stylesheets of lists and of export templates.' },
  tables,
  documents: [documents, { exportInformationDocument }],
  roles: readAndWrite('auto_projection', 'projection'),
  open(parts: ItemsContext) {
    if (parts.thread) runStylesheetsIn(parts.thread(stylesheetTask));
    return {
      hooks: [projectionsHook(parts)],
      routes: [
        below('projection', () => projectionRoutes(parts)),
        below('auto-projection', () => autoProjectionRoutes(parts)),
      ],
      participants: [autoProjectionParticipant],
      workers: [autoProjectionKind(parts)],
    };
  },
});
