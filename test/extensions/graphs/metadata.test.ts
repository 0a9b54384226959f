import { expect, it } from 'vitest';
import { by, field, openMetadata, putItem, sendWell, untimed } from '../../assets/metadata/support.ts';
import { newUser } from '../../support/cast.ts';
import type { World } from '../../support/matrix.ts';
import { admin, type Credentials } from '../../support/service.ts';

const draw = (world: World, rest = '/dot', accept = 'text/plain', as: Credentials = admin) =>
  world.send({ ...by(`GET /item/VX-1/metadata/graph${rest}`, undefined, as), headers: { accept } });

async function open() {
  const world = await openMetadata();
  await putItem(world, untimed(field('title', 'a'), field('x_note', 'n')));
  await putItem(world, untimed(field('title', 'b'), field('x_one', '1')));
  await putItem(world, {
    timespan: [{ field: [{ name: 'x_note' }], group: [{ name: 'Film', field: [field('title', 'c')] }] }],
  });
  return world;
}

it('the graph has a node for each change set, and an arrow to those whose values it replaced', async () => {
  const world = await open();
  const { status, body } = await draw(world);
  expect(status).toBe(200);
  const lines = body.split('\n').map((line) => line.trim());
  expect(lines[2]).toMatch(/^"change VX-1" \[label="VX-1 \| admin \| 2030-\S+Z \| title \| x_note", shape=box\];$/);
  expect(lines.filter((line) => line.includes('->'))).toEqual([
    '"change VX-2" -> "change VX-1" [label="replaces title"];',
    '"change VX-3" -> "change VX-1" [label="replaces x_note"];',
  ]);
});

it('a graph with groupBy=none has a node for each field, with its values', async () => {
  const world = await open();
  const { body } = await draw(world, '/dot?groupBy=none');
  expect(body).toMatch(/"change VX-2 field \d+" \[label="title \| b \| VX-2 \| admin \| /);
  expect(body).toMatch(/label="x_note \| removed \| VX-3/);
  expect(body.match(/->/g)).toHaveLength(2);
  expect((await draw(world, '/dot?groupBy=color')).status).toBe(400);
});

it('clients that ask for a picture get one, of collections, too', async () => {
  const world = await open();
  const { status, headers, body } = await draw(world, '', 'image/png');
  expect([status, headers.get('content-type'), body.slice(1, 4)]).toEqual([200, 'image/png', 'PNG']);
  await sendWell(world, by('PUT /collection/VX-1/metadata', untimed(field('title', 'a'))));
  const ofCollection = { ...by('GET /collection/VX-1/metadata/graph/dot'), headers: { accept: 'text/plain' } };
  expect((await world.send(ofCollection)).body).toContain('metadata of collection VX-1');
  expect((await world.send(by('GET /item/VX-9/metadata/graph/dot'))).status).toBe(404);
});

it('a field that is closed to the caller is not in its graph', async () => {
  const world = await open();
  const ann: Credentials = ['ann', 'p'];
  await sendWell(world, newUser(ann, ['_metadata_read']));
  expect((await draw(world, '/dot', 'text/plain', ann)).status).toBe(403);
  await sendWell(world, by('POST /item/VX-1/access', { user: 'ann', permission: 'READ' }));
  await sendWell(world, by('POST /metadata-field/x_note/access', { user: 'admin', permission: 'DELETE' }));
  for (const query of ['', '?groupBy=none']) {
    const { status, body } = await draw(world, `/dot${query}`, 'text/plain', ann);
    expect(status).toBe(200);
    expect(body).toContain('title');
    expect(body).not.toContain('x_note');
  }
});

it('a change of the schema says what it did', async () => {
  const world = await open();
  const rename = { rename: [{ from: { field: { name: 'x_one' } }, to: 'x_first' }] };
  await sendWell(world, { ...by('POST /metadata/migration', rename), headers: { accept: 'text/plain' } });
  await world.clock.advance(2000);
  await world.service.tick(10_000);
  expect((await draw(world)).body).toContain('field x_one renamed to x_first", shape=box, style="dashed"');
});

it('libraries have a graph of their access, in the language DOT', async () => {
  const world = await openMetadata();
  await sendWell(world, newUser(['ann', 'p'], []));
  const library = await world.send(by('POST /library', { item: [] }));
  const id = /[^/]+$/.exec(library.headers.get('location')!)![0];
  await sendWell(world, by(`POST /library/${id}/access`, { user: 'ann', permission: 'READ' }));
  const graph = { ...by(`GET /library/${id}/access/graph/dot`), headers: { accept: 'text/plain' } };
  const { status, body } = await world.send(graph);
  expect([status, body]).toEqual([200, expect.stringContaining(`"user ann" -> "library ${id}" [label="READ"]`)]);
});
