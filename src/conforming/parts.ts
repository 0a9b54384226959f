import type { TranscodingParts } from '../transcoding/parts.ts';

/** Parts of the routes and jobs of conforming. */
export type ConformParts = TranscodingParts;
