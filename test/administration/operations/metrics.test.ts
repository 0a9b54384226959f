import { expect, it } from 'vitest';
import { people } from '../../support/cast.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The text exposition format 0.0.4, as strictly as its description. */
function parseExposition(text: string): { samples: Sample[]; types: Map<string, string> } {
  expect(text.endsWith('\n')).toBe(true);
  const samples: Sample[] = [];
  const types = new Map<string, string>();
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line);
    if (comment) {
      if (comment[1] === 'TYPE') types.set(comment[2]!, comment[3]!);
      continue;
    }
    const sample = /^([a-zA-Z_:][\w:]*)(?:\{((?:\w+="(?:[^"\\]|\\.)*",?)*)\})? (\S+)$/.exec(line);
    expect(sample, line).not.toBeNull();
    const labels = Object.fromEntries(
      [...(sample![2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map((l) => [l[1], l[2]]),
    );
    const value = Number(sample![3]);
    expect(Number.isNaN(value), line).toBe(false);
    samples.push({ name: sample![1]!, labels, value });
  }
  for (const { name } of samples) {
    const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    expect(types.has(family), name).toBe(true);
  }
  return { samples, types };
}

describeMatrix('metrics', (entry) => {
  it('count requests, refusals by reason and password checks, in a form that a scraper reads', async () => {
    const world = await entry.open();
    await prepare(world, people);
    await world.send({ request: 'GET /API/whoami' });
    await world.send({ as: ['admin', 'wrong'], request: 'GET /API/whoami' });
    await world.send({ as: ['ghost', 'wrong'], request: 'GET /API/whoami' });
    await world.send({ as: admin, request: 'PROPFIND /API/whoami' });
    const answer = await world.send({ as: admin, request: 'GET /metrics' });
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const { samples, types } = parseExposition(answer.body);
    const sampleOf = (name: string, labels: Record<string, string>) =>
      samples.find((s) => s.name === name && JSON.stringify(s.labels) === JSON.stringify(labels))?.value;
    expect(sampleOf('portico_requests_total', { method: 'GET', status: '401' })).toBe(3);
    expect(sampleOf('portico_requests_total', { method: 'other', status: '405' })).toBe(1);
    for (const reason of ['credentials-missing', 'wrong-password', 'unknown-user', 'method-not-allowed']) {
      expect([reason, sampleOf('portico_refusals_total', { reason })]).toEqual([reason, 1]);
    }
    expect(sampleOf('portico_password_checks_total', { outcome: 'refused' })).toBe(2);
    expect(sampleOf('portico_password_queue', {})).toBe(0);
    expect(types.get('portico_request_seconds')).toBe('histogram');
  });

  it('have a histogram whose buckets grow and end with the count', async () => {
    const world = await entry.open();
    for (let i = 0; i < 5; i++) await world.send({ request: 'GET /health/live' });
    const { samples } = parseExposition((await world.send({ as: admin, request: 'GET /metrics' })).body);
    const buckets = samples.filter(({ name }) => name === 'portico_request_seconds_bucket');
    const count = samples.find(({ name }) => name === 'portico_request_seconds_count')!.value;
    expect(buckets.map(({ value }) => value)).toEqual(buckets.map(({ value }) => value).toSorted((a, b) => a - b));
    expect(buckets.at(-1)).toMatchObject({ labels: { le: '+Inf' }, value: count });
    expect(count).toBe(5);
  });

  it('grow by no more series than there are reasons, whatever is asked', async () => {
    const world = await entry.open();
    const series = async () =>
      parseExposition((await world.send({ as: admin, request: 'GET /metrics' })).body).samples.length;
    const ask = (i: number) => world.send({ as: [`user${i}`, 'x'], request: `GET /API/path${i}?x=${i}` });
    for (let i = 0; i < 3; i++) await ask(i);
    await series();
    const before = await series();
    for (let i = 3; i < 30; i++) await ask(i);
    expect(await series()).toBe(before);
  });
});
