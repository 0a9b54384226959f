import { fileAt, findFile } from '../../media/files/store.ts';
import { orderedCopy, startCopy } from '../../media/jobs/copying/order.ts';
import { systemActor, type Work } from '../../store/contract.ts';
import type { AssetParts } from '../parts.ts';
import { otherwiseNamed } from '../shapes/filenames/store.ts';
import type { Placed } from './load.ts';

/**
 * The move of a file to the name that its shape wants on its storage. `later`: another job has the file. Undefined: all
 * files have their names, or another file has it.
 */
export async function renamingOf(
  { store, offices }: AssetParts,
  { componentId, itemId }: Placed,
): Promise<Work | 'later' | undefined> {
  const [wanted] = await otherwiseNamed(store, { componentId });
  const source = wanted && (await findFile(store, { id: wanted.fileId }));
  if (!source) return undefined;
  const { storageId } = source;
  const { filename, isInJob } = wanted;
  if (await fileAt(store, { storageId, path: filename })) return undefined;
  if (isInJob === 1) return 'later';
  const jobId = await store.nextId('job');
  const move = orderedCopy(source, { moves: true, storageId, path: filename }, itemId);
  const order = { jobId, user: undefined, priority: 'LOW' as const, actor: systemActor, says: {}, ...move };
  return startCopy(offices, source, { order, guards: [] });
}
