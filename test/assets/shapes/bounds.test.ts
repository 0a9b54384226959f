import { it } from 'vitest';
import { describeMatrix, type World } from '../../support/matrix.ts';
import { ask } from '../../support/requests.ts';
import { playScenario } from '../../support/scenario.ts';
import { worldOf } from '../../support/world.ts';
import { made, told } from './support.ts';

/** So many rows of an item, made behind the back of the service. */
const fill = ({ service: { store } }: World, count: number, sql: string) =>
  store.commit(
    {
      changes: [
        { sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) ${sql}`, args: [count] },
      ],
      events: [],
    },
    { user: 'test' },
  );

const create = (body: object) => ask('POST /API/item/VX-1/shape/create', body);

describeMatrix('what the shapes of one item may be', (entry) => {
  it('has at most 1000 shapes', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await fill(
      world,
      999,
      `INSERT INTO shape (id, serial, item_id, essence_version, placeholder, mime_types, created_at, version)
        SELECT 'S-' || i, i, 'VX-1', 0, 0, '[]', 0, 1 FROM n`,
    );
    await made(world);
    const row = { name: 'one more', status: 400, says: { contains: ['Expected at most 1000 shapes'] } };
    await playScenario(world, { ...create({}), ...row });
  });

  it('has at most 1000 components, and as many files of components', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await made(world, { audioComponent: Array.from({ length: 1000 }, () => ({})) });
    const says = { contains: ['Expected at most 1000 components'] };
    const add = ask('POST /API/item/VX-1/shape/VX-1/component/placeholder?type=video');
    await playScenario(world, { ...add, name: 'one more', status: 400, says });
    await playScenario(world, { ...create({ videoComponent: [{}] }), name: 'in another shape', status: 400, says });
    const copy = ask('POST /API/item/VX-1/shape/VX-1/version');
    await playScenario(world, { ...copy, name: 'in another version', status: 400, says });
    await fill(world, 1001, `INSERT INTO file_use SELECT 'F-' || i, 'VX-1', 'VX-1', 'VX-1' FROM n`);
    await told(world, 'DELETE /API/item/VX-1/shape/VX-1/component/VX-1000');
    const files = { contains: ['Expected at most 1000 files of components'] };
    await playScenario(world, { ...add, name: 'files', status: 400, says: files });
    await told(world, 'PUT /API/item/VX-1/shape/VX-1/tag/lowres');
  });

  it('has at most so many bytes as the setting says, in its components and their metadata together', async () => {
    const world = await worldOf('shapes', { settings: { maxMetadataBytes: 2000 } }, entry.open);
    const text = 'x'.repeat(500);
    await made(world, { videoComponent: [{ codec: text, metadata: [{ key: 'a', value: text }] }] });
    const says = { contains: ['bytes of components and their metadata'] };
    const more = { videoComponent: [{ codec: text }, { codec: text }] };
    await playScenario(world, { ...create(more), name: 'components', status: 400, says });
    for (const place of ['', '/component/VX-1']) {
      const set = ask(`PUT /API/item/VX-1/shape/VX-1${place}/metadata`, {
        field: [{ key: 'b', value: text.repeat(2) }],
      });
      await playScenario(world, { ...set, name: place, status: 400, says: place === '' ? says : {} });
    }
    await told(world, 'PUT /API/item/VX-1/shape/VX-1/metadata', { field: [{ key: 'b', value: text }] });
  });
});
