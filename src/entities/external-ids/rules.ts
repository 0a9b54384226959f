import { ServiceError } from '../../lib/errors.ts';
import { typeInWords } from '../../lib/sentence.ts';
import type { KindName } from '../../room/entity.ts';
import type { Statement } from '../../store/contract.ts';
import { addExternalId, hasExternalId, removeExternalId } from './store.ts';

const longest = 255;
/** Limit for one entity: a list is one page. */
export const mostExternalIds = 100;

/** Ids of the service: `VX-7`, `VX*7` of a library, UUIDs inside of metadata. */
const idForms = [/^[A-Za-z_]\w*[-*]\d+$/, /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i];

/** Whether a text can be an external id. A text that looks like an id is never one. */
export const canBeExternalId = (text: string): boolean =>
  text !== '' && text.length <= longest && !/[\0-\x1f\x7f]/.test(text) && !idForms.some((form) => form.test(text));

/** The code of the refusal where another entity has the external id. */
export type TakenCode = 'bad-value' | 'already-exists';

/** Adding one that the entity has already changes nothing. `namespace`: NULL for kinds without namespaces. */
export function add(
  kind: KindName,
  id: string,
  externalId: string,
  taken: TakenCode,
  namespace: string | null = null,
): Statement[] {
  check(externalId);
  const explanation = `Expected an external id that no other ${typeInWords(kind.noun)} has`;
  const place =
    taken === 'bad-value'
      ? { context: 'path', value: externalId.slice(0, 80) }
      : { type: 'ExternalId', id: externalId };
  return addExternalId({ type: kind.type, id, externalId, namespace }, mostExternalIds, {
    taken: new ServiceError(taken, { ...place, explanation }),
    full: new ServiceError('not-allowed', { id, explanation: `Expected at most ${mostExternalIds} external ids` }),
  });
}

export function remove({ type }: KindName, id: string, externalId: string): Statement[] {
  const missing = new ServiceError('no-such-entity', { type: 'ExternalId', id: externalId.slice(0, 80) });
  return [hasExternalId({ type, id, externalId }, missing), removeExternalId({ type, id, externalId })];
}

function check(externalId: string): void {
  if (canBeExternalId(externalId)) return;
  const explanation = `Expected 1 to ${longest} characters, none of them a control character, in another form than an id`;
  throw new ServiceError('bad-value', { context: 'path', explanation, value: externalId.slice(0, 80) });
}
