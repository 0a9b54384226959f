import { loadShapes, mimeTypesOf, shapesToRead } from '../../../assets/shapes/public.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import type { Caller } from '../../../security/caller.ts';
import { cutFormat, timeIn } from '../../transcoding/public.ts';
import type { ExportParts } from '../parts.ts';
import type { ExportMemo } from '../running/export-job.ts';

/** The part of the media that a caller wants, in microseconds. */
export function partOf({
  start: from,
  end: to,
}: {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}): Pick<ExportMemo, 'start' | 'end'> {
  const start = from ? timeIn('start', from).instant : undefined;
  const end = to ? timeIn('end', to).instant : undefined;
  if (end !== undefined && end <= (start ?? 0)) {
    throw badParameter('end', 'Expected a time behind the start of the part', to!.slice(0, 60));
  }
  return { start, end };
}

/** Shapes that hold no time, such as pictures, have no parts. What no media check has seen is left to the job. */
export async function requireCuttable(
  { store }: ExportParts,
  caller: Caller,
  { target, id, itemId }: Pick<ExportMemo, 'target' | 'id' | 'itemId'>,
  tags: readonly string[] | undefined,
): Promise<void> {
  if (target === 'item' && tags === undefined) {
    throw badParameter('tag', 'Expected the tag of the shapes that a part is cut out of');
  }
  const shapes = await shapesToRead(store, caller, await loadShapes(store, target === 'shape' ? itemId! : id));
  const chosen = shapes.filter((shape) =>
    target === 'shape' ? shape.id === id : tags!.some((tag) => shape.tags.includes(tag)),
  );
  for (const shape of chosen) {
    const types = mimeTypesOf(shape);
    if (types.length === 0 || cutFormat('', types) !== undefined) continue;
    const name = target === 'shape' ? 'start' : 'tag';
    throw badParameter(name, `Expected shapes whose media has parts: ${shape.id} is ${types[0]!.slice(0, 80)}`);
  }
}
