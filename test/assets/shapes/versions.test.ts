import { expect, it } from 'vitest';
import type { Shape } from '../../../src/assets/shapes/load.ts';
import { chosenShapes } from '../../../src/assets/shapes/load.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { ask } from '../../support/requests.ts';
import { playScenario, prepare } from '../../support/scenario.ts';
import { stranger, worldOf } from '../../support/world.ts';
import { files, made, type ShapeJson, stateOf, told, uris } from './support.ts';

const path = '/API/item/VX-1/shape';

describeMatrix('essence versions', (entry) => {
  it('copies a shape as the next version, which hides the older ones', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, files(1));
    const components = {
      containerComponent: { file: [{ id: 'VX-1' }], format: 'mp4' },
      videoComponent: [{ codec: 'h264' }],
    };
    await made(world, { ...components, mimeType: ['video/mp4'], metadata: { field: [{ key: 'k', value: 'v' }] } });
    await playScenario(world, {
      ...ask(`POST ${path}/VX-1/version`),
      name: 'next',
      status: 200,
      says: {
        jsonPart: {
          id: 'VX-2',
          essenceVersion: 1,
          tag: ['original'],
          mimeType: ['video/mp4'],
          containerComponent: { id: 'VX-3', format: 'mp4', file: [{ id: 'VX-1' }] },
          videoComponent: [{ codec: 'h264', itemTrack: 'V1' }],
          metadata: { field: [{ key: 'k', value: 'v' }] },
        },
      },
      events: [['shape/create', 'VX-1', { shapeId: 'VX-2', shapeTag: ['original'] }]],
    });
    expect(await uris(world, `GET ${path}`)).toEqual(['VX-2']);
    expect(await uris(world, `GET ${path}?version=0`)).toEqual(['VX-1']);
    expect(await uris(world, `GET ${path}?version=all`)).toEqual(['VX-1', 'VX-2']);
    expect((await made(world)).essenceVersion).toBe(1);
    const { version } = await told<{ version: { id: number; uri: string; created: string }[] }>(
      world,
      `GET ${path}/version`,
    );
    expect(version).toEqual(
      [0, 1].map((id) => ({ id, uri: expect.stringMatching(`/shape/version/${id}$`), created: expect.any(String) })),
    );
    const one = await told<{ created: string; shape: ShapeJson[] }>(world, `GET ${path}/version/1`);
    expect(one.shape.map(({ id }) => id)).toEqual(['VX-2', 'VX-3']);
  });

  it('copies with a number, unless a shape of the version has the tag', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await made(world);
    const put = (version: string) => ask(`PUT ${path}/VX-1/version/${version}`);
    const created = [['shape/create', 'VX-1', { shapeId: 'VX-2' }]] as const;
    await playScenario(world, {
      ...put('4'),
      name: 'free',
      status: 200,
      says: { jsonPart: { essenceVersion: 4 } },
      events: created,
    });
    for (const [version, status] of [
      ['4', 409],
      ['0', 409],
      ['x', 400],
      ['-1', 400],
      ['1000001', 400],
    ] as const) {
      await playScenario(world, { ...put(version), name: version, status });
    }
    await playScenario(world, { ...ask(`PUT ${path}/VX-9/version/5`), name: 'no shape', status: 404 });
  });

  it('a new shape may be of an older version, or of one that skips numbers, and leaves the others as they are', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await made(world, {}, '?version=7');
    await made(world, {}, '?tag=original&version=2');
    await made(world, {}, '?tag=lowres');
    expect(await uris(world, `GET ${path}?version=2`)).toEqual(['VX-2']);
    expect(await uris(world, `GET ${path}?version=7`)).toEqual(['VX-1', 'VX-3']);
    const { tag } = await told<ShapeJson>(world, `GET ${path}/VX-1`);
    expect(tag).toEqual(['original']);
    await playScenario(world, { ...ask(`POST ${path}/create?version=1000001`, {}), name: 'no version', status: 400 });
  });

  it('copies all shapes of the latest version, or of an older one, as the next version', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, files(1));
    await made(world, { containerComponent: { file: [{ id: 'VX-1' }], format: 'mp4' } });
    await made(world, { mimeType: ['video/mp4'] }, '?tag=lowres');
    await made(world, {}, '?tag=lowres');
    const shapesOf = ({ shape }: { shape: ShapeJson[] }) =>
      shape.map(({ id, essenceVersion, tag }) => [id, essenceVersion, ...(tag ?? [])]);
    await playScenario(world, {
      ...ask(`POST ${path}/version/`),
      name: 'the latest',
      status: 200,
      answers: { location: /item\/VX-1\/shape\/version\/1$/ },
      events: [
        ['shape/create', 'VX-1', { shapeId: 'VX-4', shapeTag: ['original'] }],
        ['shape/create', 'VX-1', { shapeId: 'VX-5', shapeTag: ['lowres'] }],
        ['shape/create', 'VX-1', { shapeId: 'VX-6', shapeTag: ['lowres'] }],
      ],
    });
    const first = await told<{ shape: ShapeJson[] }>(world, `GET ${path}/version/1`);
    expect(shapesOf(first)).toEqual([
      ['VX-4', 1, 'original'],
      ['VX-5', 1, 'lowres'],
      ['VX-6', 1, 'lowres'],
    ]);
    expect(first.shape[0]).toMatchObject({ containerComponent: { format: 'mp4', file: [{ id: 'VX-1' }] } });
    await told(world, `DELETE ${path}/VX-5?keepFiles=true`);
    const older = await told<{ shape: ShapeJson[] }>(world, `POST ${path}/version/0`);
    expect(shapesOf(older)).toEqual([
      ['VX-7', 2, 'original'],
      ['VX-8', 2, 'lowres'],
      ['VX-9', 2, 'lowres'],
    ]);
    expect(await uris(world, `GET ${path}`)).toEqual(['VX-7', 'VX-8', 'VX-9']);
    for (const [of, request, status] of [
      ['no such version', `POST ${path}/version/9`, 404],
      ['no number', `POST ${path}/version/x`, 404],
      ['no such item', 'POST /API/item/VX-9/shape/version', 404],
      ['an item without shapes', 'POST /API/item/VX-2/shape/version', 404],
    ] as const) {
      await playScenario(world, { ...ask(request), name: of, status });
    }
    await playScenario(world, { ...ask(`POST ${path}/version`, undefined, stranger), name: 'no rights', status: 403 });
  });

  it('of copies at once each has its own number', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await made(world);
    const copies = await Promise.all([1, 2, 3].map(() => told<ShapeJson>(world, `POST ${path}/VX-1/version`)));
    expect(copies.map(({ essenceVersion }) => essenceVersion).toSorted()).toEqual([1, 2, 3]);
  });

  it('deletes a version with its shapes; files that another version has stay', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, files(2));
    await made(world, { containerComponent: { file: [{ id: 'VX-1' }] } });
    await told(world, `POST ${path}/VX-1/version`);
    await told(world, `PUT ${path}/VX-2/component/VX-2/file/VX-2`);
    await playScenario(world, {
      ...ask(`DELETE ${path}/version/1`),
      name: 'version 1',
      status: 200,
      says: { exact: '' },
      events: [
        ['shape/delete', 'VX-1', { shapeId: 'VX-2' }],
        ['file/change', 'VX-2'],
      ],
    });
    expect([await stateOf(world, 'VX-1'), await stateOf(world, 'VX-2')]).toEqual(['CLOSED', 'TO_BE_DELETED']);
    for (const request of [`DELETE ${path}/version/1`, `GET ${path}/version/1`, `GET ${path}/version/one`]) {
      await playScenario(world, { ...ask(request), name: request, status: 404 });
    }
    expect(await uris(world, `GET ${path}`)).toEqual(['VX-1']);
    await playScenario(world, { ...ask(`GET ${path}/version`, undefined, stranger), name: 'access', status: 403 });
  });
});

