import { endUpload, Refusal, sendFile, type Transport, type TusOptions } from 'portico/client';
import { describe, expect, it } from 'vitest';

const textOf = 'The harbour at night, from the pier to the lighthouse';
const file = new Blob([textOf]);
const path = '/API/upload/1?of=desk';

const refused = (status: number, explanation: string, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ internalServer: { explanation } }), { status, headers });

/** A service with one upload. `answers` has what the next requests meet instead: a refusal, or a line that breaks after so many bytes. */
function openService({ part = 20, answers = [] as (Response | number | undefined)[] } = {}) {
  let received: string | undefined;
  const requests: string[] = [];
  const reports: unknown[] = [];
  const headersOf: Readonly<Record<string, string>>[] = [];
  const stop = new AbortController();

  const transport: Transport = async ({ method, url, headers, body, onSent }) => {
    requests.push(`${method} ${url} ${headers['upload-offset'] ?? ''}`.trim());
    headersOf.push(headers);
    const meets = answers.shift();
    if (meets instanceof Response) return meets;
    const bytes = (await body?.text()) ?? '';
    const arrived = bytes.slice(0, meets ?? bytes.length);
    onSent?.(arrived.length);
    if (method === 'PATCH') received += arrived;
    else if (method === 'POST') received ??= '';
    else if (method === 'DELETE') received = undefined;
    else if (received === undefined) return new Response(null, { status: 404 });
    if (meets !== undefined) throw new Refusal(0, 'offline', {});
    const isWhole = received?.length === file.size;
    return new Response(null, {
      status: method === 'POST' ? 201 : 204,
      headers: {
        ...(method === 'POST' && { location: `http://inside.example:8080${path}` }),
        'upload-offset': String(received?.length),
        ...(isWhole && { 'portico-item': 'VX-7' }),
      },
    });
  };

  const send = (more: Partial<TusOptions> = {}) =>
    sendFile(
      {
        file,
        metadata: {},
        signal: stop.signal,
        onUrl: (url) => reports.push(url),
        onProgress: (sent) => reports.push(sent),
        onWait: ({ status, message }) => reports.push(`${status} ${message}`),
        ...more,
      },
      {
        transport,
        part,
        wait: async (milliseconds) => {
          reports.push({ waits: milliseconds });
        },
      },
    );
  return { send, transport, requests, reports, headersOf, stop, received: () => received };
}

const waits = (reports: readonly unknown[]) =>
  reports.flatMap((each) => (typeof each === 'object' ? [(each as { waits: number }).waits] : []));

