import type { MediaErrorKind } from '../../src/spi/index.ts';

/** Media error in the form for probers. */
export const mediaError = (kind: MediaErrorKind, message: string): Error =>
  Object.assign(new Error(message), { name: 'MediaError', kind });
