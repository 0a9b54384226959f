import { accessLoads } from './access.ts';
import { attachmentLoads } from './attachments.ts';
import { definitionLoads } from './definitions.ts';
import { fileLoads } from './files.ts';
import { identityLoads } from './identity.ts';
import { jobLoads } from './jobs.ts';
import type { Load } from './load.ts';
import { longDocumentLoads, metadataLoads } from './metadata.ts';
import { operationLoads, wayInLoads } from './others.ts';
import { quotaLoads } from './quota.ts';
import { reviewLoads } from './review.ts';
import { scimLoads } from './scim.ts';
import { shapeLoads } from './shapes.ts';
import { shareLoads } from './shares.ts';
import { storageLoads } from './storages.ts';
import { transcodingLoads } from './transcoding.ts';
import { uploadLoads } from './uploads.ts';

const ofRoutes: Readonly<Record<string, readonly Load[]>> = {
  ...accessLoads,
  ...attachmentLoads,
  ...identityLoads,
  ...wayInLoads,
  ...scimLoads,
  ...operationLoads,
  ...storageLoads,
  ...fileLoads,
  ...uploadLoads,
  ...jobLoads,
  ...quotaLoads,
  ...reviewLoads,
  ...shapeLoads,
  ...shareLoads,
  ...definitionLoads,
  ...metadataLoads,
  ...transcodingLoads,
};

/** By route, what is costlier than long parameters and hostile documents, which every route gets. */
export const loads: Readonly<Record<string, readonly Load[]>> = {
  ...ofRoutes,
  ...Object.fromEntries(
    Object.entries(longDocumentLoads).map(([route, more]) => [route, [...(ofRoutes[route] ?? []), ...more]]),
  ),
};
