import { beforeAll, describe, expect, it } from 'vitest';
import { beginServiceJob } from '../../src/room/jobs/contract.ts';
import { describeJob } from '../../src/room/jobs/memo.ts';
import { newUser } from '../support/cast.ts';
import type { JobSeen } from '../support/files.ts';
import { asking, done, rowsOf, sqlIn } from '../support/requests.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { dataOf, explained, sent } from '../support/transfers.ts';
import { importer, outsider, type RoomWorld, sharedWorld } from '../support/world.ts';

const ask = asking(importer);

const keeper: Credentials = ['keeper', 'password of keeper'];
const chief: Credentials = ['chief', 'password of chief'];
const rule = '/API/storage/VX-2/auto-import';
const json = { accept: 'application/json', 'content-type': 'application/json' };
const data = (key: string, value = 'forged') => ({ jobmetadata: { field: [{ key, value }] } });

const shared = sharedWorld('imports');
let world: RoomWorld;
beforeAll(async () => {
  world = shared();
  await prepare(world, [
    newUser(keeper, ['_storage_read', '_storage_write']),
    newUser(chief, ['_storage_read', '_storage_write', '_job_write']),
  ]);
});

const set = (document: object, as: Credentials) =>
  world.send({ ...ask(`PUT ${rule}`, JSON.stringify(document), as), headers: json });

/** Changes a rule as an older release or another program might have stored it. */
const store = (document: object) =>
  sqlIn(world, 'UPDATE auto_import_rule SET document = ?, enabled = 1', JSON.stringify(document));

let files = 0;
async function imported(): Promise<(JobSeen & { readonly priority: string }) | undefined> {
  const path = `in/file${files++}.txt`;
  const before = await rowsOf(world, 'job');
  await done(world, sent(`POST /API/storage/VX-2/file/data?path=${path}`, path));
  for (let round = 0; round < 4; round++) await world.service.tick();
  const job = (await rowsOf(world, 'job')).slice(before.length).find(({ type }) => type === 'AUTO_IMPORT');
  return job && done(world, ask(`GET /API/job/${job['id']}`, undefined, admin));
}

describe('a holder of _storage_write forges no data of jobs by an auto-import rule', () => {
  it.each(['user', 'itemId', 'item', 'status', 'username', 'fileId', 'errorMessage-100-1-0'])('%s', async (key) => {
    const answer = await set(data(key), keeper);
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([400, 'bad-value']);
    expect(answer.body).toContain('/AutoImportRuleDocument/jobmetadata/field');
    expect(explained(answer)).toContain(key);
    expect(await rowsOf(world, 'auto_import_rule')).toEqual([]);
  });

  it('and a stored rule with such a key starts no job', async () => {
    expect((await set(data('desk', 'night'), keeper)).status).toBe(200);
    expect(dataOf((await imported())!, 'desk')).toBe('night');
    await store(data('user', 'admin'));
    expect(await imported()).toBeUndefined();
    expect((await rowsOf(world, 'auto_import_due')).map(({ due }) => Number(due) > world.clock.now())).toEqual([true]);
    await sqlIn(world, 'DELETE FROM auto_import_due');
  });

  it('since no start of a job by the service takes a reserved key', async () => {
    const context = {
      store: { nextId: async () => 'VX-1' },
      clock: world.clock,
      services: { startJob: () => never() },
    };
    const never = (): never => {
      throw new Error('Expected no start');
    };
    const job = { job: describeJob('QUICK', { memo: {}, tells: ['place'] }), memo: {} };
    for (const key of ['user', 'place'])
      await expect(beginServiceJob(context, job, { data: [[key, 'forged']] })).rejects.toThrow('bad-parameter');
  });
});

describe('an auto-import rule is urgent only by the role _job_write', () => {
  it.each(['IMMEDIATE', 'highest'])('%s is refused to a holder of _storage_write alone', async (priority) => {
    const answer = await set({ priority }, keeper);
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([403, 'role-missing']);
    expect(answer.body).toContain('_job_write');
  });

  it('a holder of the role sets it, and its jobs are urgent', async () => {
    expect((await set({ priority: 'HIGHEST' }, chief)).status).toBe(200);
    expect((await imported())?.priority).toBe('HIGHEST');
  });

  it('jobs of a stored rule are not urgent once its author lost the role', async () => {
    await done(world, ask('DELETE /API/group/_job_write/user/chief', undefined, admin));
    expect((await imported())?.priority).toBe('HIGH');
  });

  it('nor by the role of somebody who only switches the rule on', async () => {
    await set({ priority: 'HIGH' }, keeper);
    await store({ priority: 'IMMEDIATE' });
    await done(world, ask(`PUT ${rule}/enable`, undefined, admin));
    expect((await imported())?.priority).toBe('HIGH');
  });
});

it('a forged item in the data of a job gives nobody the file that the job imports', async () => {
  const own = await done<{ id: string }>(world, ask('POST /API/import/placeholder', undefined, outsider));
  await done(world, sent('POST /API/import/raw?filename=up.txt&storageId=VX-1&holdJob=true', 'a secret', {}, importer));
  const file = (await rowsOf(world, 'file')).at(-1)!['id'];
  const job = String((await rowsOf(world, 'job')).at(-1)!['id']);
  await sqlIn(world, `INSERT INTO job_datum (job_id, key, value) VALUES (?, 'itemId', ?)`, job, own.id);
  const answer = await world.send(ask(`POST /API/storage/file/${file}/import?allowReimport=true`, undefined, outsider));
  expect([answer.status, answer.headers.get('portico-error')]).toEqual([403, 'not-allowed']);
});
