import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import type { Statement } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import { entityNamed } from '../../room/entities/find.ts';
import type { Caller } from '../../security/caller.ts';
import { fileKind, fileUnused, noSuchFile } from '../../storage/public.ts';
import { usesOf } from '../../storage/public-reading.ts';
import { mustHaveBytes } from './bytes/rights.ts';
import { fileUsable } from './store.ts';

interface Adopted {
  /** Ids of the files, by the names in the request. */
  readonly ids: ReadonlyMap<string, string>;
  /** Guards for the commit that gives the files to components. */
  readonly guards: readonly Statement[];
}

/**
 * Resolves files for components, if the caller may read their bytes. Files that already belong to a component are
 * refused, unless the caller allows it.
 */
export async function adoptFiles(
  reader: Reader,
  call: Caller,
  names: readonly string[],
  place: string,
  allowReimport: boolean,
): Promise<Adopted> {
  const ids = new Map<string, string>();
  const guards: Statement[] = [];
  for (const name of new Set(names)) {
    const { id, state } = await entityNamed(reader, fileKind(reader), name);
    await mustHaveBytes(reader, call, id);
    ids.set(name, id);
    if (state === 'TO_BE_DELETED') throw refused(place, id, 'Expected a file that does not wait for its deletion');
    guards.push(fileUsable({ id }, noSuchFile(id)));
    if (allowReimport) continue;
    if ((await usesOf(reader, { ids: [id] })).length > 0) {
      throw refused(place, id, 'Expected a file that no component has, or allowReimport=true');
    }
    guards.push(fileUnused({ id }, changedMeanwhile('File', id)));
  }
  return { ids, guards };
}

const refused = (context: string, id: string, explanation: string): ServiceError =>
  new ServiceError('bad-value', { context, id, explanation, value: id });
