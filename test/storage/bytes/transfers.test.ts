import { expect, it } from 'vitest';
import { describeMatrix } from '../../support/matrix.ts';
import { bodyOf, json, rowsOf, textAt } from '../../support/requests.ts';
import { playScenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { other, uploader, viewer, worldOf } from '../../support/world.ts';
import { type PartOf, part, sqlIn, upload } from './support.ts';

const hour = 3_600_000;
const size = 11;
const first = (path: string, id: string, more: Partial<PartOf> = {}) =>
  part({ path, id, size, index: 0, ...more }, 'hello ');

const get = (path: string, as = uploader) => ({ as, request: `GET /API/transfer${path}`, headers: json });

describeMatrix('what is told of uploads in parts', (entry) => {
  it('the state, the bytes and the file of one, by the word of its client', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(first('a', 'one 2 ö'));
    expect(bodyOf(await world.send(get('/one%202%20%C3%B6')))['name']).toBe('one 2 ö');
    await world.send(first('b', 'mine'));
    await playScenario(world, {
      name: '',
      ...get('/mine'),
      status: 200,
      says: { json: { name: 'mine', state: 'TRANSFERRING', priority: '500', transferred: 6, fileId: 'VX-2' } },
    });
    await world.send(part({ path: 'b', id: 'mine', size, index: 6 }, 'world'));
    expect(bodyOf(await world.send(get('/mine')))).toMatchObject({ state: 'FINISHED', transferred: 11 });
  });

  it('lists those of the caller, the newest first, by state and page', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    for (const name of ['a', 'b', 'c']) {
      await world.send(first(name, name));
      await world.clock.advance(10);
    }
    await world.send(part({ path: 'b', id: 'b', size, index: 6 }, 'world'));
    await world.send({ ...first('d', 'd'), as: other });
    const names = async (query: string, as = uploader) => {
      const { transfer, hits } = bodyOf(await world.send(get(query, as))) as {
        transfer: readonly { name: string }[];
        hits: number;
      };
      return [hits, ...transfer.map(({ name }) => name)];
    };
    expect(await names('')).toEqual([3, 'c', 'b', 'a']);
    expect(await names('?state=TRANSFERRING')).toEqual([2, 'c', 'a']);
    expect(await names('?state=FINISHED,WAITING')).toEqual([1, 'b']);
    expect(await names('?first=2&number=1')).toEqual([3, 'b']);
    expect(await names('', other)).toEqual([1, 'd']);
    expect(await names('', admin)).toEqual([4, 'd', 'c', 'b', 'a']);
    expect((await world.send(get('?state=GONE'))).status).toBe(400);
  });

  it('sets the priority, by either name', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(first('a', 'mine'));
    const put = (query: string) =>
      world.send({ as: uploader, request: `PUT /API/transfer/mine${query}`, headers: json });
    expect(bodyOf(await put('?priority=7'))['priority']).toBe('7');
    expect(bodyOf(await put('?transferPriority=1000'))['priority']).toBe('1000');
    expect((await rowsOf(world, 'transfer'))[0]!['priority']).toBe(1000);
    expect([(await put('')).status, (await put('?priority=0')).status, (await put('?priority=1001')).status]).toEqual([
      400, 400, 400,
    ]);
  });

  it('of another user: nothing, as if there were none', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(first('a', 'mine'));
    for (const as of [other, viewer]) {
      expect((await world.send(get('/mine', as))).status).toBe(404);
      expect((await world.send({ as, request: 'PUT /API/transfer/mine?priority=1' })).status).toBe(404);
    }
    expect((await world.send(get('/mine', admin))).status).toBe(200);
  });
});

describeMatrix('open uploads have limits of each user', (entry) => {
  it('for their number: 429 with the setting', async () => {
    const world = await worldOf('uploads', { settings: { maxTransfers: 2 } }, entry.open);
    for (const name of ['a', 'b']) expect((await world.send(first(name, name))).status).toBe(200);
    const third = await world.send(first('c', 'c'));
    expect([third.status, third.headers.get('portico-error')]).toEqual([429, 'too-many-transfers']);
    expect(third.body).toContain('maxTransfers');
    expect(world.from.staged.size).toBe(2);
    expect((await world.send({ ...first('c', 'c'), as: other })).status).toBe(200);
    await world.send(part({ path: 'a', id: 'a', size, index: 6 }, 'world'));
    expect((await world.send(first('e', 'e'))).status).toBe(200);
  });

  it('for the bytes that they announce together: 429; for one alone: 413', async () => {
    const world = await worldOf('uploads', { settings: { maxTransferBytes: 100 } }, entry.open);
    expect((await world.send(first('a', 'a', { size: 60 }))).status).toBe(200);
    const second = await world.send(first('b', 'b', { size: 41 }));
    expect([second.status, second.headers.get('portico-error')]).toEqual([429, 'too-many-transfers']);
    expect(second.body).toContain('maxTransferBytes');
    const alone = await world.send(first('c', 'c', { size: 101 }));
    expect([alone.status, alone.headers.get('portico-error')]).toEqual([413, 'body-too-large']);
    expect((await world.send(first('b', 'b', { size: 40 }))).status).toBe(200);
    expect(await rowsOf(world, 'transfer')).toHaveLength(2);
  });

  it('by the free space of the disk for announced bytes: 507', async () => {
    const world = await worldOf('uploads', { settings: { minFreeBytes: 10 } }, entry.open);
    world.from.room = 50;
    const answer = await world.send(first('a', 'a', { size: 41 }));
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([507, 'no-space']);
    expect([world.from.staged.size, await rowsOf(world, 'file')]).toEqual([0, []]);
  });
});

