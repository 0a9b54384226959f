import type { Reader } from '../../core/store/statement.ts';
import { list, type QueryOf, text } from '../../http/parameters/index.ts';
import {
  type AutoAddresses,
  chosenFileViewOf,
  type FileView,
  fileChoiceParameters,
  fileDocuments,
} from '../../storage/public.ts';
import { idsOf, type Shape } from './load.ts';
import { filesNamed, filesOfShapes } from './store.ts';

/** Query parameters that choose shapes and their files, wherever shapes or addresses of items are listed. */
export const shapeChoiceParameters = {
  tag: list(text('Only shapes with any of these tags')),
  ...fileChoiceParameters,
};

/** Shapes with any of the tags, and with any of the files. */
export interface ShapeChoice {
  readonly tags: readonly string[] | undefined;
  readonly files: FileView;
}

export const shapeChoiceOf = async (
  reader: Reader,
  query: QueryOf<typeof shapeChoiceParameters>,
  auto: AutoAddresses | undefined,
): Promise<ShapeChoice> => ({ tags: query.tag, files: await chosenFileViewOf(reader, query, auto) });

export const isTagged = ({ tags }: Shape, { tags: wanted }: Pick<ShapeChoice, 'tags'>): boolean =>
  wanted === undefined || tags.some((tag) => wanted.includes(tag));

export async function shapesChosen(
  reader: Reader,
  shapes: readonly Shape[],
  choice: ShapeChoice,
): Promise<readonly Shape[]> {
  const tagged = shapes.filter((shape) => isTagged(shape, choice));
  if (!choice.files.choice || tagged.length === 0) return tagged;
  const uses = await filesOfShapes(reader, idsOf(tagged));
  const rows = await filesNamed(reader, { ids: [...new Set(uses.map(({ fileId }) => fileId))] });
  const files = new Set((await fileDocuments(reader, rows, choice.files)).map(({ id }) => id));
  const chosen = new Set(uses.flatMap(({ fileId, shapeId }) => (files.has(fileId) ? [shapeId] : [])));
  return tagged.filter(({ id }) => chosen.has(id));
}
