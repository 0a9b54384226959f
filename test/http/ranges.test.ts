import { describe, expect, it } from 'vitest';
import { rangesOf } from '../../src/http/ranges.ts';
import { content, openBytes } from '../support/listeners.ts';

const told = (header: string) => rangesOf(header, 100)?.map(({ from, end }) => `${from}-${end}`);

const several: readonly (readonly [header: string, ranges: readonly string[] | undefined])[] = [
  ['bytes=0-1,4-5', ['0-2', '4-6']],
  ['bytes=90-,0-1,-5', ['90-100', '0-2']],
  ['bytes=0-9,5-14', ['0-15']],
  ['bytes=0-4,5-9', ['0-10']],
  ['bytes=50-59,0-9,55-70', ['50-71', '0-10']],
  ['bytes=0-9,20-29,5-24', ['0-30']],
  ['bytes=0-1,200-300', ['0-2']],
  ['bytes=0-0, 2-2 ,4-4', ['0-1', '2-3', '4-5']],
  // Headers that readers may interpret in different ways mean the whole body.
  ['bytes=0-1,x', undefined],
  ['bytes=0-1,5-2', undefined],
  ['bytes=0-1,', undefined],
  ['bytes=', undefined],
];

describe('several ranges', () => {
  it.each(several)('%s', (header, ranges) => expect(told(header)).toEqual(ranges));

  it('are sixteen at most: a bomb of ranges gets the file once', () => {
    const list = (count: number) => `bytes=${Array.from({ length: count }, (_, at) => `${at * 2}-${at * 2}`).join()}`;
    expect([told(list(16))?.length, told(list(17))]).toEqual([16, undefined]);
    expect(told(`bytes=${'0-,'.repeat(5000)}0-`)).toBeUndefined();
  });

  it('never add up to more than the file', () => {
    expect(told(`bytes=${Array.from({ length: 16 }, () => '0-').join()}`)).toEqual(['0-100']);
  });

  it('are refused when none is within the file', () => {
    expect(() => told('bytes=100-,200-300,-0')).toThrow('Expected a range within 100 bytes');
  });
});

describe('an answer with several ranges', () => {
  const ask = async (range: string, given: Parameters<typeof openBytes>[0] = {}, method = 'GET') => {
    const { opened, handler } = openBytes({ boundary: () => 'B', ...given });
    const headers = { range };
    return { opened, answer: await handler(new Request('http://portico.test/bytes', { method, headers })) };
  };
  const part = (range: string, text: string) =>
    `--B\r\nContent-Type: image/jpeg\r\nContent-Range: bytes ${range}/10\r\n\r\n${text}\r\n`;

  it('has each range behind a head of its own, and its length', async () => {
    const { opened, answer } = await ask('bytes=7-,0-1,4-5');
    const body = await answer.text();
    expect(body).toBe(`${part('7-9', '789')}${part('0-1', '01')}${part('4-5', '45')}--B--\r\n`);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-length')]).toEqual([
      206,
      'multipart/byteranges; boundary=B',
      String(body.length),
    ]);
    expect(answer.headers.get('content-range')).toBeNull();
    expect(opened).toEqual([
      { from: 7, end: 10 },
      { from: 0, end: 2 },
      { from: 4, end: 6 },
    ]);
  });

  it('is of one part where the ranges are one', async () => {
    const { answer } = await ask('bytes=0-1,2-3');
    expect([answer.status, answer.headers.get('content-range'), await answer.text()]).toEqual([
      206,
      'bytes 0-3/10',
      '0123',
    ]);
  });

  it('opens a range when its turn comes, and none after the caller went away', async () => {
    const { opened, answer } = await ask('bytes=0-1,4-5');
    const reader = answer.body!.getReader();
    await reader.read();
    await reader.read();
    await reader.cancel();
    expect(opened).toEqual([{ from: 0, end: 2 }]);
  });

  it('lets go of the range that it reads when the caller goes away', async () => {
    let cancelled = 0;
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(1)),
        cancel: () => void cancelled++,
      });
    const { answer } = await ask('bytes=0-1,4-5', { open: endless });
    const reader = answer.body!.getReader();
    await reader.read();
    await reader.cancel();
    expect(cancelled).toBe(1);
  });

  it('breaks off when a later range cannot be read: no reader takes it for whole', async () => {
    const open = (from: number, end: number) => {
      if (from > 0) throw new Error('gone');
      return new Blob([content.slice(from, end)]).stream();
    };
    const { answer } = await ask('bytes=0-1,4-5', { open });
    await expect(answer.text()).rejects.toThrow('gone');
  });

  it('is none for HEAD', async () => {
    const { opened, answer } = await ask('bytes=0-1,4-5', {}, 'HEAD');
    expect([answer.status, answer.headers.get('content-length'), opened]).toEqual([200, '10', []]);
  });
});
