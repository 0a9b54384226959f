import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { storageError } from '../../../src/kit/testing/storage/memory-storage.ts';
import type { StorageDriver, StorageScheme } from '../../../src/spi/index.ts';
import { createSweep } from '../../../src/storage/bytes/publishing/sweep.ts';
import { DriverError } from '../../../src/storage/drivers.ts';
import { describeMatrix, openWorld } from '../../support/matrix.ts';
import { bodyOf, rowsOf, textAt } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { type RoomWorld, worldOf } from '../../support/world.ts';
import { sqlIn, upload } from './support.ts';

const hello = 'hello world';
const sha1 = '2aae6c35c94fcfb415dbe95f408b9ce91ee846ed';

/** Wrapper of the publication of bytes, one call after the other. */
type Around = (publish: () => Promise<unknown>, call: number) => Promise<unknown> | undefined;

interface Meddling {
  around: Around;
  /** Before bytes are removed. */
  removing?: () => Promise<unknown>;
}

/** A storage whose publications meet something else. */
function meddled() {
  const meddling: Meddling = { around: () => undefined };
  let calls = 0;
  const scheme = (inner: StorageScheme): StorageScheme => ({
    ...inner,
    open(address) {
      const driver = inner.open(address);
      const publish: StorageDriver['publish'] = async (...given) => {
        const plain = () => driver.publish!(...given);
        const meddled = await meddling.around(plain, ++calls);
        return (meddled ?? (await plain())) as Awaited<ReturnType<typeof plain>>;
      };
      const remove: NonNullable<StorageDriver['remove']> = async (path) => {
        await meddling.removing?.();
        return driver.remove!(path);
      };
      return { ...driver, publish, remove };
    },
  });
  return { meddling, scheme };
}

const insertFile = (id: string, state: string) =>
  sqlIn(`INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, changed_at, timestamp, version)
    VALUES ('${id}', 99, 'VX-1', 'a', '', 'a', '', '${state}', 0, 0, 1)`);

const insertPublication = (world: RoomWorld, given: { token: string; mode: string; at?: number; file?: string }) =>
  world.service.store.commit(
    {
      changes: [
        {
          sql: `INSERT INTO publication (id, token, transfer_id, method_id, storage_id, path, file_id, mode, state, size, hash,
              actor, at, instance, lease_until)
            VALUES ('p', ?1, NULL, 'VX-1', 'VX-1', 'a', ?2, ?3, 'CLOSED', 11, ?4, '{"user":"ingest"}', ?5, 'other', ?5)`,
          args: [given.token, given.file ?? 'VX-50', given.mode, sha1, given.at ?? world.clock.now()],
        },
      ],
      events: [],
    },
    { user: 'test' },
  );

const stage = ({ from: place, clock }: RoomWorld, token: string, text: string) =>
  place.staged.set(token, { bytes: new TextEncoder().encode(text), at: clock.now() });

