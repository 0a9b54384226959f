import type { Prober } from '../../src/spi/index.ts';
import { imageProber } from './image-prober.ts';
import { mediaProber } from './media-prober.ts';

/** What needs no other program, in the order in which it is asked. */
export const probers: readonly Prober[] = [imageProber, mediaProber];