it('a list tells the latest version, or for each tag the latest that has it', () => {
  const shape = (id: string, essenceVersion: number, tags: readonly string[], placeholder = 0) =>
    ({ id, essenceVersion, tags, placeholder }) as unknown as Shape;
  const shapes = [
    shape('a', 0, ['original']),
    shape('b', 0, ['lowres', 'web']),
    shape('c', 1, ['original']),
    shape('d', 1, ['web']),
    shape('e', 2, ['original'], 1),
  ];
  const idsOf = (filter: Partial<Parameters<typeof chosenShapes>[1]>) =>
    chosenShapes(shapes, { versions: 'latest', tags: undefined, placeholders: 'false', ...filter })
      .map(({ id }) => id)
      .join('');
  expect(idsOf({})).toBe('cd');
  expect(idsOf({ placeholders: 'all' })).toBe('e');
  expect(idsOf({ placeholders: 'true' })).toBe('e');
  expect(idsOf({ versions: 'latest-per-shapetag' })).toBe('bcd');
  expect(idsOf({ versions: 'latest-per-shapetag', tags: ['web'] })).toBe('d');
  expect(idsOf({ versions: 'latest-per-shapetag', tags: ['lowres'] })).toBe('b');
  expect(idsOf({ tags: ['lowres'] })).toBe('');
  expect(idsOf({ versions: 'all', tags: ['lowres', 'original'] })).toBe('abc');
  expect(idsOf({ versions: 0 })).toBe('ab');
  expect(idsOf({ versions: 7 })).toBe('');
});
