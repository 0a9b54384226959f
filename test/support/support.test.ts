import { describe, expect, it, onTestFinished } from 'vitest';
import { alice, newUser } from './cast.ts';
import { testClock } from './clock.ts';
import { describeMatrix, openWorld } from './matrix.ts';
import { dice, testRandom } from './random.ts';
import { parseAnswer } from './raw.ts';
import { openReceiver } from './receiver.ts';
import { playScenario, type Scenario } from './scenario.ts';
import { admin, openService } from './service.ts';

const created: Scenario = {
  ...newUser(alice, ['_user_read']),
  name: 'creates a user',
  status: 200,
  events: [
    ['user/create', 'alice', { user: 'alice' }],
    ['group/modify', '_user_read', { mode: 'ADD', affectedUser: 'alice' }],
  ],
};

describeMatrix('a scenario row', (entry) => {
  it('holds when everything that follows is named', async () => {
    await playScenario(await entry.open(), created);
  });

  const wrong: readonly (readonly [string, Partial<Scenario>])[] = [
    ['forgets an event', { events: created.events!.slice(0, 1) }],
    ['names no event at all', { events: [] }],
    ['names one event too many', { events: [...created.events!, ['user/create', 'bob']] }],
    ['expects another payload', { events: [['user/create', 'alice', { user: 'bob' }], created.events![1]!] }],
    ['expects another status', { status: 201 }],
    ['expects a header that is missing', { answers: { 'retry-after': '1' } }],
    ['expects another body', { says: { contains: ['something'] } }],
    ['has a precondition that fails', { given: [{ request: 'GET /API/user', as: alice }] }],
  ];
  for (const [what, part] of wrong) {
    it(`fails when it ${what}`, async () => {
      await expect(playScenario(await entry.open(), { ...created, ...part })).rejects.toThrow();
    });
  }
});

describe('a test service', () => {
  it('fails its test when the log has an error that was not expected', async () => {
    const world = await openService();
    world.service.log.write('error', 'broken');
    await expect(world.close()).rejects.toThrow('Error lines in the log');
  });

  it('does not mind an error that was expected', async () => {
    const world = await openService();
    world.expectErrors('broken');
    world.service.log.write('error', 'broken');
    await world.close();
  });

  it('keeps the same promises behind a socket and without one', async () => {
    for (const name of ['fetch', 'socket'] as const) {
      const world = await openWorld(name);
      expect(await world.send({ as: admin, request: 'GET /API/whoami' })).toMatchObject({ status: 200, body: 'admin' });
    }
  });
});

describe('testClock', () => {
  it('wakes sleepers in the order of their times, each at its time', async () => {
    const clock = testClock(0);
    const woken: string[] = [];
    void clock.sleep(20).then(() => woken.push(`second at ${clock.now()}`));
    void clock.sleep(10).then(() => woken.push(`first at ${clock.now()}`));
    await clock.advance(15);
    expect([woken, clock.sleepers, clock.now()]).toEqual([['first at 10'], 1, 15]);
    await clock.advance(5);
    expect([woken, clock.sleepers]).toEqual([['first at 10', 'second at 20'], 0]);
  });

  it('lets a sleeper be called off', async () => {
    const clock = testClock(0);
    const abort = new AbortController();
    const slept = clock.sleep(10, abort.signal);
    abort.abort(new Error('called off'));
    await expect(slept).rejects.toThrow('called off');
    expect(clock.sleepers).toBe(0);
  });
});

describe('dice', () => {
  it('gives the same numbers for the same seed, and others for another', () => {
    const draw = (seed: number) => [...testRandom(seed).bytes(16)];
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(dice(7)(1)).toBe(0);
  });
});

describe('openReceiver', () => {
  it('records requests and answers by script, then 200', async () => {
    const receiver = await openReceiver();
    onTestFinished(() => receiver.close());
    receiver.script({ status: 503, headers: { 'retry-after': '7' }, body: 'later' }, { breaks: true });
    const post = () =>
      fetch(`${receiver.address}/hook?a=b`, { method: 'POST', body: 'told', headers: { 'x-key': '1' } });
    const first = await post();
    expect([first.status, first.headers.get('retry-after'), await first.text()]).toEqual([503, '7', 'later']);
    await expect(post()).rejects.toThrow();
    expect((await post()).status).toBe(200);
    await receiver.until(3);
    expect(receiver.received).toHaveLength(3);
    expect(receiver.received[0]).toMatchObject({ method: 'POST', target: '/hook?a=b', body: 'told' });
    expect(receiver.received[0]!.headers['x-key']).toBe('1');
  });

  it('holds an answer back for as long as the test likes', async () => {
    const receiver = await openReceiver();
    onTestFinished(() => receiver.close());
    let answer = () => {};
    receiver.script({
      after: new Promise<void>((resolve) => {
        answer = resolve;
      }),
    });
    let answered = false;
    const asked = fetch(receiver.address).then(() => {
      answered = true;
    });
    await receiver.until(1);
    expect(answered).toBe(false);
    answer();
    await asked;
    expect(answered).toBe(true);
  });
});

describe('parseAnswer', () => {
  it('puts a chunked body together', () => {
    const text =
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: 1\r\nA: 2\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n';
    const answer = parseAnswer(text);
    expect([answer.status, answer.body, answer.headers.get('a')]).toEqual([200, 'abcde', '1, 2']);
  });

  it('gives status 0 where nothing came', () => {
    expect(parseAnswer('').status).toBe(0);
  });
});
