import { baseOf } from '../../http/address.ts';
import type { Call } from '../../http/call.ts';

/** Where a collection is. Lists and the answer to its creation have it without the last slash. */
export const locOf = (call: Call, id: string, end: '' | '/' = ''): string =>
  `${baseOf(call)}/collection/${encodeURIComponent(id)}${end}`;
