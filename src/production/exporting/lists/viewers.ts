import { type Viewer, viewerOfGroup, viewerOfUser } from '../../../assets/access/public-reading.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { noSuchEntity } from '../../../room/entities/find.ts';

/** Viewers of whom a list is, by the names of the order. */
export async function viewersOf(
  reader: Reader,
  { user, group }: { readonly user?: string | undefined; readonly group?: string | undefined },
): Promise<readonly Viewer[]> {
  const viewers: Viewer[] = [];
  for (const [noun, name, find] of [
    ['User', user, viewerOfUser],
    ['Group', group, viewerOfGroup],
  ] as const) {
    if (name === undefined) continue;
    const viewer = await find(reader, name);
    if (!viewer) throw noSuchEntity({ noun }, name);
    viewers.push(viewer);
  }
  return viewers;
}
