import type { OrderParts } from '../jobs/contract.ts';
import type { TranscodingParts } from '../transcoding/parts.ts';

/** What the routes and the jobs of this room are given. */
export type ConformParts = TranscodingParts & { readonly ordering: OrderParts };
