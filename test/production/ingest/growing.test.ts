import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ended, jobOf } from '../../support/files.ts';
import { asking, done, rowsOf, textAt } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { dataOf, itemOf, start } from '../../support/transfers.ts';
import { importer, type RoomWorld, sharedWorld } from '../../support/world.ts';
import { wav } from '../checking/samples.ts';

const ask = asking(importer);

const json = { accept: 'application/json', 'content-type': 'application/json' };

describe('a file that still grows', () => {
  let world: RoomWorld;
  let whole: Uint8Array;
  const shared = sharedWorld('imports');
  beforeAll(async () => {
    whole = await wav({ seconds: 2 });
  });
  beforeEach(() => {
    world = shared();
  });

  const looks = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      await world.service.tick();
      await world.clock.advance(2_000);
    }
  };
  const close = (id: string) => done(world, ask(`PUT /API/file/${id}/state/CLOSED`, undefined, admin));

  it('growing=true: it is checked as soon as its head is there, and again when it is closed', async () => {
    world.from.put('in.wav', whole.subarray(0, 10));
    const job = await start(world, ask('POST /API/import?uri=memory:///in/in.wav&growing=true'));
    await looks(3);
    const early = await jobOf(world, job.jobId);
    expect([early.status, early.waiting?.requirement, early.currentStep?.number]).toEqual([
      'WAITING',
      'FileNotClosed',
      1,
    ]);
    world.from.put('in.wav', whole.subarray(0, whole.byteLength / 2));
    await looks(8);
    const part = await jobOf(world, job.jobId);
    expect([part.status, part.waiting?.requirement, part.currentStep?.description]).toEqual([
      'WAITING',
      'FileNotClosed',
      'Finalizing media check',
    ]);
    const itemId = dataOf(part, 'itemId')!;
    const fileId = dataOf(part, 'fileId')!;
    expect((await itemOf(world, itemId, importer)).fields).toMatchObject({ mediaType: 'audio' });
    expect((await done(world, ask(`GET /API/file/${fileId}`)))['state']).toBe('OPEN');

    world.from.put('in.wav', whole);
    await close(fileId);
    const end = await ended(world, job.jobId);
    expect(end.status, JSON.stringify(end)).toBe('FINISHED');
    const { fields, shape } = await itemOf(world, itemId, importer);
    expect(fields).toMatchObject({ durationSeconds: '2' });
    expect(shape).toHaveLength(1);
  });

  it('growing=true: one without a head is waited for whole, and so is any other file', async () => {
    for (const [path, query] of [
      ['a.txt', '&growing=true'],
      ['b.txt', ''],
    ] as const) {
      const made = await done<{ id: string }>(
        world,
        ask(`POST /API/storage/VX-1/file?path=${path}&state=OPEN`, undefined, admin),
      );
      world.from.put(path, 'hello');
      const job = await start(world, ask(`POST /API/file/${made.id}/import?${query}`));
      await looks(3);
      const { status, waiting, log } = await jobOf(world, job.jobId);
      expect([status, waiting]).toEqual([
        'WAITING',
        { resourceType: 'FILE', resourceId: made.id, requirement: 'FileNotClosed' },
      ]);
      expect(log!.task.map(({ step }) => step)).toEqual([100]);
      await close(made.id);
      expect((await ended(world, job.jobId)).status).toBe('FINISHED');
    }
  });

  it('one that a scan has seen as open is imported at once by its address, like one that no scan has seen', async () => {
    await done(world, ask('POST /API/storage/VX-1/file?path=seen.txt&state=OPEN', undefined, admin));
    for (const path of ['seen.txt', 'unseen.txt']) {
      world.from.put(path, 'hello');
      const { jobId } = await start(world, ask(`POST /API/import?uri=memory:///in/${path}`));
      const before = world.clock.now();
      expect((await ended(world, jobId)).status).toBe('FINISHED');
      expect(world.clock.now() - before).toBeLessThan(10_000);
    }
  });

  it('growing=true: one that is copied is waited for until nobody changes it', async () => {
    world.from.put('c.txt', 'one');
    await ended(world, (await start(world, ask('POST /API/import?uri=memory:///in/c.txt'))).jobId);
    const job = await start(world, ask('POST /API/import?uri=memory:///in/c.txt&growing=true&storageId=VX-2'));
    for (const text of ['one two', 'one two three']) {
      await looks(3);
      expect((await jobOf(world, job.jobId)).waiting?.requirement).toBe('FileNotClosed');
      expect(world.to.files.size).toBe(0);
      world.from.put('c.txt', text);
    }
    const end = await ended(world, job.jobId);
    expect(end.status, JSON.stringify(end)).toBe('FINISHED');
    expect(textAt(world.to, [...world.to.files.keys()][0]!)).toBe('one two three');
  });

  it('the rule of a storage imports it once, when it is closed', async () => {
    await done(world, { ...ask('PUT /API/storage/VX-2/auto-import', '{"tag":[]}', admin), headers: json });
    const jobs = async () =>
      (await rowsOf(world, 'job')).filter(({ type, user }) => type === 'AUTO_IMPORT' && user === null);
    const made = await done<{ id: string }>(
      world,
      ask('POST /API/storage/VX-2/file?path=d.txt&state=OPEN', undefined, admin),
    );
    world.to.put('d.txt', 'd');
    await looks(4);
    expect(await jobs()).toEqual([]);
    await close(made.id);
    await looks(4);
    expect(await jobs()).toHaveLength(1);
    const end = await ended(world, String((await jobs())[0]!['id']));
    expect([end.status, end.user]).toEqual(['FINISHED', undefined]);
    const item = `GET /API/item/${dataOf(end, 'itemId')}`;
    expect((await world.send(ask(item))).status).toBe(403);
    expect(await done(world, ask(`${item}/access`, undefined, admin))).toMatchObject({
      access: [{ permission: 'OWNER', user: 'system' }],
    });
  });

  it('no rule imports what a component has, or what lies on a storage that shows none or whose rule is off', async () => {
    await done(world, { ...ask('PUT /API/storage/VX-2/auto-import', '{"tag":[]}', admin), headers: json });
    const jobs = async () => (await rowsOf(world, 'job')).filter(({ type }) => type === 'AUTO_IMPORT').length;
    const before = await jobs();
    const closed = async (path: string) => {
      world.to.put(path, path);
      await done(world, ask(`POST /API/storage/VX-2/file?path=${path}&state=CLOSED`, undefined, admin));
      await looks(4);
      return (await jobs()) - before;
    };
    const storage = (showImportables: boolean) =>
      done(world, { ...ask('PUT /API/storage/VX-2', JSON.stringify({ showImportables }), admin), headers: json });
    await storage(false);
    expect(await closed('hidden')).toBe(0);
    await storage(true);
    await done(world, ask('PUT /API/storage/VX-2/auto-import/disable', undefined, admin));
    expect(await closed('off')).toBe(0);
    await done(world, ask('PUT /API/storage/VX-2/auto-import/enable', undefined, admin));
    expect(await closed('on')).toBe(1);
    await looks(4);
    const { id } = (await rowsOf(world, 'file')).find(({ path }) => path === 'on')!;
    for (const state of ['OPEN', 'CLOSED'])
      await done(world, ask(`PUT /API/file/${id}/state/${state}`, undefined, admin));
    await looks(4);
    expect((await jobs()) - before).toBe(1);
  });
});
