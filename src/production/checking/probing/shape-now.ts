import type { ShapeNow } from '../../../assets/shapes/public.ts';
import { findFile } from '../../../storage/public-reading.ts';
import { componentsOf, knownParts } from '../deducing/components.ts';
import { fillingOf, mergedProperties } from '../deducing/rules.ts';
import type { CheckParts } from '../parts.ts';
import { mediaSourceOf } from './source.ts';

/** Files of a shape that one request reads. Others say what a check has found. */
const maxFiles = 4;

/** Current content of a shape's files, which may grow. Undefined: a file is unreadable, or no media yet. */
export async function shapeNow(parts: CheckParts, shapeId: string, signal: AbortSignal): Promise<ShapeNow | undefined> {
  const { rows, usedBy, fileIds } = await knownParts(parts.store, shapeId);
  if (fileIds.length === 0 || fileIds.length > maxFiles) return undefined;
  try {
    const probed = [];
    for (const fileId of fileIds) probed.push(await probedNow(parts, fileId, signal));
    const { filled, added, removed } = fillingOf(rows, usedBy, probed);
    return {
      mimeType: probed[0]!.mimeType,
      filled: new Map(filled.map(({ row, to }) => [row.id, mergedProperties(row, to)])),
      // Expected components of a placeholder count as added.
      added: [
        ...filled.flatMap(({ row, to }) => (row.expected === 1 ? [{ ...to, expected: row.id }] : [])),
        ...added.map(({ component }) => component),
      ],
      removed: new Set(removed.map(({ id }) => id)),
    };
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

async function probedNow(parts: CheckParts, fileId: string, signal: AbortSignal) {
  const row = await findFile(parts.store, { id: fileId });
  if (!row) throw new Error(`Expected the file ${fileId}`);
  // Read without a version, since even a closed file may be overwritten meanwhile.
  const { source } = await mediaSourceOf(parts, { ...row, state: 'OPEN' }, signal);
  const options = { maxBytes: parts.settings.probeBytes, signal };
  const probe = await parts.media.probe(source, options, parts.security.probers());
  return { fileId, mimeType: probe.mimeType, components: componentsOf(probe, source.size) };
}
