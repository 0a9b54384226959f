import type { AccessKey } from '../documents/access-key.ts';
import type { KeyRow } from './store.ts';

export const accessKeyOf = (row: KeyRow): AccessKey => ({
  id: row.id,
  name: row.name ?? undefined,
  status: row.active === 1 ? 'ACTIVE' : 'INACTIVE',
  created: row.createdAt,
});
