import type { Reader } from '../../core/store/statement.ts';
import { bytesOfOne, heaviestLot } from '../../room/entities/page-weight.ts';
import { inheritedBytes } from './inherited/inherit.ts';
import type { KnownStates } from './load.ts';
import { type OwnerKind, sizedStates } from './store.ts';
import type { MetadataQuery } from './view/parameters.ts';

/** Bytes per unit for metadata that is read but mostly not shown, and so counts for less. */
const bytesOfUnshown = 16 * bytesOfOne;

/** Bytes of states that are read with the sizes of a page. */
const mostRead = heaviestLot * bytesOfOne;

type Chosen = Pick<MetadataQuery, 'field' | 'group'> & { readonly p?: string | undefined };

/** Weight of the metadata of entities on a page, by id: stored bytes, including inherited ones. */
export async function metadataWeights(
  reader: Reader,
  kind: OwnerKind,
  ids: readonly string[],
  { field, group, p }: Chosen,
  known: KnownStates = new Map(),
): Promise<(id: string) => number> {
  const each = Math.floor(mostRead / ids.length);
  const rows = await sizedStates(reader, { kind, ids, each });
  for (const { id, bytes, doc, ...row } of rows) {
    if (bytes === null) known.set(id, undefined);
    else if (doc !== null) known.set(id, { doc, ...row });
  }
  const own = new Map(rows.map(({ id, bytes }) => [id, bytes ?? 0]));
  const inherited = kind === 'item' && rows[0]?.inherits === 1 ? await inheritedBytes(reader, ids) : undefined;
  const isPart = p !== undefined || [field, group].some((names) => names?.some((name) => !name.startsWith('-')));
  const one = isPart ? bytesOfUnshown : bytesOfOne;
  return (id) => ((own.get(id) ?? 0) + (inherited?.get(id) ?? 0)) / one;
}
