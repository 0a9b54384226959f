import { below, type RouteGroup } from '../../http/route-group.ts';
import type { JobType } from '../../jobs/job-type.ts';
import type { WorkKind } from '../../work/kind.ts';
import type { openBytes } from '../bytes/bytes.ts';
import { fileAddresses } from '../files/addresses.ts';
import { fileDeletionKind } from '../files/deletion/kind.ts';
import type { MediaParts } from '../parts.ts';
import { copyRoutes } from './copying/routes.ts';
import { copyTypes } from './copying/steps.ts';
import { fileDeletionRoutes } from './deleting/routes.ts';
import { fileDeletionType } from './deleting/steps.ts';
import { evacuationKind } from './evacuating/kind.ts';
import type { FileJobParts } from './parts.ts';

/** Copies, moves and deletions of files: what callers ask for, and the work that carries it out. */
export function openFileJobs(
  context: MediaParts,
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
