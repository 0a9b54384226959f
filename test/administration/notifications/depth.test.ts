import { describe, expect, it } from 'vitest';
import { createDepth } from '../../../src/administration/notifications/depth.ts';
import { testClock } from '../../support/clock.ts';

const open = () => {
  const clock = testClock();
  const depth = createDepth(clock, (text) => btoa(`${text} key`).slice(-22));
  return { clock, depth };
};
const minute = 60_000;

describe('how deep a request is', () => {
  it('is what the delivery said that led to it, as a header or as the state of its trace', () => {
    const { depth } = open();
    expect(depth.of(new Headers())).toBe(0);
    const headers = depth.headersFor(3);
    expect(depth.of(new Headers(headers))).toBe(4);
    expect(depth.of(new Headers({ tracestate: `other=1, ${headers['tracestate']}` }))).toBe(4);
  });

  it('cannot be kept for later: what is told goes by what has happened lately', async () => {
    const { clock, depth } = open();
    const headers = new Headers(depth.headersFor(7));
    await clock.advance(60 * minute);
    expect(depth.of(headers)).toBe(8);
    await clock.advance(minute);
    expect(depth.of(headers)).toBe(0);
    expect(depth.of(new Headers(depth.headersFor(7)))).toBe(8);
  });

  it.each([
    ['another depth', (text: string) => text.replace(/^8/, '9')],
    ['another time', (text: string) => text.replace(/-(\d+)/, (_, at) => `-${Number(at) + 1}`)],
    ['another signature', (text: string) => text.slice(0, -1)],
    ['no time', (text: string) => text.replace(/-\d+/, '')],
  ])('cannot be made up with %s', (_, forge) => {
    const { depth } = open();
    const { 'portico-depth': text } = depth.headersFor(7);
    expect(depth.of(new Headers({ 'portico-depth': forge(text!) }))).toBe(0);
  });
});
