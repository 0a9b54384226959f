import { groupBy } from '../../core/lib/group-by.ts';
import type { Reader } from '../../core/store/statement.ts';
import { flag, list, type QueryOf, text } from '../../http/parameters/index.ts';
import { fileDocuments, fileViewOf, hasAllBytes, viewParameters } from '../../storage/public.ts';
import { filesNamed, filesOfShapes, idsOf, type Shape } from '../shapes/public.ts';

const { includeItem: _, ...addresses } = viewParameters;

/** Query parameters that select files of items and the form of their URIs. */
export const fileView = {
  ...addresses,
  tag: list(text('Only files of shapes with any of these tags')),
  uriType: list(text('Only files with these endings of their names, such as "mp4"')),
  closedFiles: flag('Only closed files', true),
};

interface UriView {
  readonly query: QueryOf<typeof addresses>;
  readonly tags: readonly string[] | undefined;
  readonly endings: readonly string[] | undefined;
  readonly closedOnly: boolean;
}

export const uriViewOf = (query: QueryOf<typeof fileView>): UriView => ({
  query,
  tags: query.tag,
  endings: query.uriType?.map((each) => each.toLowerCase()),
  closedOnly: query.closedFiles,
});

export async function fileUrisOf(
  reader: Reader,
  shapes: ReadonlyMap<string, readonly Shape[]>,
  { query, tags, endings, closedOnly }: UriView,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const wanted = [...shapes.values()]
    .flat()
    .filter((shape) => tags === undefined || shape.tags.some((tag) => tags.includes(tag)));
  const uses = await filesOfShapes(reader, idsOf(wanted));
  if (uses.length === 0) return new Map();
  const ids = JSON.stringify([...new Set(uses.map(({ fileId }) => fileId))]);
  const rows = (await filesNamed(reader, { ids })).filter(
    (row) => (!closedOnly || hasAllBytes(row)) && (endings?.includes(row.extension) ?? true),
  );
  const files = new Map(
    (await fileDocuments(reader, rows, fileViewOf({ ...query, includeItem: false }))).map((file) => [file.id, file]),
  );
  const itemOf = new Map(wanted.map(({ id, itemId }) => [id, itemId]));
  const byItem = groupBy(uses, ({ shapeId }) => itemOf.get(shapeId)!);
  return new Map(
    [...byItem].map(([itemId, ofItem]) => {
      const fileIds = [...new Set(ofItem.map(({ fileId }) => fileId))];
      return [itemId, fileIds.flatMap((id) => files.get(id)?.uri ?? [])];
    }),
  );
}
