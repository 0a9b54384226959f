import type { StorageDriver } from '../../../spi/index.ts';
import { fileHashes, keptAlgorithms } from '../../files/hashes.ts';
import type { ReachableMethod } from '../look.ts';
import type { MergeDecision } from './rules.ts';

/** Bytes of one file, and of all files of a window, that are hashed while it is written. */
const [maxFileBytes, maxBytes] = [1024 * 1024, 64 * 1024 * 1024];

/**
 * Small new files at rest get their hash with their row, where the driver hashes: one commit in place of two. The others
 * wait in line, so that a scan is not kept by large files.
 */
export async function withHashes(
  { driver, method }: ReachableMethod,
  decisions: readonly MergeDecision[],
  signal: AbortSignal,
): Promise<readonly MergeDecision[]> {
  const due = method.read === 1 && driver.hash ? dueOf(decisions) : [];
  if (due.length === 0) return decisions;
  const hashed = await hashesOf(driver, due, signal);
  return decisions.map((decision) => hashed.get(decision) ?? decision);
}

function dueOf(decisions: readonly MergeDecision[]): readonly MergeDecision[] {
  let bytes = 0;
  return decisions.filter(({ row, to, file }) => {
    const size = file?.size ?? 0;
    if (row || !file || typeof to?.hashDue !== 'number' || size > maxFileBytes) return false;
    bytes += size;
    return bytes <= maxBytes;
  });
}

/** Files that cannot be read, or that have changed since they were listed, have none. */
async function hashesOf({ hash }: StorageDriver, due: readonly MergeDecision[], signal: AbortSignal) {
  const paths = due.map(({ path }) => path);
  const answers = await hash!(paths, { algorithms: keptAlgorithms, signal }).catch(() => []);
  const hashed = new Map<MergeDecision, MergeDecision>();
  for (const [index, decision] of due.entries()) {
    const answer = answers[index];
    if (!answer || !('file' in answer) || answer.file.version !== decision.to!.content) continue;
    const to = { ...decision.to!, ...fileHashes(answer.hashes), hashDue: null };
    hashed.set(decision, { ...decision, to, events: [...decision.events, 'file/hash'] });
  }
  return hashed;
}
