import { expect, it } from 'vitest';
import { shapeAt } from '../../support/media.ts';
import { asking, done } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { librarian, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

it('a shape stays with its components when its files are abandoned, forgotten, or go with their storage', async () => {
  const world = await worldOf('placement');
  const one = await shapeAt(world, 'one');
  const other = await shapeAt(world, 'other', { item: 'VX-101', storage: 'VX-2' });
  await done(world, ask(`PUT /API/file/${one.fileId}/abandon`, undefined, admin));
  await done(world, ask(`DELETE /API/file/${one.fileId}/entity`, undefined, admin));
  await done(world, ask('DELETE /API/storage/VX-2', undefined, admin));
  await world.service.tick();
  for (const [item, { shapeId, componentId, fileId }] of [
    ['VX-100', one],
    ['VX-101', other],
  ] as const) {
    expect((await world.send(ask(`GET /API/file/${fileId}`, undefined, admin))).status).toBe(404);
    const { containerComponent } = await done<{ containerComponent: object }>(
      world,
      ask(`GET /API/item/${item}/shape/${shapeId}`, undefined, admin),
    );
    expect(containerComponent).toEqual({ id: componentId });
  }
});
