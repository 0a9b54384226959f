import type { Prober } from '../../src/spi/index.ts';
import { imageProber } from './image-prober.ts';
import { mediaProber } from './media-prober.ts';

export { soundReader } from './sound-reader.ts';

/** Probers without external programs, in the order of use. */
export const probers: readonly Prober[] = [imageProber, mediaProber];