describeMatrix('bytes that get their path', (entry) => {
  it('are those of the row that a scan was faster with', async () => {
    const { meddling, scheme } = meddled();
    const world = await worldOf('uploads', { scheme }, entry.open);
    meddling.around = async (publish) => {
      const stored = await publish();
      await insertFile('VX-99', 'OPEN')(world);
      return stored;
    };
    const before = (await world.events()).length;
    const answer = await world.send(upload('a', hello));
    expect([answer.status, bodyOf(answer)['id'], bodyOf(answer)['state']]).toEqual([200, 'VX-99', 'CLOSED']);
    const told = (await world.events()).slice(before).map(({ name, entity }) => `${name} ${entity}`);
    expect(told).toEqual(['file/close VX-99', 'file/hash VX-99']);
    expect(await rowsOf(world, 'file')).toHaveLength(1);
  });

  it('are published by work where the storage did not answer, in the name of who sent them', async () => {
    const { meddling, scheme } = meddled();
    const world = await worldOf('uploads', { scheme }, entry.open);
    meddling.around = async (_publish, call) => {
      if (call === 1) throw storageError('offline', 'Unplugged');
      return undefined;
    };
    const answer = await world.send(upload('a', hello));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect([world.from.files.size, (await rowsOf(world, 'publication')).length]).toEqual([0, 1]);
    const meanwhile = await world.send(upload('a', 'other'));
    expect([meanwhile.status, meanwhile.headers.get('portico-error')]).toEqual([409, 'file-exists']);
    await world.clock.advance(16_000);
    await world.service.tick();
    expect([textAt(world.from, 'a'), (await rowsOf(world, 'file'))[0]!['state']]).toEqual([hello, 'CLOSED']);
    expect((await world.events()).filter(({ name }) => name === 'file/new').map(({ user }) => user)).toEqual([
      'uploader',
    ]);
    expect([await rowsOf(world, 'publication'), world.from.staged.size]).toEqual([[], 0]);
  });

  it('are published once where the storage did it and its answer was lost', async () => {
    const { meddling, scheme } = meddled();
    const world = await worldOf('uploads', { scheme }, entry.open);
    meddling.around = async (publish, call) => {
      if (call > 1) return undefined;
      await publish();
      throw storageError('failed', 'The answer was lost');
    };
    expect((await world.send(upload('a', hello))).status).toBe(503);
    await world.clock.advance(16_000);
    await world.service.tick();
    expect([textAt(world.from, 'a'), (await rowsOf(world, 'file'))[0]!['hash']]).toEqual([hello, sha1]);
  });

  it('are left where they are when their storage is deleted meanwhile', async () => {
    const { meddling, scheme } = meddled();
    const world = await worldOf('uploads', { scheme }, entry.open);
    meddling.around = async (publish) => {
      const stored = await publish();
      await sqlIn('UPDATE storage SET deleted_at = 1')(world);
      return stored;
    };
    const answer = await world.send(upload('a', hello));
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([404, 'no-such-entity']);
    expect([await rowsOf(world, 'publication'), await rowsOf(world, 'file'), textAt(world.from, 'a')]).toEqual([
      [],
      [],
      hello,
    ]);
  });

  it('fire no event if the file was deleted meanwhile', async () => {
    const { meddling, scheme } = meddled();
    const world = await worldOf('uploads', { scheme }, entry.open);
    await world.send(upload('a', 'old'));
    meddling.around = async (publish) => {
      const stored = await publish();
      await sqlIn(`UPDATE file SET state = 'TO_BE_DELETED'`)(world);
      return stored;
    };
    const answer = await world.send(upload('a', hello, { request: 'POST /API/file/VX-1/data' }));
    expect([answer.status, await rowsOf(world, 'publication')]).toEqual([404, []]);
  });

  it('are no import of a request whose lease is over, where its own instance removes them', async () => {
    const { meddling, scheme } = meddled();
    const world = await worldOf('uploads', { scheme }, entry.open);
    let answers = () => {};
    const isUndone = new Promise<void>((resolve) => {
      answers = resolve;
    });
    let working: Promise<unknown> | undefined;
    meddling.around = async (publish, call) => {
      if (call > 1) return undefined;
      const stored = await publish();
      await sqlIn('UPDATE publication SET lease_until = 0')(world);
      working = world.service.tick();
      await isUndone;
      return stored;
    };
    const answer = world.send(upload('a', hello, { as: admin, request: 'POST /API/import/raw?storageId=VX-1' }));
    meddling.removing = async () => {
      answers();
      await answer;
    };
    expect([(await answer).status, (await answer).headers.get('portico-error')]).toEqual([409, 'changed-meanwhile']);
    await working;
    expect([world.from.files.size, await rowsOf(world, 'file'), await rowsOf(world, 'job')]).toEqual([0, [], []]);
    expect(await rowsOf(world, 'publication')).toEqual([]);
  });

  it('are told of once where its own instance publishes them after the lease of the request', async () => {
    const { meddling, scheme } = meddled();
    const world = await worldOf('uploads', { scheme }, entry.open);
    let goesOn = () => {};
    const isTaken = new Promise<void>((resolve) => {
      goesOn = resolve;
    });
    let working: Promise<unknown> | undefined;
    meddling.around = async (publish, call) => {
      if (call > 1) {
        goesOn();
        await answer;
        return undefined;
      }
      const stored = await publish();
      await sqlIn('UPDATE publication SET lease_until = 0')(world);
      working = world.service.tick();
      await isTaken;
      return stored;
    };
    const answer = world.send(upload('a', hello));
    expect((await answer).status).toBe(200);
    await working;
    expect((await world.events()).filter(({ name }) => name === 'file/new')).toHaveLength(1);
    expect([textAt(world.from, 'a'), await rowsOf(world, 'publication')]).toEqual([hello, []]);
  });

  it('tell their events once when the row changes at the same moment', async () => {
    const { meddling, scheme } = meddled();
    const world = await worldOf('uploads', { scheme }, entry.open);
    await world.send(upload('a', 'old'));
    meddling.around = async (publish) => {
      const stored = await publish();
      await sqlIn('UPDATE file SET timestamp = 5, version = version + 1')(world);
      return stored;
    };
    const before = (await world.events()).length;
    expect((await world.send(upload('a', hello, { request: 'POST /API/file/VX-1/data' }))).status).toBe(200);
    expect((await world.events()).slice(before).map(({ name }) => name)).toEqual([
      'file/change',
      'file/close',
      'file/hash',
    ]);
  });

  it('have one publication at a time: of two that replace a file at once, none is lost', async () => {
    const { meddling, scheme } = meddled();
    const world = await worldOf('uploads', { scheme }, entry.open);
    await world.send(upload('a', 'old'));
    let go = () => {};
    const waiting = new Promise<void>((resolve) => {
      go = resolve;
    });
    meddling.around = async (_publish, call) => {
      if (call === 2) await waiting;
      return undefined;
    };
    const replace = (text: string) => upload('a', text, { request: 'POST /API/file/VX-1/data' });
    const first = world.send(replace('first'));
    await expect.poll(async () => (await rowsOf(world, 'publication')).length).toBe(1);
    const second = await world.send(replace('second'));
    expect([second.status, second.headers.get('portico-error')]).toEqual([409, 'changed-meanwhile']);
    go();
    expect([(await first).status, textAt(world.from, 'a')]).toEqual([200, 'first']);
    expect((await world.send(replace('second'))).status).toBe(200);
    expect([textAt(world.from, 'a'), world.from.staged.size]).toEqual(['second', 0]);
  });
});

