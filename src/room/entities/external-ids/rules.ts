import { badValue } from '../../../core/documents/error.ts';
import type { ExternalIdentifierList } from '../../../core/documents/index.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { typeInWords } from '../../../core/lib/messages.ts';
import type { Statement } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';
import type { KindName } from '../../entity.ts';
import { addExternalId, hasExternalId, removeExternalId } from './store.ts';

const maxLength = 255;
/** Limit for one entity: a list is one page. */
export const maxExternalIds = 100;

/** Whether a text has the form of an id: `VX-7`, or `VX*7` of a library. External ids of this form have no namespace. */
export const looksLikeId = (text: string): boolean => /^[A-Za-z_]\w*[-*]\d+$/.test(text);

/** Whether a text can be an external id. */
export const canBeExternalId = (text: string): boolean =>
  text !== '' && text.length <= maxLength && !/[\0-\x1f\x7f]/.test(text);

/** The code of the refusal where another entity has the external id. */
export type TakenCode = 'bad-value' | 'already-exists';

/**
 * Adding one that the entity has already changes nothing. An id of this site that nothing has had, such as one of a
 * system that came before, is withheld from new entities. `namespace`: NULL for kinds without namespaces.
 */
export async function add(
  store: Pick<Store, 'withhold'>,
  kind: KindName,
  id: string,
  externalId: string,
  taken: TakenCode,
  namespace: string | null = null,
): Promise<Statement[]> {
  check(externalId);
  const explanation = `Expected an external id that no other ${typeInWords(kind.noun)} has`;
  const detail =
    taken === 'bad-value'
      ? { context: 'path', value: externalId.slice(0, 80) }
      : { type: 'ExternalId', id: externalId };
  const added = addExternalId({ type: kind.type, id, externalId, namespace }, maxExternalIds, {
    taken: new ServiceError(taken, { ...detail, explanation }),
    full: new ServiceError('not-allowed', { id, explanation: `Expected at most ${maxExternalIds} external ids` }),
  });
  return [
    ...(looksLikeId(externalId) ? await store.withhold(kind.type, externalId, takenId(externalId)) : []),
    ...added,
  ];
}

export function remove({ type }: KindName, id: string, externalId: string): Statement[] {
  const missing = new ServiceError('no-such-entity', { type: 'ExternalId', id: externalId.slice(0, 80) });
  return [hasExternalId({ type, id, externalId }, missing), removeExternalId({ type, id, externalId })];
}

/** Refusal of an id that an entity has or had, or that an instance has reserved for a new one. */
const takenId = (externalId: string): ServiceError =>
  badValue('path', 'an id of another site, or one that this service has neither given nor reserved', externalId);

function check(externalId: string): void {
  if (canBeExternalId(externalId)) return;
  const explanation = `Expected 1 to ${maxLength} characters, none of them a control character`;
  throw new ServiceError('bad-value', { context: 'path', explanation, value: externalId.slice(0, 80) });
}

/** `entityType`: what documents call the kind. */
export const listOf = (entityType: string, rows: readonly ListedId[]): ExternalIdentifierList => ({
  id: rows.map((row) => identifierOf(entityType, row)),
});

export interface ListedId {
  readonly entityId: string;
  readonly externalId: string;
  readonly namespace: string | null;
}

export const identifierOf = (entityType: string, { entityId, externalId, namespace }: ListedId) => ({
  entityId,
  entityType,
  namespace: namespace ?? undefined,
  externalId,
});
