import { beforeAll, describe, expect, it } from 'vitest';
import { ended } from '../../support/files.ts';
import { asking, done, rowsOf } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { start } from '../../support/transfers.ts';
import { importer, outsider, type RoomWorld, sharedWorld } from '../../support/world.ts';

const ask = asking(importer);

const json = { accept: 'application/json', 'content-type': 'application/json' };

describe('a shape that is there', () => {
  let world: RoomWorld;
  let path: string;
  const shared = sharedWorld('imports');
  const shapeWith = async (item: string, body: object) => {
    const made = await done<{ id: string }>(world, {
      ...ask(`POST /API/item/${item}/shape/create?tag=original`, JSON.stringify(body)),
      headers: json,
    });
    return `/API/item/${item}/shape/${made.id}`;
  };
  const newItem = async () => (await done<{ id: string }>(world, ask('POST /API/import/placeholder'))).id;
  beforeAll(async () => {
    world = shared();
    world.from.put('film.mov', 'film');
    world.from.put('notes.txt', 'notes');
    const { id } = await done<{ id: string }>(
      world,
      ask('POST /API/storage/VX-1/file?path=film.mov&state=CLOSED', undefined, admin),
    );
    path = await shapeWith(await newItem(), {
      mimeType: ['video/quicktime'],
      containerComponent: { format: 'mov', file: [{ id }] },
      videoComponent: [{ codec: 'h264', file: [{ id }] }],
    });
  });

  it('gets what is in another file as further components, and its own stay as they are', async () => {
    const before = await world.sequence();
    const job = await start(world, ask(`POST ${path}/component?uri=memory:///in/notes.txt`));
    expect(job.type).toBe('SHAPE_IMPORT');
    const end = await ended(world, job.jobId);
    expect(end.status, JSON.stringify(end)).toBe('FINISHED');
    const shape = await done<{
      mimeType: string[];
      containerComponent: { format: string; file: { path: string }[] };
      videoComponent: { codec: string }[];
      binaryComponent: { length: number; file: { path: string }[] }[];
    }>(world, ask(`GET ${path}`));
    expect(shape).toMatchObject({
      mimeType: ['video/quicktime'],
      containerComponent: { format: 'mov', file: [{ path: 'film.mov' }] },
      videoComponent: [{ codec: 'h264' }],
      binaryComponent: [{ length: 5, file: [{ path: 'notes.txt' }] }],
    });
    const names = (await world.events(before)).map(({ name }) => name).filter((name) => name.startsWith('shape/'));
    expect(names).toEqual(['shape/modify']);
  });

  it('stays as it is when the file cannot be had', async () => {
    const shapes = await rowsOf(world, 'shape');
    const job = await start(world, ask(`POST ${path}/component?uri=memory:///in/none.txt`));
    expect((await ended(world, job.jobId)).status).toBe('FAILED_TOTAL');
    expect(await rowsOf(world, 'shape')).toEqual(shapes);
  });

  it('refuses files that components have, placeholders, and shapes without media', async () => {
    const refusal = async (target: string, query: string) => {
      const answer = await world.send(ask(`POST ${target}/component?${query}`));
      return [answer.status, /Expected [a-z ]*/.exec(answer.body)?.[0]?.trim()];
    };
    const used = (await rowsOf(world, 'file')).find(({ path: name }) => name === 'notes.txt')!['id'];
    expect(await refusal(path, `fileId=${used}`)).toEqual([400, 'Expected a file that no component has']);
    const item = await newItem();
    const binary = await shapeWith(item, { binaryComponent: [{ format: 'txt' }] });
    expect(await refusal(binary, 'uri=memory:///in/notes.txt')).toEqual([400, 'Expected a shape of media']);
    const placeholder = ask(`POST /API/item/${item}/shape/placeholder?video=1`);
    const id = (await world.send({ ...placeholder, headers: { accept: 'text/plain' } })).body.trim();
    expect(await refusal(`/API/item/${item}/shape/${id}`, 'uri=memory:///in/notes.txt')).toEqual([
      400,
      'Expected a shape that is no placeholder',
    ]);
    expect(await refusal(path.replace(/\d+$/, '999'), 'uri=memory:///in/notes.txt')).toMatchObject({ 0: 404 });
  });
});

describe('bytes that become a shape', () => {
  const shared = sharedWorld('imports');

  it.each(['shape', 'shape/essence'])('are not asked for where the request is refused: %s/raw', async (path) => {
    const world = shared();
    const { id } = await done<{ id: string }>(world, ask('POST /API/import/placeholder'));
    const item = `/API/item/${id}`;
    await done(world, ask('PUT /API/shape-tag/lowres', '{}', admin));
    const access = (permission: string, tag?: string) =>
      done(world, {
        as: admin,
        headers: json,
        request: `POST ${item}/access`,
        body: { permission, user: outsider[0], ...(tag && { operation: { shape: { tag } } }) },
      });
    await access('WRITE');
    await access('READ', 'lowres');
    let pulled = 0;
    const refusal = async (query: string) => {
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            pulled++;
            controller.enqueue(new Uint8Array([1]));
            controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      const headers = { ...json, 'content-type': 'application/octet-stream' };
      const answer = await world.send({ as: outsider, headers, request: `POST ${item}/${path}/raw?${query}`, body });
      return `${answer.status} ${answer.headers.get('portico-error')}`;
    };
    expect(await refusal('tag=lowres')).toBe('403 not-allowed');
    expect(await refusal('tag=unknown')).toBe('404 no-such-entity');
    expect(await refusal('storageId=VX-999')).toBe('404 no-such-entity');
    expect(await refusal('jobmetadata=itemId%3DVX-1')).toBe('400 bad-parameter');
    expect(await refusal('priority=IMMEDIATE')).toBe('403 role-missing');
    await done(world, ask(`PUT ${item}/lock?duration=PT1H`, undefined, admin));
    expect(await refusal('')).toBe('409 entity-locked');
    expect(pulled).toBe(0);
  });
});

describe('a job that brings a shape', () => {
  const shared = sharedWorld('imports');

  it.each(['shape', 'shape/essence'])('tells it once: %s', async (path) => {
    const world = shared();
    world.from.put('once.txt', 'once');
    const { id } = await done<{ id: string }>(world, ask('POST /API/import/placeholder'));
    const { jobId } = await start(world, ask(`POST /API/item/${id}/${path}?uri=memory:///in/once.txt`));
    const { status, data = [] } = await ended(world, jobId);
    expect([status, data.filter(({ key }) => key === 'shapeId').length]).toEqual(['FINISHED', 1]);
  });
});