describeMatrix('what another instance left', (entry) => {
  it('is finished when its lease is over, and not before', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    stage(world, 'left', hello);
    await insertPublication(world, { token: 'left', mode: 'create', at: world.clock.now() + 60_000 });
    await world.service.tick();
    expect(world.from.files.size).toBe(0);
    await world.clock.advance(60_001);
    await world.service.tick();
    expect([textAt(world.from, 'a'), await rowsOf(world, 'publication')]).toEqual([hello, []]);
    expect((await rowsOf(world, 'file'))[0]).toMatchObject({ id: 'VX-50', state: 'CLOSED', hash: sha1, size: 11 });
    expect((await world.events()).filter(({ name }) => name === 'file/new')).toMatchObject([{ user: 'ingest' }]);
  });

  it('is undone where somebody else has the path by now', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    stage(world, 'left', hello);
    world.from.put('a', 'foreign');
    await insertPublication(world, { token: 'left', mode: 'create' });
    await world.service.tick();
    expect([textAt(world.from, 'a'), world.from.staged.size]).toEqual(['foreign', 0]);
    expect([await rowsOf(world, 'publication'), await rowsOf(world, 'file')]).toEqual([[], []]);
  });

  it('is hashed anew where the file is not the one that was published', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    world.from.put('a', 'changed by somebody else');
    await insertPublication(world, { token: 'gone', mode: 'create' });
    await world.service.tick();
    expect((await rowsOf(world, 'file'))[0]).toMatchObject({
      state: 'CLOSED',
      size: 24,
      hash: createHash('sha1').update('changed by somebody else').digest('hex'),
      hash_due: null,
    });
  });

  it('is tried again while the storage is out of reach, and given up in the end', async () => {
    const world = await worldOf('uploads', { settings: { transferIdleHours: 1 } }, entry.open);
    stage(world, 'left', hello);
    await insertPublication(world, { token: 'left', mode: 'create' });
    world.from.offline = 'Unplugged';
    await world.service.tick();
    expect(await rowsOf(world, 'publication')).toHaveLength(1);
    await world.clock.advance(3_700_000);
    await world.service.tick();
    expect(await rowsOf(world, 'publication')).toEqual([]);
    world.from.offline = undefined;
    await world.clock.advance(3_700_000);
    await world.service.tick();
    expect(world.from.staged.size).toBe(0);
  });

  it('is given up where its method was deleted', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await insertPublication(world, { token: 'left', mode: 'create' });
    await sqlIn('DELETE FROM storage_method')(world);
    await world.service.tick();
    expect([await rowsOf(world, 'publication'), await rowsOf(world, 'file')]).toEqual([[], []]);
  });

  it('of another mode is not touched: who wrote it finishes it', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await insertPublication(world, { token: 'left', mode: 'another', at: 0 });
    await world.service.tick();
    expect(await rowsOf(world, 'publication')).toHaveLength(1);
    const answer = await world.send(upload('a', hello));
    expect([answer.status, world.from.staged.size]).toEqual([409, 0]);
  });
});

it('tells once, in one line, that a storage cannot be swept, and again after it worked meanwhile', async () => {
  const world = await openWorld('fetch');
  const body = { method: [{ uri: 'file:///etc/', read: true, write: true, browse: true }] };
  const made = await world.send({ as: admin, request: 'POST /API/storage', body });
  expect(made.status).toBe(200);
  const lines: (readonly [event: string, fields: object])[] = [];
  let isOpen = false;
  const driver = { staged: async () => [] };
  const { all } = createSweep({
    store: world.service.store,
    clock: world.clock,
    log: { writes: () => true, write: (_level, event, fields = {}) => void lines.push([event, fields]) },
    places: {
      of: async () => {
        if (!isOpen) throw new DriverError('offline', 'Expected a folder below those of a setting: "/etc"');
        return driver;
      },
    } as never,
  });
  await all(0);
  await all(0);
  const error = 'Expected a folder below those of a setting: "/etc"';
  const line = ['sweep-failed', { storage: 'VX-1', method: 'VX-1', error }];
  expect(lines).toEqual([line]);
  isOpen = true;
  await all(0);
  isOpen = false;
  await all(0);
  expect(lines).toEqual([line, line]);
});