describe('an upload by tus', () => {
  it('is created with its metadata, sent in parts, and ends with the answer that names the item', async () => {
    const { send, requests, reports, headersOf, received } = openService();
    const answer = await send({ metadata: { filename: 'Hafen – Köln.mov', import: 'true' } });
    expect(answer.headers.get('portico-item')).toBe('VX-7');
    expect(received()).toBe(textOf);
    expect(requests).toEqual(['POST /API/upload', `PATCH ${path} 0`, `PATCH ${path} 20`, `PATCH ${path} 40`]);
    expect(reports).toEqual([path, 0, 20, 20, 40, 40, 53, 53]);
    expect(headersOf[0]).toMatchObject({
      'tus-resumable': '1.0.0',
      'upload-length': '53',
      'upload-metadata': `filename ${Buffer.from('Hafen – Köln.mov').toString('base64')},import dHJ1ZQ==`,
    });
    expect(headersOf[1]).toMatchObject({ 'content-type': 'application/offset+octet-stream' });
  });

  it('of an empty file is whole when it is created', async () => {
    const { send, requests } = openService();
    await send({ file: new Blob([]) });
    expect(requests).toEqual(['POST /API/upload']);
  });

  it('goes on behind the bytes that arrived before the connection broke', async () => {
    const { send, requests, reports, received } = openService({ answers: [undefined, undefined, 7] });
    await send();
    expect(received()).toBe(textOf);
    expect(requests.slice(2)).toEqual([`PATCH ${path} 20`, `HEAD ${path}`, `PATCH ${path} 27`, `PATCH ${path} 47`]);
    expect(waits(reports)).toEqual([0]);
  });

  it('is whole when only the last answer was lost', async () => {
    const { send, requests } = openService({ part: 100, answers: [undefined, 53] });
    expect((await send()).headers.get('portico-item')).toBe('VX-7');
    expect(requests.at(-1)).toBe(`HEAD ${path}`);
  });

  it('that was begun before the page was loaded goes on at the offset of the service', async () => {
    const { send, requests, transport } = openService({ answers: [undefined, 30] });
    await transport({ method: 'POST', url: '/API/upload', headers: {} });
    await transport({ method: 'PATCH', url: path, headers: {}, body: file }).catch(() => undefined);
    requests.length = 0;
    await send({ url: path });
    expect(requests).toEqual([`HEAD ${path}`, `PATCH ${path} 30`, `PATCH ${path} 50`]);
  });

  it('waits longer before each try, and without end for a service that is lost', async () => {
    const { send, reports, received } = openService({ answers: [undefined, ...Array<number>(20).fill(0)] });
    await send();
    expect(received()).toBe(textOf);
    expect(waits(reports)).toEqual([0, 1, 2, 4, 8, 16, ...Array<number>(14).fill(30)].map((seconds) => seconds * 1000));
    expect(reports).toContain('0 offline');
  });

  it('sends a small body after two tries, so that a refusal in the middle of a large one is seen', async () => {
    const large = new Blob([new Uint8Array(200_000)]);
    const sizes: number[] = [];
    const { transport } = openService();
    const sending = sendFile(
      { file: large, metadata: {}, signal: new AbortController().signal, onUrl() {}, onProgress() {}, onWait() {} },
      {
        wait: async () => undefined,
        transport: async (request) => {
          if (request.method !== 'PATCH') return transport(request);
          sizes.push(request.body!.size);
          if (request.body!.size > 100_000) throw new Refusal(0, 'offline', {});
          return refused(507, 'Rule VX-1 allows 3 GB');
        },
      },
    );
    await expect(sending).rejects.toMatchObject({ status: 507, explanation: 'Rule VX-1 allows 3 GB' });
    expect(sizes).toEqual([200_000, 200_000, 65_536]);
  });

  it('waits as long as a busy service says, and gives up when it stays busy', async () => {
    const busy = () => refused(503, 'Restarts', { 'retry-after': '9' });
    const { send, reports } = openService({ answers: Array.from({ length: 8 }, busy) });
    await expect(send()).rejects.toMatchObject({ status: 503, explanation: 'Restarts' });
    expect(waits(reports)).toEqual([9, 9, 9, 9, 9, 16, 30].map((seconds) => seconds * 1000));
  });

  it('asks for the offset when the service is further than the page', async () => {
    const { send, requests } = openService({ part: 100, answers: [undefined, refused(409, 'Expected the offset 0')] });
    await send();
    expect(requests).toEqual(['POST /API/upload', `PATCH ${path} 0`, `HEAD ${path}`, `PATCH ${path} 0`]);
  });

  it.each([
    [403, []],
    [409, []],
    [507, []],
    [404, [undefined]],
    [507, [undefined]],
    [500, [undefined, undefined]],
  ])('that is refused with %i ends at once, with the words of the service', async (status, before) => {
    const { send, reports } = openService({ answers: [...before, refused(status, 'Says why')] });
    await expect(send()).rejects.toMatchObject({ status, explanation: 'Says why' });
    expect(waits(reports)).toEqual([]);
  });

  it('ends when the service takes no byte of a part', async () => {
    const { send } = openService({
      answers: [undefined, new Response(null, { status: 204, headers: { 'upload-offset': '0' } })],
    });
    await expect(send()).rejects.toMatchObject({ kind: 'offset' });
  });

  it('stops when it is paused, also while it waits, and can be ended', async () => {
    const { send, requests, stop, transport, received } = openService({ answers: [undefined, 5] });
    await expect(send({ onWait: () => stop.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    expect(requests).toEqual(['POST /API/upload', `PATCH ${path} 0`]);
    await endUpload(path, transport);
    expect(received()).toBeUndefined();
  });
});
