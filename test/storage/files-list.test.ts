import { expect, it } from 'vitest';
import { pagesByCursor } from '../support/cursors.ts';
import { register, registered, useFile } from '../support/files.ts';
import { describeMatrix } from '../support/matrix.ts';
import { asking, bodyOf, json } from '../support/requests.ts';
import { playScenario, prepare, type Scenario } from '../support/scenario.ts';
import { librarian, type RoomWorld, worldOf } from '../support/world.ts';

const ask = asking(librarian);

interface List {
  readonly hits?: number;
  readonly nextCursor?: string;
  readonly prefixes?: { readonly prefix: readonly string[] };
  readonly file: readonly { readonly id: string; readonly path: string; readonly size: number }[];
}

const get = async (world: RoomWorld, query: string, path = '/storage/VX-1/file'): Promise<List> => {
  const answer = await world.send(ask(`GET /API${path}${query}`));
  expect(answer.status, answer.body).toBe(200);
  return bodyOf(answer) as unknown as List;
};
const paths = async (world: RoomWorld, query: string, path?: string) =>
  (await get(world, query, path)).file.map((file) => file.path);

const tree = ['a.mov', 'in/b.mov', 'in/c.mxf', 'in/deep/d.mov', 'in/deep/er/e.mov', 'in2/f.mov', 'In/g.MOV'] as const;

