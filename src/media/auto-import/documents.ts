import type { AutoImportRule } from '../documents/rules.ts';
import type { AutoImportRow } from './store.ts';

export const autoImportFrom = ({ storageId, enabled, document }: AutoImportRow): AutoImportRule => ({
  ...(JSON.parse(document) as AutoImportRule),
  storage: storageId,
  enabled: enabled === 1,
});
