import { expect, it } from 'vitest';
import { machine, newRunner, openRunners, otherMachine, put, source } from '../extensions/runners/support.ts';
import { newUser } from '../support/cast.ts';
import { ended, type JobSeen } from '../support/files.ts';
import { setPreset, withOriginal } from '../support/media.ts';
import { ask, done } from '../support/requests.ts';
import { prepare } from '../support/scenario.ts';
import { newKey } from '../support/ways.ts';
import { everyRoute, filled, nameOf } from './roles/routes.ts';

it('a stolen token of a runner opens no route but those of runners', async () => {
  const world = await openRunners();
  const key = await newKey(world, machine[0]);
  const opened: string[] = [];
  for (const route of everyRoute) {
    const { needs } = route.access;
    if (needs.role === 'nothing' || nameOf(route).startsWith('GET /APInoauth')) continue;
    const answer = await world.send({ as: key.pair, request: `${route.method} /API${filled(route.path)}` });
    const code = answer.headers.get('portico-error');
    if (answer.status !== 403 || (code !== 'not-allowed' && code !== 'role-missing')) opened.push(nameOf(route));
  }
  expect(opened.filter((name) => !/ \/runner(\/|$)/.test(name))).toEqual([]);
  expect(opened.length).toBeGreaterThan(0);
});

it('a runner neither sees nor ends the task of another, and its answers name no item, path, storage or secret', async () => {
  const world = await openRunners();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const [one, two] = [await newRunner(world), await newRunner(world, 'two', [], otherMachine)];
  const { jobId } = await done<JobSeen>(world, ask('POST /API/item/VX-100/transcode?tag=lowres&storageId=VX-2'));
  await world.service.tick();
  const task = await one.task();
  const theirs = [await two.renew(task), await two.done(task), await two.failed(task, {}), await two.giveBack(task)];
  expect(theirs.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  const stolen = await world.send({ as: otherMachine, request: `POST /API/runner/${one.id}/claim` });
  expect(stolen.status).toBe(404);
  const media = await source(world, task);
  const answers = [
    JSON.stringify(task),
    (await one.renew(task, 3)).body,
    JSON.stringify([...media.headers]),
    (await world.send({ request: `PUT ${task.target}`, body: 'x' })).body,
  ].join('\n');
  for (const hidden of ['VX-1', 'VX-2', jobId, 'clip', 'memory:', 'lowres', 'password']) {
    expect(answers).not.toContain(hidden);
  }
  await one.failed(task, { kind: 'broken', message: 'x' });
  await ended(world, jobId);
});

it('an address of a task with another claim, way, end or signature is refused, and ends', async () => {
  const world = await openRunners();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const runner = await newRunner(world);
  const { jobId } = await done<JobSeen>(world, ask('POST /API/item/VX-100/transcode?tag=lowres&storageId=VX-2'));
  await world.service.tick();
  const task = await runner.task();
  const forged = [
    task.source.replace(task.id, `${task.id}x`),
    task.source.replace(/expires=\d+/, 'expires=9000000000'),
    task.source.replace(/signature=./, 'signature=_'),
    task.target!.replace('/target', '/source'),
    task.source.replace(/\?.*/, ''),
  ];
  for (const address of forged) expect((await world.send({ request: `GET ${address}` })).status).toBe(403);
  for (let passed = 0; passed < 15 * 60_000; passed += 30_000) {
    await world.clock.advance(30_000);
    expect((await runner.renew(task)).status).toBe(200);
  }
  expect((await source(world, task)).status).toBe(403);
  expect((await put(world, task, new Uint8Array(3))).status).toBe(403);
  await runner.failed(task, { kind: 'broken', message: 'x' });
  await ended(world, jobId);
});

it('who may write groups without being an administrator makes no runner', async () => {
  const world = await openRunners();
  await prepare(world, [newUser(['clerk', 'p'], ['_group_write'])]);
  const body = { parentGroupList: { group: [{ groupName: '_runner' }] }, userList: { user: [{ userName: 'clerk' }] } };
  const answer = await world.send({ as: ['clerk', 'p'], request: 'PUT /API/group/sly', body });
  expect(answer.status).toBe(403);
});
