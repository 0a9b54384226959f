import { document, element, list, string, type Value } from '../../../../core/documents/describe.ts';
import { accessControl } from '../../../../core/documents/index.ts';

/** Import profile: access entries for new items. */
export const importSettingsDocument = document('ImportSettingsDocument', {
  id: element(string).outputOnly,
  access: list(accessControl).most(100),
});
export type ImportSettings = Value<typeof importSettingsDocument>;
