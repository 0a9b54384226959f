import { by, itemWith } from '../../production/exporting/world.ts';
import { done, type JobsWorld } from '../../storage/jobs/world.ts';

/** Template of one file for each shape. */
export const file = (name: string, more: object = {}) => ({
  item: [{ shape: [{ componentfile: [{ path: name, ...more }] }] }],
});

const named = (title: string) => ({
  timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: title }] }] }],
});

/** An item with a title, an original, and a shape with the tag `lowres`. */
export async function titled(world: JobsWorld, title = 'Harbour'): Promise<string> {
  await done(world, by('PUT /API/shape-tag/lowres', {}));
  const item = await itemWith(world, `in/${title}.mov`, { bytes: 'hello' });
  await itemWith(world, `in/${title}.mp4`, { item, tag: 'lowres', bytes: 'low' });
  await done(world, by(`PUT /API/item/${item}/metadata`, named(title)));
  return item;
}
