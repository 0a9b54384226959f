import type { MediaErrorKind } from '../../src/spi/index.ts';

/** An error as probers throw it. */
export const fault = (kind: MediaErrorKind, message: string): Error =>
  Object.assign(new Error(message), { name: 'MediaError', kind });
