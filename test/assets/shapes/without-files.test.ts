import { expect, it } from 'vitest';
import { ask, done } from '../../storage/jobs/world.ts';
import { admin } from '../../support/service.ts';
import { openPlacing, shapeWith } from '../placing/world.ts';

it('a shape stays with its components when its files are abandoned, forgotten, or go with their storage', async () => {
  const world = await openPlacing();
  const one = await shapeWith(world, 'one');
  const other = await shapeWith(world, 'other', { item: 'VX-101', storage: 'VX-2' });
  await done(world, ask(`PUT /API/file/${one.fileId}/abandon`, admin));
  await done(world, ask(`DELETE /API/file/${one.fileId}/entity`, admin));
  await done(world, ask('DELETE /API/storage/VX-2', admin));
  await world.service.tick();
  for (const [item, { shapeId, componentId, fileId }] of [
    ['VX-100', one],
    ['VX-101', other],
  ] as const) {
    expect((await world.send(ask(`GET /API/file/${fileId}`, admin))).status).toBe(404);
    const { containerComponent } = await done<{ containerComponent: object }>(
      world,
      ask(`GET /API/item/${item}/shape/${shapeId}`, admin),
    );
    expect(containerComponent).toEqual({ id: componentId });
  }
});
