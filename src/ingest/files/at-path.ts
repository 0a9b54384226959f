import { changedMeanwhile } from '../../lib/retry-when-changed.ts';
import { newFile, newPath, noSuchFile, noSuchStorage, storageNamed, storageThere } from '../../media/public.ts';
import { fileAt } from '../../media/public-reading.ts';
import type { Caller } from '../../security/caller.ts';
import { changing, together } from '../../store/commit-plan.ts';
import type { IngestParts } from '../parts.ts';
import { callerMayHave, mayHaveAlike } from '../sources/foreign.ts';
import { foundFile, statOf } from '../sources/found-file.ts';

/** The file at a path of a storage. One that no scan has found yet is registered, if its bytes are there. */
export async function fileAtPath(
  parts: IngestParts,
  call: Caller,
  { storage, path: given, growing }: { readonly storage: string; readonly path: string; readonly growing: boolean },
): Promise<string> {
  const { store, clock } = parts;
  const { id: storageId } = await storageNamed(store, storage);
  const path = newPath(given);
  const known = await fileAt(store, { storageId, path });
  if (known) return known.id;
  const file = await statOf(parts, storageId, path);
  if (!file) throw noSuchFile(path);
  await mayHaveAlike(store, callerMayHave(parts, call), file.identity);
  const id = await store.nextId('File');
  const made = newFile(foundFile({ id, storageId, path }, file, growing, clock.now()), changedMeanwhile('File', path));
  await call.commit(together(changing(storageThere({ id: storageId }, noSuchStorage(storageId))), made));
  return id;
}