describeMatrix('lists of files', (entry) => {
  const open = async (...more: Parameters<typeof prepare>[1] & object) => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [...registered(...tree), ...more]);
    return world;
  };

  it('tell all that clients need of each file, also of one without a size', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, registered('a.mov'));
    await playScenario(world, {
      ...ask('GET /API/storage/VX-1/file'),
      name: 'one file',
      status: 200,
      says: {
        json: {
          hits: 1,
          file: [
            {
              id: 'VX-1',
              path: 'a.mov',
              uri: ['memory:///in/a.mov'],
              state: 'CLOSED',
              size: 0,
              timestamp: '2030-01-01T00:00:00.000+0000',
              refreshFlag: 1,
              storage: 'VX-1',
            },
          ],
        },
      },
    });
  });

  it('begin at 0, have ten files unless more are asked for, and tell how many there are', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, registered(...Array.from({ length: 12 }, (_, at) => `f${at}`)));
    const first = await get(world, '');
    expect([first.hits, first.file.length, first.file[0]!.id]).toEqual([12, 10, 'VX-1']);
    expect(await paths(world, '?first=10')).toEqual(['f10', 'f11']);
    expect(await paths(world, '?first=1&number=2')).toEqual(['f1', 'f2']);
    expect(await paths(world, ';start=3;number=1')).toEqual(['f3']);
    expect((await get(world, '?number=100')).file).toHaveLength(12);
  });

  it('answer nothing but the number with number=0, and no number with count=false', async () => {
    const world = await open();
    expect(await get(world, '?number=0')).toEqual({ hits: tree.length, file: [] });
    expect(await get(world, '?number=0&filter=noitem')).toEqual({ hits: tree.length, file: [] });
    expect(await get(world, '?count=false&number=1')).not.toHaveProperty('hits');
  });

  it('take a number in count as the size of the page', async () => {
    const world = await open();
    const list = await get(world, '?count=3');
    expect([list.hits, list.file.length]).toEqual([tree.length, 3]);
    expect((await get(world, '?count=3&number=1')).file).toHaveLength(1);
    expect((await get(world, '?count=1')).file).toHaveLength(tree.length);
  });

  it('answer an empty list past the end', async () => {
    const world = await open();
    expect(await get(world, '?first=100')).toEqual({ hits: tree.length, file: [] });
    expect(await get(world, '?first=100&path=in')).toEqual({ hits: 4, file: [] });
  });

  it('have the file of a path and all that lies below it', async () => {
    const world = await open();
    expect(await paths(world, '?path=in')).toEqual(['in/b.mov', 'in/c.mxf', 'in/deep/d.mov', 'in/deep/er/e.mov']);
    expect(await paths(world, '?path=/in/')).toEqual(['in/b.mov', 'in/c.mxf', 'in/deep/d.mov', 'in/deep/er/e.mov']);
    expect(await paths(world, '?path=in/b.mov')).toEqual(['in/b.mov']);
    expect(await paths(world, '?path=/')).toHaveLength(tree.length);
    expect(await paths(world, '?path=i')).toEqual([]);
  });

  it('have one folder only with recursive=false', async () => {
    const world = await open();
    expect(await paths(world, '?path=in&recursive=false')).toEqual(['in/b.mov', 'in/c.mxf']);
    expect(await paths(world, '?recursive=false')).toEqual(['a.mov']);
    expect(await paths(world, '?path=in/deep&recursive=False')).toEqual(['in/deep/d.mov']);
  });

  it('take wildcards: * for anything, ? for one character', async () => {
    const world = await open();
    expect(await paths(world, '?wildcard=true&path=in/*.mov')).toEqual([
      'in/b.mov',
      'in/deep/d.mov',
      'in/deep/er/e.mov',
    ]);
    expect(await paths(world, '?wildcard=true&path=in/?.*')).toEqual(['in/b.mov', 'in/c.mxf']);
    expect(await paths(world, '?wildcard=true&path=*e.mov')).toEqual(['in/deep/er/e.mov']);
    expect(await paths(world, '?wildcard=true&path=in/*&recursive=false')).toEqual(['in/b.mov', 'in/c.mxf']);
    expect(await paths(world, '?wildcard=true&path=[ai]*')).toEqual([]);
    expect(await paths(world, '?wildcard=true&path=in')).toHaveLength(4);
  });

  it('take capitals and small letters as equal when they are told to', async () => {
    const world = await open();
    expect(await paths(world, '?ignorecase=true&path=IN')).toHaveLength(5);
    expect(await paths(world, '?ignorecase=true&path=IN&recursive=false')).toEqual([
      'in/b.mov',
      'in/c.mxf',
      'In/g.MOV',
    ]);
    expect(await paths(world, '?ignorecase=true&wildcard=true&path=*.mOv')).toHaveLength(6);
  });

  it('tell the folders at the next level, a page of them', async () => {
    const world = await open(register('in/x/y', {}, 'VX-2'));
    const of = async (query: string, path?: string) =>
      (await get(world, `?prefix=true&${query}`, path)).prefixes?.prefix;
    expect(await of('')).toEqual(['In/', 'in/', 'in2/']);
    expect(await of('path=in')).toEqual(['in/deep/']);
    expect(await of('path=in', '/storage/file')).toEqual(['in/deep/', 'in/x/']);
    expect(await of('path=in/deep/er')).toEqual([]);
    expect(await of('prefixFirst=1&prefixNumber=1')).toEqual(['in/']);
    expect(await of('prefixNumber=0')).toEqual([]);
    expect(await get(world, '')).not.toHaveProperty('prefixes');
  });

  it('have the files of all storages, of some, and of groups', async () => {
    const world = await open(register('other.mov', {}, 'VX-2'));
    const all = '/storage/file';
    expect(await get(world, '?number=0', all)).toMatchObject({ hits: tree.length + 1 });
    expect(await paths(world, '?storage=VX-2', all)).toEqual(['other.mov']);
    expect((await get(world, '?storage=VX-1,VX-2', all)).hits).toBe(tree.length + 1);
    expect((await get(world, '?storage=VX-1&storage=VX-2', all)).hits).toBe(tree.length + 1);
    expect(await paths(world, '?storage=VX-2')).toEqual([]);
    const changes = [
      { sql: `INSERT INTO storage_group (name, created_at) VALUES ('tapes', 0)`, args: [] },
      { sql: `INSERT INTO storage_group_member (group_name, storage_id) VALUES ('tapes', 'VX-2')`, args: [] },
    ];
    await world.service.store.commit({ changes, events: [] }, { user: 'test' });
    expect(await paths(world, '?storageGroup=tapes', all)).toEqual(['other.mov']);
    expect(await paths(world, '?storageGroup=tapes')).toEqual([]);
    for (const query of ['?storage=VX-9', '?storageGroup=nobody'])
      expect((await world.send(ask(`GET /API${all}${query}`))).status).toBe(404);
    expect((await world.send(ask('GET /API/storage/VX-9/file'))).status).toBe(404);
  });

  it('have files by state, id and hash', async () => {
    const hash = 'ab'.repeat(20);
    const md5 = 'cd'.repeat(16);
    const world = await open(
      ask('PUT /API/file/VX-2/state/OPEN'),
      ask('PUT /API/file/VX-3/state/LOST'),
      ask(`PUT /API/file/VX-4/hash/${hash}`),
      ask(`PUT /API/file/VX-5/hash/${md5}?algorithm=MD5`),
    );
    expect(await get(world, '?state=OPEN&number=1')).toMatchObject({ hits: 1, file: [{ id: 'VX-2' }] });
    expect((await get(world, '?state=OPEN&state=LOST')).file.map(({ id }) => id)).toEqual(['VX-2', 'VX-3']);
    expect((await get(world, '?state=lost,open&sort=filename desc')).file.map(({ id }) => id)).toEqual([
      'VX-3',
      'VX-2',
    ]);
    expect(await get(world, '?id=VX-3&id=VX-1,VX-99')).toMatchObject({
      hits: 2,
      file: [{ id: 'VX-1' }, { id: 'VX-3' }],
    });
    expect(await get(world, `?hash=${hash.toUpperCase()}`)).toMatchObject({ hits: 1, file: [{ id: 'VX-4' }] });
    expect(await get(world, `?hash=${md5}&algorithm=MD5`)).toMatchObject({ hits: 1, file: [{ id: 'VX-5' }] });
    const sha256 = 'ef'.repeat(32);
    await world.service.store.commit(
      { changes: [{ sql: `UPDATE file SET digest = hash || ':' || ? WHERE id = 'VX-4'`, args: [sha256] }], events: [] },
      { user: 'test' },
    );
    expect(await get(world, `?hash=${sha256}&algorithm=SHA-256`)).toMatchObject({
      hits: 1,
      file: [{ id: 'VX-4', metadata: { field: [{ key: 'hash_SHA-256', value: sha256 }] } }],
    });
    for (const path of ['/storage/VX-1/file/byHash', '/storage/file/byHash'])
      expect(await get(world, `?hash=${hash}`, path)).toMatchObject({ hits: 1, file: [{ id: 'VX-4' }] });
  });

  it('have files of items, or the others; a word that nobody knows means all', async () => {
    const world = await open();
    await useFile(world, 'VX-2', 'VX-7 VX-12 VX-14');
    expect(await get(world, '?filter=item')).toMatchObject({ hits: 1, file: [{ id: 'VX-2' }] });
    expect((await get(world, '?filter=item')).file[0]).not.toHaveProperty('item');
    expect((await get(world, '?filter=noitem')).hits).toBe(tree.length - 1);
    for (const filter of ['files', 'all', 'noitem,item', 'noitem,item,files'])
      expect([filter, (await get(world, `?filter=${filter}`)).hits]).toEqual([filter, tree.length]);
    const item = [{ id: 'VX-7', shape: [{ id: 'VX-12', component: [{ id: 'VX-14' }] }] }];
    expect(await get(world, '?filter=item&includeItem=true')).toMatchObject({ file: [{ item }] });
  });

  it('leave out of folders what waits for its deletion, unless somebody asks for it', async () => {
    const world = await open(ask('PUT /API/file/VX-2/state/TO_BE_DELETED'));
    expect((await get(world, '')).hits).toBe(tree.length);
    expect(await paths(world, '?path=in&recursive=false')).toEqual(['in/c.mxf']);
    expect(await paths(world, '?path=in&state=TO_BE_DELETED')).toEqual(['in/b.mov']);
    expect(await paths(world, '?path=in&recursive=false&state=TO_BE_DELETED,CLOSED')).toEqual(['in/b.mov', 'in/c.mxf']);
  });

  it('are sorted by six fields, both ways, as clients write them', async () => {
    const world = await worldOf('files', {}, entry.open);
    const sized = (path: string, size?: number) =>
      ask('POST /API/storage/VX-1/file', {
        path,
        ...(size !== undefined && { size }),
        state: `${size === 2 ? 'OPEN' : 'CLOSED'}`,
      });
    await prepare(world, [sized('z/b.mov', 2), sized('a.mxf', 1), sized('c')]);
    const sorted = async (sort: string) =>
      (await get(world, `?sort=${sort}`)).file.map(({ id }) => id.slice(3)).join('');
    expect(await sorted('fileId')).toBe('123');
    expect(await sorted('fileId%20desc')).toBe('321');
    expect(await sorted('size')).toBe('321');
    expect(await sorted('size+desc')).toBe('123');
    expect(await sorted('filename asc'.replace(' ', '%20'))).toBe('213');
    expect(await sorted('extension')).toBe('312');
    expect(await sorted('state')).toBe('231');
    expect(await sorted('state%20desc')).toBe('132');
    expect(await sorted('timestamp&sort-order=desc')).toBe('321');
  });

  it('go on behind the last file with a cursor, whatever is made or deleted meanwhile', async () => {
    for (const query of ['', '&sort=size%20desc', '&path=in', '&sort=filename', '&state=CLOSED']) {
      const world = await open();
      const pages = await pagesByCursor(async (cursor) => {
        const list = await get(world, `?cursor=${cursor}&number=2&first=3${query}`);
        if (cursor === '*') await prepare(world, [ask('DELETE /API/file/VX-1/entity')]);
        return { entries: list.file.map((file) => file.path), next: list.nextCursor };
      });
      const seen = pages.flatMap(({ entries }) => entries);
      const wanted = tree.filter((path) => query !== '&path=in' || path.startsWith('in/'));
      const kept = seen.includes('a.mov') ? wanted : wanted.filter((path) => path !== 'a.mov');
      expect([query, seen.toSorted()]).toEqual([query, kept.toSorted()]);
    }
  });

  it('answer ids as text', async () => {
    const world = await open();
    const answer = await world.send({
      ...ask('GET /API/storage/VX-1/file?number=2'),
      headers: { accept: 'text/plain' },
    });
    expect(answer.body).toBe('VX-1\r\nVX-2\r\n');
  });

  it('are XML in the order that clients know', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, registered('a.mov'));
    const { body } = await world.send({ ...ask('GET /API/storage/VX-1/file?prefix=true'), headers: {} });
    const names = [...body.matchAll(/<([a-zA-Z]+)/g)].map(([, name]) => name);
    expect(names).toEqual([
      'FileListDocument',
      'hits',
      'prefixes',
      'file',
      'id',
      'path',
      'uri',
      'state',
      'size',
      'timestamp',
      'refreshFlag',
      'storage',
    ]);
  });

  const refused: readonly Scenario[] = [
    { ...ask('GET /API/storage/VX-1/file?state=SHUT'), name: 'refuse a state that nobody knows', status: 400 },
    {
      ...ask('GET /API/storage/VX-1/file?sort=color'),
      name: 'refuse an order that nobody knows',
      status: 400,
      says: { contains: ['Expected one of fileId'] },
    },
    { ...ask('GET /API/storage/VX-1/file?sort=size%20up'), name: 'refuse a direction that nobody knows', status: 400 },
    { ...ask('GET /API/storage/VX-1/file?count=many'), name: 'refuse a count that is no number', status: 400 },
    { ...ask('GET /API/storage/VX-1/file?cursor=abc'), name: 'refuse a cursor that is none', status: 400 },
    {
      ...ask(`GET /API/storage/VX-1/file?cursor=${btoa('["size",0,1,1]')}`),
      name: 'refuse a cursor of another order',
      status: 400,
    },
    {
      ...ask(`GET /API/storage/VX-1/file?wildcard=true&path=${'*a'.repeat(200)}`),
      name: 'refuse a pattern that is too long',
      status: 400,
    },
    { request: 'GET /API/storage/VX-1/file', headers: json, name: 'tell nobody without credentials', status: 401 },
  ];
  for (const row of refused) {
    it(row.name, async () => {
      await playScenario(await worldOf('files', {}, entry.open), row);
    });
  }
});

describeMatrix('files that can be imported', (entry) => {
  const places = [
    '/storage/importable',
    '/storage/VX-1/importable',
    '/storage/file/importable',
    '/storage/VX-1/file/importable',
  ];

  it('are those with bytes that no item has, at four paths', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [...registered('a.mov', 'used.mov', 'lost.mov'), ask('PUT /API/file/VX-3/state/LOST')]);
    await useFile(world, 'VX-2', 'VX-7 VX-12 VX-14');
    for (const place of places) {
      await playScenario(world, {
        ...ask(`GET /API${place}?prefix=true`),
        name: place,
        status: 200,
        says: {
          jsonPart: {
            hits: 1,
            prefixes: { prefix: [] },
            element: [{ file: { id: 'VX-1', size: 0, storage: 'VX-1' } }],
          },
        },
      });
    }
  });

  it('are none of a storage that shows none', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, registered('a.mov'));
    const changes = [{ sql: `UPDATE storage SET show_importables = 0 WHERE id = 'VX-1'`, args: [] }];
    await world.service.store.commit({ changes, events: [] }, { user: 'test' });
    for (const place of places)
      expect(bodyOf(await world.send(ask(`GET /API${place}`)))).toEqual({ hits: 0, element: [] });
  });
});
