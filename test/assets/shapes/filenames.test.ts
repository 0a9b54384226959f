import { expect, it } from 'vitest';
import { upload } from '../../support/files.ts';
import { copiesOf, jobsOf, rule, shapeAt, work } from '../../support/media.ts';
import { asking, done, rowsOf, textAt } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { librarian, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

const nameOf = (shape: string, storage: string, name?: string) =>
  `/API/item/VX-100/shape/${shape}/filename/${storage}${name === undefined ? '' : `?filename=${encodeURIComponent(name)}`}`;

it('a storage name rule renames the file that is there, by a job', async () => {
  const world = await worldOf('placement');
  const { shapeId, componentId } = await shapeAt(world, 'in/a.mov');
  await done(world, ask(`PUT ${nameOf(shapeId, 'VX-1', 'done/film 1.mov')}`, undefined, admin));
  const told = await done<{ uri: string[] }>(
    world,
    ask(`GET /API/item/VX-100/shape/${shapeId}/filename`, undefined, admin),
  );
  expect(told.uri).toEqual([expect.stringMatching(/\/filename\/VX-1\?filename=done%2Ffilm%201\.mov$/)]);
  await work(world);
  expect(await jobsOf(world)).toEqual(['MOVE_FILE FINISHED']);
  expect(textAt(world.from, 'done/film 1.mov')).toBe('bytes of in/a.mov');
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED']);
  // The file has its name: nothing is left to do.
  await work(world);
  expect(await jobsOf(world)).toHaveLength(1);
});

it('copies get the name that the shape wants on their storage', async () => {
  const world = await worldOf('placement');
  const { shapeId, fileId } = await shapeAt(world, 'in/a.mov');
  await done(world, ask(`PUT ${nameOf(shapeId, 'VX-2', 'b.mov')}`, undefined, admin));
  await rule(world, { storage: ['VX-1', 'VX-2'] });
  await work(world);
  expect([...world.to.files.keys()]).toEqual(['b.mov']);
  await done(world, ask(`POST /API/file/${fileId}/storage/VX-3`, undefined, admin));
  await work(world);
  expect([...world.third.files.keys()], 'no rule about this one').toEqual(['in/a.mov']);
});

it('a name that another file has leaves the file as it is', async () => {
  const world = await worldOf('placement');
  const { shapeId, componentId } = await shapeAt(world, 'a.mov');
  await done(world, upload('taken.mov', 'other bytes', 'VX-1'));
  await done(world, ask(`PUT ${nameOf(shapeId, 'VX-1', 'taken.mov')}`, undefined, admin));
  await work(world);
  expect([await jobsOf(world), await copiesOf(world, componentId)]).toEqual([[], ['VX-1 CLOSED']]);
  expect(textAt(world.from, 'taken.mov')).toBe('other bytes');
});

it('a rule that contradicts another one is 400, the same once more is nothing new', async () => {
  const world = await worldOf('placement');
  const one = await shapeAt(world, 'a.mov');
  const other = await shapeAt(world, 'b.mov', { tag: '' });
  const put = async (shape: string, name?: string, storage = 'VX-3') => {
    const { status, body } = await world.send(ask(`PUT ${nameOf(shape, storage, name)}`, undefined, admin));
    return status === 200 ? status : [status, /Expected [a-z ]*/.exec(body)?.[0]?.trim()];
  };
  expect(await put(one.shapeId, 'x.mov')).toBe(200);
  expect(await put(one.shapeId, 'x.mov')).toBe(200);
  expect(await put(one.shapeId, 'y.mov')).toEqual([400, 'Expected no other name on']);
  expect(await put(other.shapeId, 'x.mov')).toEqual([400, 'Expected a name that no other shape has on']);
  expect(await put(one.shapeId, '../x.mov', 'VX-2')).toMatchObject({ 0: 400 });
  expect(await put(one.shapeId, undefined, 'VX-2')).toMatchObject({ 0: 400 });
  expect(await put(one.shapeId, 'x.mov', 'VX-99')).toMatchObject({ 0: 404 });
  expect(await rowsOf(world, 'shape_filename')).toHaveLength(1);
});

it('a rule is removed by its name or without it, and goes with its shape', async () => {
  const world = await worldOf('placement');
  const { shapeId } = await shapeAt(world, 'a.mov');
  const remove = async (name?: string) =>
    (await world.send(ask(`DELETE ${nameOf(shapeId, 'VX-2', name)}`, undefined, admin))).status;
  await done(world, ask(`PUT ${nameOf(shapeId, 'VX-2', 'x.mov')}`, undefined, admin));
  expect([await remove('y.mov'), await remove('x.mov'), await remove()]).toEqual([404, 200, 404]);
  await done(world, ask(`PUT ${nameOf(shapeId, 'VX-2', 'y.mov')}`, undefined, admin));
  expect(await remove()).toBe(200);
  await done(world, ask(`PUT ${nameOf(shapeId, 'VX-2', 'z.mov')}`, undefined, admin));
  await done(world, ask(`DELETE /API/item/VX-100/shape/${shapeId}`, undefined, admin));
  expect(await rowsOf(world, 'shape_filename')).toEqual([]);
});

it('a shape is drawn in the dot language, with its components, files and storages', async () => {
  const world = await worldOf('placement');
  const { shapeId, componentId, fileId } = await shapeAt(world, 'in/say "a".mov');
  const drawn = async (path: string, accept: string) =>
    world.send({ ...ask(`GET /API/item/VX-100/shape/${shapeId}/${path}`, undefined, admin), headers: { accept } });
  const { body } = await drawn('graph/dot', 'text/plain');
  expect(body).toContain(`"shape ${shapeId}" [label="shape ${shapeId} | original | version 0"];`);
  expect(body).toContain(`"component ${componentId}" -> "file ${fileId}";`);
  expect(body).toContain(`"file ${fileId}" [label="file ${fileId} | in/say \\"a\\".mov | CLOSED"];`);
  expect(body).toContain(`"file ${fileId}" -> "storage VX-1";`);
  expect((await drawn('graph', 'text/vnd.graphviz')).body).toBe(body);
  const picture = await drawn('graph', 'image/png');
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect((await drawn('graph/dot', 'image/png')).status).toBe(406);
});
