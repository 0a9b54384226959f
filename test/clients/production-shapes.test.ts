import { beforeAll, describe, expect, it } from 'vitest';
import { by, done } from '../support/requests.ts';
import { type RoomWorld, sharedWorld } from '../support/world.ts';

/**
 * How production scripts choose shapes and their files: they take the first shape, and its first file, of an answer to a
 * request with `tag`, `type`, `storage` and the like.
 */

interface Shape {
  readonly tag: readonly string[];
  readonly containerComponent?: { readonly file: readonly { readonly path: string }[] };
}
interface Item {
  readonly id: string;
  readonly shape?: readonly Shape[];
  readonly files?: { readonly uri?: readonly string[] };
}

const item = 'VX-1';
const files = [
  ['original', 'VX-1', 'in/master.mxf'],
  ['lowres', 'VX-1', 'proxies/low.mp4'],
  ['lowres', 'VX-2', 'proxies/copy.MP4'],
  ['web', 'VX-2', 'web.webm'],
] as const;
const [master, low, copy, web] = files.map(([, , path]) => path);

describe('production scripts get the shapes and files that they ask for', () => {
  let world: RoomWorld;
  const shared = sharedWorld('shapes');
  beforeAll(async () => {
    world = shared();
    const make = <T>(request: string, body?: object) => done<T>(world, by(request, body));
    await make('PUT /API/shape-tag/web', {});
    await make('PUT /API/storage/storage-group/Edges');
    await make('PUT /API/storage/storage-group/Edges/VX-2');
    const shapes = new Map<string, string[]>();
    for (const [tag, storage, path] of files) {
      const { id } = await make<{ id: string }>(`POST /API/storage/${storage}/file?path=${path}&state=CLOSED`);
      shapes.set(tag, [...(shapes.get(tag) ?? []), id]);
    }
    for (const [tag, ids] of shapes)
      await make(`POST /API/item/${item}/shape/create?tag=${tag}`, {
        containerComponent: { file: ids.map((id) => ({ id })) },
      });
    await make('POST /API/collection?name=Rushes');
    await make(`PUT /API/collection/VX-1/${item}`);
    await make('POST /API/library', { item: [{ id: item }] });
  });

  /** Where one item is answered, alone or among others. */
  const places: readonly (readonly [request: string, itemIn: (answer: never) => Item])[] = [
    [`GET /API/item/${item}`, (answer: Item) => answer],
    ...(['GET /API/item', 'PUT /API/item', 'PUT /API/collection/VX-1/item', 'GET /API/library/VX*1'] as const).map(
      (request) => [request, (answer: { item: Item[] }) => answer.item.find(({ id }) => id === item)!] as const,
    ),
    ...(['GET /API/search', 'PUT /API/search'] as const).map(
      (request) =>
        [
          request,
          (answer: { entry: { item?: Item }[] }) => answer.entry.find((entry) => entry.item?.id === item)!.item!,
        ] as const,
    ),
  ];

  const rows: readonly (readonly [query: string, paths: readonly (string | undefined)[], shapes: readonly string[]])[] =
    [
      ['', [master, low, copy, web], ['original', 'lowres', 'web']],
      ['tag=lowres', [low, copy], ['lowres']],
      ['tag=web,original', [master, web], ['original', 'web']],
      ['tag=original&tag=nothing', [master], ['original']],
      ['tag=nothing', [], []],
      ['type=mxf', [master], ['original']],
      ['uriType=MP4,webm', [low, copy, web], ['lowres', 'web']],
      ['storage=VX-2', [copy, web], ['lowres', 'web']],
      ['storageGroup=Edges&tag=lowres', [copy], ['lowres']],
      ['storage=VX-1&storageGroup=Edges', [], []],
      ['scheme=memory&tag=web', [web], ['web']],
      ['scheme=s3', [], []],
      ['methodType=HSM', [], []],
      ['storageType=LOCAL&type=webm', [web], ['web']],
      ['methodMetadata=site%3Dlab', [], []],
    ];

  it.each(rows)('by "%s"', async (query, paths, shapes) => {
    for (const [request, itemIn] of places) {
      const path = `${request}?content=shape,uri&${query}`;
      const answer = await done(world, { ...by(path), ...(request.startsWith('PUT') && { body: {} }) });
      const { shape = [], files: { uri = [] } = {} } = itemIn(answer as never);
      expect([path, shape.map(({ tag }) => tag[0]).toSorted()]).toEqual([path, shapes.toSorted()]);
      const shown = shape.flatMap(({ containerComponent }) => containerComponent!.file.map((file) => file.path));
      expect([path, shown.toSorted()]).toEqual([path, paths.toSorted()]);
      expect([path, uri.map(pathOf).toSorted()]).toEqual([path, paths.toSorted()]);
    }
    const of = `GET /API/item/${item}`;
    const { uri = [] } = await done<{ uri?: string[] }>(world, by(`${of}/uri?${query}`));
    expect(uri.map(pathOf).toSorted()).toEqual(paths.toSorted());
    const listed = await done<{ uri?: string[] }>(world, by(`${of}/shape?${query}`));
    expect(listed.uri ?? []).toHaveLength(shapes.length);
  });

  const pathOf = (uri: string): string | undefined => files.find(([, , path]) => uri.endsWith(path))?.[2];

  const auto = /http:\/\/[^/]+\/APInoauth\/storage\/VX-\d\/file\/VX-\d\/\d+~[\w-]{43}\/VX-\d\.\w+/g;

  /** As a media browser, a portal, a plugin, a MAM and a video library ask for what they play and download. */
  it.each<[request: string, addresses: number]>([
    [`GET /API/item/${item}?content=metadata,thumbnail,poster,uri,shape&noauth-url=true&methodType=AUTO`, 8],
    [`GET /API/item/${item}/?content=shape&methodType=AUTO&tag=lowres`, 2],
    [`GET /API/item/${item};content=uri;tag=lowres,web?methodType=auto&scheme=http`, 3],
    [`GET /API/item/${item}/uri?methodMetadata=format%3DSIGNED-AUTO&tag=web`, 1],
    [`GET /API/item/${item}/uri?methodType=AUTO&methodMetadata=format%3DSIGNED-AUTO&type=mxf`, 1],
    [`GET /API/item/${item}/uri?methodType=AUTO&methodMetadata=site%3Dlab`, 0],
    [`GET /API/item/${item}/uri?methodType=AUTO&scheme=ftp`, 0],
    [`GET /API/item/${item}/uri?tag=web`, 0],
    [`GET /API/item/${item}/shape/VX-2?transient=False&methodType=AUTO`, 2],
    [`GET /API/item/${item}/shape/VX-2/file?methodType=AUTO`, 2],
    [`PUT /API/item?content=shape,uri&count=false&noauth-url=true&methodType=AUTO`, 8],
    [`PUT /API/search;number=10?content=uri&methodType=AUTO`, 4],
    ['GET /API/storage/file/VX-1?includeItem=true&methodType=AUTO', 1],
    ['GET /API/storage/VX-2/file;methodType=AUTO;number=10', 2],
    ['PUT /API/search/file?methodType=AUTO', 4],
  ])('plays and downloads by addresses of the type AUTO: %s', async (request, addresses) => {
    const { status, body } = await world.send({ ...by(request), ...(request.startsWith('PUT') && { body: {} }) });
    expect([status, body.match(auto)?.length ?? 0]).toEqual([200, addresses]);
  });

  it.each([
    ['storage=VX-9', 'Storage'],
    ['storageGroup=Nowhere', 'storage-group'],
  ])('but not with %s, which is nowhere', async (query, type) => {
    for (const path of [`${item}?content=shape&`, `${item}/uri?`, `${item}/shape?`]) {
      const { status, body } = await world.send(by(`GET /API/item/${path}${query}`));
      expect([status, JSON.parse(body).notFound.type]).toEqual([404, type]);
    }
  });
});
