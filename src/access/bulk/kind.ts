import type { CoreContext } from '../../room/context.ts';
import { tableConcern } from '../../store/contract.ts';
import type { WorkKind } from '../../work/kind.ts';
import { steps } from '../../work/steps.ts';
import { carryOutSlice } from './carry-out.ts';
import { bulkDue } from './store.ts';

/** Background work that completes a change after its request was interrupted. */
export const bulkAccessKind = (parts: CoreContext): WorkKind =>
  steps({
    name: 'bulk-access',
    says: 'Carries out a change of the access entries on all items, which a request began and could not end',
    hosts: ['loop', 'edge'],
    priority: 55,
    clock: parts.clock,
    rest: 2000,
    due: () => bulkDue,
    wokenBy: [tableConcern('access_bulk')],
    step: () => carryOutSlice(parts),
  });
