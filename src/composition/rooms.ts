import { audit } from '../administration/audit/room.ts';
import { notifications } from '../administration/notifications/room.ts';
import { operations } from '../administration/operations/room.ts';
import { quota } from '../administration/quota/room.ts';
import { scheduling } from '../administration/scheduling/room.ts';
import { ui } from '../administration/ui/room.ts';
import { access } from '../assets/access/room.ts';
import { definitions } from '../assets/definitions/room.ts';
import { items } from '../assets/items/room.ts';
import { metadata } from '../assets/metadata/room.ts';
import { placement } from '../assets/placement/room.ts';
import { libraries } from '../assets/search/libraries/room.ts';
import { search } from '../assets/search/room.ts';
import { shapes } from '../assets/shapes/room.ts';
import { usage } from '../assets/usage/room.ts';
import { archives } from '../extensions/archives/room.ts';
import { captions } from '../extensions/captions/room.ts';
import { exportTemplates } from '../extensions/export-templates/room.ts';
import { fixity } from '../extensions/fixity/room.ts';
import { graphs } from '../extensions/graphs/room.ts';
import { logins } from '../extensions/logins/room.ts';
import { loudness } from '../extensions/loudness/room.ts';
import { metadataTables } from '../extensions/metadata-tables/room.ts';
import { pictures } from '../extensions/pictures/room.ts';
import { probers } from '../extensions/probers/room.ts';
import { projects } from '../extensions/projects/room.ts';
import { review } from '../extensions/review/room.ts';
import { runners } from '../extensions/runners/room.ts';
import { schemaMigrations } from '../extensions/schema-migrations/room.ts';
import { scim } from '../extensions/scim/room.ts';
import { scripts } from '../extensions/scripts/room.ts';
import { sequences } from '../extensions/sequences/room.ts';
import { shares } from '../extensions/shares/room.ts';
import { streaming } from '../extensions/streaming/room.ts';
import { stylesheets } from '../extensions/stylesheets/room.ts';
import { unsupported } from '../extensions/unsupported/room.ts';
import { wadl } from '../extensions/wadl/room.ts';
import { apiSettings } from '../identity/api-settings/room.ts';
import { identity } from '../identity/room.ts';
import { checking } from '../production/checking/room.ts';
import { exporting } from '../production/exporting/room.ts';
import { ingest } from '../production/ingest/room.ts';
import { jobs } from '../production/jobs/room.ts';
import { transcoding } from '../production/transcoding/room.ts';
import { storage } from '../storage/room.ts';

/** All rooms, in the order in which lists and refusals name their events. Ranks are in the architecture test. */
export const rooms = [
  audit,
  apiSettings,
  identity,
  storage,
  items,
  metadata,
  access,
  definitions,
  shapes,
  usage,
  placement,
  search,
  libraries,
  checking,
  transcoding,
  ingest,
  exporting,
  archives,
  captions,
  exportTemplates,
  fixity,
  graphs,
  logins,
  loudness,
  metadataTables,
  pictures,
  probers,
  projects,
  review,
  runners,
  schemaMigrations,
  scim,
  scripts,
  sequences,
  shares,
  streaming,
  stylesheets,
  unsupported,
  wadl,
  jobs,
  quota,
  notifications,
  scheduling,
  operations,
  ui,
] as const;
