import { expect, it } from 'vitest';
import { failAtPoints, patience, stopAtPoints } from '../../simulation/points.ts';
import { type Plot, play, type Stage, type Successor } from './crash-plot.ts';

const hello = 'hello world';
const files = '/API/storage/VX-1/file/data';

const whole = (path: string, body: string) => ({ request: `POST ${files}?path=${path}`, body });
const replace = (id: string, body: string) => ({ request: `POST /API/file/${id}/data`, body });
const part = (target: string, index: number, body: string) => ({
  request: `POST ${target}${target.includes('?') ? '&' : '?'}transferId=mine`,
  body,
  headers: { size: String(hello.length), index: String(index), 'content-length': String(body.length) },
});

async function parts({ send }: Stage, target: string): Promise<void> {
  await send(part(target, 6, 'world'));
  await send(part(target, 0, 'hello '));
}

const metadata = 'storage VlgtMQ==,filename YQ==';
const tusHeaders = { 'tus-resumable': '1.0.0' };
const offsetType = { 'content-type': 'application/offset+octet-stream' };

/** As a client does that knows nothing of what came before. */
async function tus({ send }: Stage): Promise<void> {
  const made = await send({
    request: 'POST /API/upload',
    headers: { ...tusHeaders, 'upload-length': '11', 'upload-metadata': metadata },
  });
  const at = made.headers.get('location')!;
  if (made.status !== 201) return;
  for (const [offset, body] of [
    [0, 'hello '],
    [6, 'world'],
  ] as const) {
    await send({
      request: `PATCH ${at}`,
      headers: { ...tusHeaders, ...offsetType, 'upload-offset': String(offset) },
      body,
    });
  }
}

/** The id of the file that a refusal names, or of the one that was made. */
const idIn = (body: string): string => /"(?:fileId|id)":"(VX-\d+)"/.exec(body)![1]!;

/** A client that is told that the path is taken goes on with the file that has it. */
async function wholeAgain({ send }: Stage, path: string): Promise<void> {
  const answer = await send(whole(path, hello));
  if (answer.status === 409) await send(replace(idIn(answer.body), hello));
}

const plots: readonly Plot[] = [
  {
    name: 'an upload in one go',
    act: ({ send }) => send(whole('a', hello)),
    again: (stage) => wholeAgain(stage, 'a'),
    lies: { a: hello },
  },
  {
    name: 'one that replaces the bytes of a file',
    given: ({ send }) => send(whole('a', 'old')),
    act: ({ send }) => send(replace('VX-1', hello)),
    again: ({ send }) => send(replace('VX-1', hello)),
    lies: { a: hello },
  },
  {
    name: 'one at the path of a deleted file whose bytes still wait',
    async given({ send, service }) {
      await send(whole('a', 'deleted'));
      const sql = `UPDATE file SET state = 'TO_BE_DELETED', delete_due = 9e15`;
      await service.service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
    },
    act: ({ send }) => send(whole('a', hello)),
    again: (stage) => wholeAgain(stage, 'a'),
    lies: { a: hello },
  },
  {
    name: 'one whose path somebody else takes while its bytes come',
    async act({ send, place }) {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          place.put('a', 'foreign');
          controller.enqueue(new TextEncoder().encode(hello));
          controller.close();
        },
      });
      await send({ request: `POST ${files}?path=a`, body });
    },
    again: async ({ send, place }) => {
      place.put('a', 'foreign');
      expect((await send(whole('a', hello))).status).toBe(409);
    },
    lies: { a: 'foreign' },
  },
  {
    name: 'an upload in parts, the last one first',
    act: (stage) => parts(stage, `${files}?path=a`),
    again: (stage) => parts(stage, `${files}?path=a`),
    lies: { a: hello },
  },
  {
    name: 'one in parts that replaces the bytes of a file',
    given: ({ send }) => send(whole('a', 'old')),
    act: (stage) => parts(stage, '/API/file/VX-1/data'),
    again: (stage) => parts(stage, '/API/file/VX-1/data'),
    lies: { a: hello },
  },
  {
    name: 'an upload by tus',
    act: tus,
    async again(stage) {
      const { send } = stage;
      const list = await send({ request: 'GET /API/transfer?state=TRANSFERRING' });
      const names = [...list.body.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name!);
      for (const name of names) await send({ request: `DELETE /API/upload/${name}`, headers: tusHeaders });
      const { status, body } = await send(whole('a', hello));
      if (status === 409) await send(replace(idIn(body), hello));
    },
    lies: { a: hello },
  },
  {
    name: 'one that its client ends',
    async given({ send }) {
      await send({ ...part(`${files}?path=b`, 0, 'hello ') });
    },
    async act({ send }) {
      const made = await send({
        request: 'POST /API/upload',
        headers: { ...tusHeaders, 'upload-length': '11', 'upload-metadata': metadata },
      });
      await send({ request: `DELETE ${made.headers.get('location')}`, headers: tusHeaders });
    },
    again: (stage) => parts(stage, `${files}?path=b`),
    lies: { b: hello },
  },
  {
    name: 'one that nobody goes on with',
    async given({ send, clock }) {
      await send(part(`${files}?path=a`, 0, 'hello '));
      await clock.advance(25 * 3_600_000);
    },
    act: ({ tick }) => tick(),
    again: ({ tick }) => tick(),
    lies: {},
  },
];

const successors: readonly Successor[] = ['the only server', 'another instance'];
const runs = plots.flatMap((plot) => successors.map((successor) => [plot.name, successor, plot] as const));

it.each(runs.map((run, index) => [...run, index] as const))(
  '%s: the process may stop at any call; then comes %s',
  async (_name, successor, plot, index) => {
    const { calls, stopped } = await play(plot, successor);
    expect(stopped).toBe(false);
    await stopAtPoints(index, calls, (stop) => play(plot, successor, stop));
  },
  patience,
);

it.each(plots.map((plot, index) => [plot.name, plot, index] as const))(
  '%s: any call may fail; the same process goes on',
  async (_name, plot, index) => {
    const { calls } = await play(plot, 'another instance');
    await failAtPoints(index, calls, (fail) => play(plot, 'another instance', fail));
  },
  patience,
);
