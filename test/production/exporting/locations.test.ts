import { describe, expect, it } from 'vitest';
import { ask, done, textAt } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { exported, itemWith, openExports, urisOf, whyOf } from '../../support/transfers.ts';

const location = '/API/export-location/web';
const document = { uri: 'memory:///out/web', tag: ['lowres'] };
const plain = (request: string, body?: string) => ({
  as: admin,
  headers: { accept: 'text/plain', 'content-type': 'text/plain' },
  request,
  ...(body !== undefined && { body }),
});

describe('an export location', () => {
  it('is made, read, listed and deleted by its name', async () => {
    const world = await openExports();
    expect(await done(world, ask(`PUT ${location}`, document))).toEqual({ name: 'web', ...document });
    expect(await done(world, ask(`GET ${location}`))).toEqual({ name: 'web', ...document });
    expect(await done(world, ask('GET /API/export-location'))).toEqual({
      exportLocation: [{ name: 'web', ...document }],
    });
    expect((await world.send(ask(`DELETE ${location}`))).status).toBe(200);
    expect((await world.send(ask(`GET ${location}`))).status).toBe(404);
    expect((await world.send(ask(`DELETE ${location}`))).status).toBe(404);
  });

  it('has key-value metadata, which stays when the location is replaced, and goes with it', async () => {
    const world = await openExports();
    const metadata = `${location}/metadata`;
    await done(world, ask(`PUT ${location}`, document));
    await done(world, ask(`PUT ${metadata}`, { field: [{ key: 'contact', value: 'web desk' }] }));
    await done(world, ask(`PUT ${location}`, document));
    expect(await done(world, ask(`GET ${metadata}`))).toEqual({ field: [{ key: 'contact', value: 'web desk' }] });
    expect((await world.send(plain(`GET ${metadata}/contact`))).body).toBe('web desk');
    expect((await world.send(ask('GET /API/export-location/none/metadata'))).status).toBe(404);
    await done(world, ask(`DELETE ${location}`));
    await done(world, ask(`PUT ${location}`, document));
    expect(await done(world, ask(`GET ${metadata}`))).toEqual({ field: [] });
  });

  it('has an address, and a name that fits into a path', async () => {
    const world = await openExports();
    const status = async (name: string, body: object) =>
      (await world.send(ask(`PUT /API/export-location/${name}`, body))).status;
    expect(await status('web', {})).toBe(400);
    expect(await status('web', { uri: 'ftp://user:password@host/' })).toBe(400);
    expect(await status('a%20b', document)).toBe(400);
    expect(await status('x'.repeat(65), document)).toBe(400);
    expect(await status('web', { uri: 'memory:///out/', script: 'x'.repeat(70_000) })).toBe(400);
  });

  it('says where an export goes, and which shapes', async () => {
    const world = await openExports();
    await done(world, ask('PUT /API/shape-tag/lowres', {}));
    await done(world, ask(`PUT ${location}`, document));
    const item = await itemWith(world, 'in/a.mov');
    await itemWith(world, 'in/low.mp4', { item, tag: 'lowres' });
    expect(urisOf(await exported(world, `/item/${item}/export?locationName=web`))).toEqual([
      'memory:///out/web/low.mp4',
    ]);
    expect(urisOf(await exported(world, `/item/${item}/export?locationName=web&tag=original`))).toEqual([
      'memory:///out/web/a.mov',
    ]);
    const withProjection = (projection: string) => done(world, ask(`PUT ${location}`, { ...document, projection }));
    const sidecars = ask(`POST /API/item/${item}/export?locationName=web&metadata=true`);
    await withProjection('unknown');
    expect((await world.send(sidecars)).status).toBe(404);
    await withProjection('default');
    expect((await world.send(sidecars)).status).toBe(200);
  });
});

describe('the script of a location', () => {
  const script = 'shape.getTag().get(0) + "/" + item.id + "-" + jobMetadata.get("desk") + "-" + filename';

  it('names the files, from the item, the shape, the file and the data of the job', async () => {
    const world = await openExports();
    await done(world, ask(`PUT ${location}`, { uri: 'memory:///out/' }));
    expect((await world.send(plain(`GET ${location}/script`))).status).toBe(404);
    expect((await world.send(plain(`PUT ${location}/script`, script))).body).toBe(script);
    expect((await world.send(plain(`GET ${location}/script`))).body).toBe(script);
    // A document without a script keeps it.
    await done(world, ask(`PUT ${location}`, { uri: 'memory:///out/web/' }));
    const item = await itemWith(world, 'in/a.mov');
    const job = await exported(world, `/item/${item}/export?locationName=web&jobmetadata=desk%3DHarbour`);
    const name = `original/${item}-Harbour-a.mov`;
    expect(urisOf(job), JSON.stringify(job.log)).toEqual([`memory:///out/web/${name}`]);
    expect(textAt(world.to, `web/${name}`)).toBe('bytes of in/a.mov');
  });

  it.each([
    [
      'climbs out',
      '"../../etc/passwd"',
      'Expected the script of the location to answer the name of a file below it: "../../etc/passwd"',
    ],
    [
      'begins at the root',
      '"/etc/passwd"',
      'Expected the script of the location to answer the name of a file below it: "/etc/passwd"',
    ],
    ['is no text', '({})', 'Expected the script of the location to answer the name of a file below it: {}'],
    ['throws', 'throw new Error("no")', 'The script of the location failed: Error: no (line 1)'],
  ])('fails the job where its answer %s', async (_title, text, why) => {
    const world = await openExports();
    await done(world, ask(`PUT ${location}`, { uri: 'memory:///out/', script: text }));
    const item = await itemWith(world, 'in/a.mov');
    const job = await exported(world, `/item/${item}/export?locationName=web`);
    expect([job.status, whyOf(job)]).toEqual(['FAILED_TOTAL', why]);
    expect([...world.to.files.keys()]).toEqual([]);
  });
});
