import { document, element, list, string, structure, type Value } from '../../core/documents/describe.ts';
import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { forgetEntity } from '../../room/entities/changes.ts';
import type { KindName } from '../../room/entity.ts';
import { folderUri } from './destination-uri.ts';
import { type LocationRow, putLocation, removeLocation, writeScript } from './store.ts';

const location = structure('ExportLocationType', {
  name: element(string).says('The name in the path. In requests it is ignored.'),
  uri: element(string).says('The address of a folder, with a slash at its end.'),
  uriList: list(string).says('More addresses of the same folder. Stored only: exports use the first address.'),
  projection: element(string).says('Default projection of sidecars.'),
  tag: list(string).says('Default shape tags of an export.'),
  script: element(string).says('JavaScript. The value of its last statement names a file below the location.'),
});

export const exportLocationDocument = document('ExportLocationDocument', location);
export type ExportLocation = Value<typeof exportLocationDocument>;

export const exportLocationListDocument = document('ExportLocationListDocument', { exportLocation: list(location) });

export const locationName: KindName = { type: 'export-location', noun: 'ExportLocation' };

const maxNameLength = 64;
const maxScriptLength = 64 * 1024;

export const noSuchLocation = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'export-location', id: name.slice(0, 80) });

/** Document of a location, for callers. */
export const locationOf = ({ name, document, script }: LocationRow): ExportLocation => ({
  ...(JSON.parse(document) as ExportLocation),
  name,
  ...(script !== null && { script }),
});

/** A document without a script keeps the one that is there: it has a path of its own. */
export function setLocation(
  name: string,
  { script, name: _, ...given }: ExportLocation,
  old: LocationRow | undefined,
): { readonly row: LocationRow; readonly work: CommitPlan } {
  if (!/^[A-Za-z0-9_.-]+$/.test(name) || name.length > maxNameLength) {
    throw badValue('/ExportLocationDocument/name', 'up to 64 letters, digits, "_", "." and "-"', name);
  }
  const addresses = [given.uri ?? [], ...(given.uriList ?? [])].flat();
  if (addresses.length === 0) throw badValue('/ExportLocationDocument/uri', 'the address of a folder');
  for (const address of addresses) folderUri(address);
  const row = { name, document: JSON.stringify(given), script: scriptIn(script ?? old?.script ?? '') };
  return { row, work: changing(putLocation(row)) };
}

/** An empty one is none. */
function scriptIn(text: string): string | null {
  if (text.length > maxScriptLength) {
    throw badValue('script', `a script of at most ${maxScriptLength} characters`, String(text.length));
  }
  return text.trim() === '' ? null : text;
}

export const setScript = (name: string, text: string): CommitPlan =>
  changing(writeScript({ name, script: scriptIn(text) }));

export const deleteLocation = (name: string): CommitPlan =>
  changing(removeLocation({ name }), ...forgetEntity(locationName.type, name));
