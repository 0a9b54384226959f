import { ServiceError } from '../../../core/lib/errors.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { notLeaving } from './store.ts';

/** Guard for the commit that defines a name: no running migration still removes it from metadata. */
export const nameIsNotLeaving = (kind: 'field' | 'group', name: string): Statement =>
  notLeaving(
    { kind, name },
    new ServiceError('already-exists', {
      type: 'namespace',
      id: name.slice(0, 80),
      explanation: 'Expected a name that no migration of the schema is taking out of metadata',
    }),
  );
