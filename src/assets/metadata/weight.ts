import { bytesOfOne } from '../../entities/page-weight.ts';
import type { Reader } from '../../store/statement.ts';
import { inheritedBytes } from './inherited/inherit.ts';
import { type OwnerKind, stateSizes } from './store.ts';
import type { MetadataQuery } from './view/parameters.ts';

/** Metadata of which only a part is shown is read, and hardly written: it counts for less. */
const bytesOfUnshown = 16 * bytesOfOne;

type Chosen = Pick<MetadataQuery, 'field' | 'group'> & { readonly p?: string | undefined };

/** Weight of the metadata of entities on a page, by id: stored bytes, with the values that items inherit. */
export async function metadataWeights(
  reader: Reader,
  kind: OwnerKind,
  ids: readonly string[],
  { field, group, p }: Chosen,
): Promise<(id: string) => number> {
  const rows = await stateSizes(reader, { kind, ids: JSON.stringify(ids) });
  const own = new Map(rows.map(({ id, bytes }) => [id, bytes ?? 0]));
  const inherited = kind === 'item' && rows[0]?.inherits === 1 ? await inheritedBytes(reader, ids) : undefined;
  const isPart = p !== undefined || [field, group].some((names) => names?.some((name) => !name.startsWith('-')));
  const one = isPart ? bytesOfUnshown : bytesOfOne;
  return (id) => ((own.get(id) ?? 0) + (inherited?.get(id) ?? 0)) / one;
}
