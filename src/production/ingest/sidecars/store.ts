import { deleteBy, insertInto, rowBy } from '../../../core/store/rows.ts';
import { importSidecar } from '../tables.ts';

export const sidecarOf = rowBy(importSidecar, 'jobId');

export const insertSidecar = insertInto(importSidecar);

export const forgetSidecar = deleteBy(importSidecar, 'jobId');
