import { access } from './access/room.ts';
import { apiSettings } from './api-settings/room.ts';
import { audit } from './audit/room.ts';
import { checking } from './checking/room.ts';
import { definitions } from './definitions/room.ts';
import { exporting } from './exporting/room.ts';
import { captions } from './extensions/captions/room.ts';
import { elsewhere } from './extensions/elsewhere/room.ts';
import { exportTemplates } from './extensions/export-templates/room.ts';
import { graphs } from './extensions/graphs/room.ts';
import { loudness } from './extensions/loudness/room.ts';
import { probers } from './extensions/probers/room.ts';
import { projects } from './extensions/projects/room.ts';
import { schemaMigrations } from './extensions/schema-migrations/room.ts';
import { scripts } from './extensions/scripts/room.ts';
import { sequences } from './extensions/sequences/room.ts';
import { stylesheets } from './extensions/stylesheets/room.ts';
import { wadl } from './extensions/wadl/room.ts';
import { identity } from './identity/room.ts';
import { ingest } from './ingest/room.ts';
import { items } from './items/room.ts';
import { jobs } from './jobs/room.ts';
import { media } from './media/room.ts';
import { metadata } from './metadata/room.ts';
import { notifications } from './notifications/room.ts';
import { operations } from './operations/room.ts';
import { placing } from './placing/room.ts';
import { quota } from './quota/room.ts';
import { scheduling } from './scheduling/room.ts';
import { libraries } from './search/libraries/room.ts';
import { search } from './search/room.ts';
import { shapes } from './shapes/room.ts';
import { transcoding } from './transcoding/room.ts';
import { ui } from './ui/room.ts';

/** All rooms, in the order in which lists and refusals name their events. Ranks are in the architecture test. */
export const rooms = [
  audit,
  apiSettings,
  identity,
  media,
  items,
  metadata,
  access,
  definitions,
  shapes,
  placing,
  search,
  libraries,
  checking,
  transcoding,
  ingest,
  exporting,
  captions,
  elsewhere,
  exportTemplates,
  graphs,
  loudness,
  probers,
  projects,
  schemaMigrations,
  scripts,
  sequences,
  stylesheets,
  wadl,
  jobs,
  quota,
  notifications,
  scheduling,
  operations,
  ui,
] as const;
