import type { Statement } from '../../../core/store/contract.ts';
import { putUsual } from './store.ts';
import { usualTags } from './templates.ts';

/** Clients transcode to these tags without making them. */
export const usualTagRows = (): readonly Statement[] =>
  Object.entries(usualTags).map(([name, preset]) => putUsual({ name, document: JSON.stringify(preset) }));
