import { baseOf } from '../../http/address.ts';
import type { Call } from '../../http/call.ts';

/** Location of a collection, with or without a trailing slash. Lists and creation use it without. */
export const locOf = (call: Call, id: string, end: '' | '/' = ''): string =>
  `${baseOf(call)}/collection/${encodeURIComponent(id)}${end}`;
