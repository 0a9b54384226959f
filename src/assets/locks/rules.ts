import { ServiceError } from '../../lib/errors.ts';
import { inWords } from '../../lib/sentence.ts';
import type { KindName } from '../../room/entity.ts';
import type { Statement } from '../../store/contract.ts';
import { filesNotLocked, notLocked, removeLocksOf } from './store.ts';

/** For the commit that deletes an entity: no lock protects it, nor the collections above it, nor the files of an item. */
export function deletable(kind: KindName, id: string, now: number): readonly Statement[] {
  const locked = new ServiceError('entity-locked', {
    type: kind.noun,
    id,
    explanation: `Expected a deletion of a ${inWords(kind.noun)} without an effective deletion lock`,
  });
  return [
    notLocked({ type: kind.type, id, now }, locked),
    ...(kind.type === 'item' ? [filesNotLocked({ id, now }, locked)] : []),
  ];
}

/** For the commit that deletes a file: no lock protects it, nor the items that have it, nor the collections above them. */
export function fileDeletable(id: string, items: readonly string[], now: number): readonly Statement[] {
  const explanation = 'Expected a deletion of files without an effective deletion lock';
  const locked = new ServiceError('entity-locked', { type: 'File', id, explanation });
  const ofItems = items.map((item) => notLocked({ type: 'item', id: item, now }, locked));
  return [notLocked({ type: 'file', id, now }, locked), ...ofItems];
}

export const forgetLocks = (type: string, id: string): readonly Statement[] =>
  removeLocksOf.map((statement) => statement({ type, id }));
