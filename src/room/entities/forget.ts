import type { Statement } from '../../core/store/contract.ts';
import { removeExternalIds } from './external-ids/store.ts';
import { removeAllKeys } from './key-values/store.ts';

/** For the commit in which a room deletes an entity: what is kept of it here. */
export const forgetEntity = (type: string, id: string): Statement[] => [
  removeAllKeys({ owner: type, id }),
  removeExternalIds({ type, id }),
];
