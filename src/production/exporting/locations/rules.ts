import { badValue } from '../../../core/documents/error.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { forgetEntity } from '../../../room/entities/forget.ts';
import type { KindName } from '../../../room/entity.ts';
import { folderUri } from '../destinations/uri.ts';
import type { ExportLocation } from './documents.ts';
import { type LocationRow, putLocation, removeLocation, writeScript } from './store.ts';

export const locationName: KindName = { type: 'export-location', noun: 'ExportLocation' };

const longestName = 64;
const longestScript = 64 * 1024;

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
  if (!/^[A-Za-z0-9_.-]+$/.test(name) || name.length > longestName) {
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
  if (text.length > longestScript) {
    throw badValue('script', `a script of at most ${longestScript} characters`, String(text.length));
  }
  return text.trim() === '' ? null : text;
}

export const setScript = (name: string, text: string): CommitPlan =>
  changing(writeScript({ name, script: scriptIn(text) }));

export const deleteLocation = (name: string): CommitPlan =>
  changing(removeLocation({ name }), ...forgetEntity(locationName.type, name));
