import { defineRoom, readAndWrite } from '../room/define-room.ts';
import { jobDocument } from './documents.ts';
import { jobEvents } from './events.ts';

/** Work that takes long and is told of: imports, exports, transcoding. */
export const jobs = defineRoom({
  name: 'jobs',
  documents: [jobDocument],
  events: jobEvents,
  roles: ['_export', '_import', ...readAndWrite('job', 'resource', 'taskdefinition', 'vxa')],
});
