import type { Services } from '../../room/context.ts';
import type { Publishing } from '../bytes/publishing/publish.ts';
import type { Destinations } from '../bytes/receiving/destination.ts';
import type { Space } from '../bytes/receiving/space.ts';
import type { MediaParts } from '../parts.ts';

/** Parts of the file jobs. */
export interface FileJobParts extends MediaParts {
  readonly publishing: Publishing;
  readonly destinations: Destinations;
  readonly space: Space;
  readonly services: Services;
}