describeMatrix('uploads that end without their file', (entry) => {
  it('are ABORTED after hours without a byte, and their bytes and the file go', async () => {
    const world = await worldOf('uploads', { settings: { transferIdleHours: 2 } }, entry.open);
    await world.send(first('a', 'mine'));
    await world.clock.advance(1.9 * hour);
    await world.service.tick();
    expect(bodyOf(await world.send(get('/mine')))['state']).toBe('TRANSFERRING');
    const before = (await world.events()).at(-1)!.sequence;
    await world.clock.advance(0.2 * hour);
    await world.service.tick();
    expect(bodyOf(await world.send(get('/mine')))).toMatchObject({ state: 'ABORTED', transferred: 6 });
    expect(world.from.staged.size).toBe(0);
    expect((await world.events(before)).map(({ name, entity, user }) => [name, entity, user])).toEqual([
      ['file/change', 'VX-1', 'system'],
      ['file/delete', 'VX-1', 'system'],
    ]);
    expect(await rowsOf(world, 'file')).toEqual([]);
    // The path is free, and the name, too.
    expect((await world.send(first('a', 'mine'))).status).toBe(200);
    expect(bodyOf(await world.send(part({ path: 'a', id: 'mine', size, index: 6 }, 'world')))['state']).toBe('CLOSED');
  });

  it('leave a file alone that was uploaded in another way meanwhile', async () => {
    const world = await worldOf('uploads', { settings: { transferIdleHours: 2 } }, entry.open);
    await world.send(first('a', 'mine'));
    expect((await world.send(upload('a', 'other', { request: 'POST /API/file/VX-1/data' }))).status).toBe(200);
    await world.clock.advance(3 * hour);
    await world.service.tick();
    expect((await rowsOf(world, 'transfer'))[0]!['state']).toBe('ABORTED');
    expect([(await rowsOf(world, 'file'))[0]!['state'], textAt(world.from, 'a')]).toEqual(['CLOSED', 'other']);
  });

  it('are forgotten when they ended long ago', async () => {
    const world = await worldOf('uploads', { settings: { transferIdleHours: 2 } }, entry.open);
    await world.send(first('a', 'mine'));
    await world.send(part({ path: 'a', id: 'mine', size, index: 6 }, 'world'));
    await world.clock.advance(3 * hour);
    await world.service.tick();
    expect(await rowsOf(world, 'transfer')).toEqual([]);
    expect(textAt(world.from, 'a')).toBe('hello world');
  });

  it('with their user: nobody can go on with them', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(first('a', 'mine'));
    const gone = await world.send({ as: admin, request: 'DELETE /API/user/uploader?hard=true', headers: json });
    expect(gone.status).toBeLessThan(300);
    await world.service.tick();
    await world.clock.advance(61_000);
    await world.service.tick();
    const [row] = await rowsOf(world, 'transfer');
    expect([row!['state'], row!['token'], world.from.staged.size]).toEqual(['ABORTED', '', 0]);
  });

  it('on a storage that cannot be reached just then: its bytes go when it is back', async () => {
    const world = await worldOf('uploads', { settings: { transferIdleHours: 2 } }, entry.open);
    await world.send(first('a', 'mine'));
    world.from.offline = 'Unplugged';
    await world.clock.advance(3 * hour);
    await world.service.tick();
    expect([(await rowsOf(world, 'transfer'))[0]!['state'], world.from.staged.size]).toEqual(['ABORTED', 1]);
    world.from.offline = undefined;
    await world.clock.advance(61_000);
    await world.service.tick();
    expect(world.from.staged.size).toBe(0);
  });

  it('on a method that was deleted: they end, and nobody is asked', async () => {
    const world = await worldOf('uploads', { settings: { transferIdleHours: 2 } }, entry.open);
    await world.send(first('a', 'mine'));
    await sqlIn('DELETE FROM storage_method')(world);
    const answer = await world.send(part({ path: 'a', id: 'mine', size, index: 6 }, 'world'));
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([400, 'storage-unable']);
    await world.clock.advance(3 * hour);
    await world.service.tick();
    expect((await rowsOf(world, 'transfer'))[0]).toMatchObject({ state: 'ABORTED', token: '' });
  });
});

describeMatrix('staged bytes that no row names', (entry) => {
  it('are discarded after an hour, and those of open uploads never', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(first('a', 'mine'));
    world.from.staged.set('stray', { bytes: new Uint8Array(3), at: world.clock.now() });
    await world.clock.advance(0.9 * hour);
    await world.service.tick();
    expect(world.from.staged.has('stray')).toBe(true);
    await world.clock.advance(0.3 * hour);
    await world.service.tick();
    expect([world.from.staged.has('stray'), world.from.staged.size]).toEqual([false, 1]);
    expect(bodyOf(await world.send(part({ path: 'a', id: 'mine', size, index: 6 }, 'world')))['state']).toBe('CLOSED');
  });
});
