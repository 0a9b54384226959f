import { ServiceError } from '../../lib/errors.ts';
import type { Work } from '../../store/contract.ts';
import { noSuchNotification } from '../registration/rules.ts';
import { addExternalId, hasExternalId, removeExternalId, removeExternalIds } from './store.ts';

const longest = 255;
/** Of one notification: a list of them is one page. */
export const mostExternalIds = 100;

export function add(id: string, externalId: string): Work {
  check(externalId);
  const refusals = {
    gone: noSuchNotification(id),
    taken: new ServiceError('already-exists', {
      type: 'ExternalId',
      id: externalId,
      explanation: 'Expected an external id that no other notification has',
    }),
    full: new ServiceError('not-allowed', { id, explanation: `Expected at most ${mostExternalIds} external ids` }),
  };
  return { changes: addExternalId({ id, externalId }, mostExternalIds, refusals), events: [] };
}

export function remove(id: string, externalId: string): Work {
  const missing = new ServiceError('no-such-entity', { type: 'ExternalId', id: externalId.slice(0, 80) });
  return { changes: [hasExternalId({ id, externalId }, missing), removeExternalId({ id, externalId })], events: [] };
}

export const removeAll = (id: string): Work => ({ changes: [removeExternalIds({ id })], events: [] });

/** One that looks like an id would never be looked for. */
function check(externalId: string): void {
  const sound =
    externalId.length <= longest && !/[\0-\x1f\x7f]/.test(externalId) && !/^[A-Za-z_]\w*-\d+$/.test(externalId);
  if (sound) return;
  const explanation = `Expected at most ${longest} characters, none of them a control character, in another form than an id`;
  throw new ServiceError('bad-value', { context: 'path', explanation, value: externalId.slice(0, 80) });
}
