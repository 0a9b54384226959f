import { bytesFor, leftovers, openFor, send } from './uploads-service.ts';

/** Uploads until it is killed, and says what was acknowledged: how, which file, and the name of its bytes. */
const [url, life, media] = process.argv.slice(2) as [string, string, string];
const service = await openFor(url, media);
const left = await leftovers(service.store, media);
if (left.length > 0) process.stderr.write(`left behind after a start: ${left.join(', ')}\n`);
void service.work();
process.stdout.write('ready\n');

const tell = (...words: readonly string[]) => process.stdout.write(`${words.join(' ')}\n`);
const octets = { 'content-type': 'application/octet-stream' };
const files = '/API/storage/VX-1/file/data';

async function whole(writer: number): Promise<void> {
  for (let turn = 0; ; turn++) {
    const name = `${life}.${writer}.${turn}`;
    const path = `whole/${writer}/${name}`;
    const { status, id } = await send(service, {
      request: `POST ${files}?path=${path}`,
      body: bytesFor(name),
      headers: octets,
    });
    if (status === 200) tell('new', id, name);
  }
}

/** Writes one file again and again. */
async function over(): Promise<void> {
  const first = await send(service, {
    request: `POST ${files}?path=over`,
    body: bytesFor(`${life}.over`),
    headers: octets,
  });
  for (let turn = 0; ; turn++) {
    const name = `${life}.over.${turn}`;
    const request = `POST /API/file/${first.id}/data`;
    const { status } = await send(service, { request, body: bytesFor(name), headers: octets });
    if (status === 200) tell('over', first.id, name);
  }
}

/** In three parts, the last one first; some of them never end. */
async function parts(writer: number): Promise<void> {
  for (let turn = 0; ; turn++) {
    const name = `${life}.${writer}.${turn}`;
    const bytes = bytesFor(name);
    const third = Math.floor(bytes.byteLength / 3);
    const cuts = [
      [2 * third, bytes.byteLength],
      [0, third],
      [third, 2 * third],
    ] as const;
    for (const [index, end] of turn % 5 === 4 ? cuts.slice(0, 2) : cuts) {
      const headers = {
        ...octets,
        size: String(bytes.byteLength),
        index: String(index),
        'content-length': String(end - index),
      };
      const request = `POST ${files}?path=parts/${name}&transferId=${name}`;
      const { status, id, closed } = await send(service, { request, body: bytes.slice(index, end), headers });
      if (status === 200 && closed) tell('new', id, name);
    }
  }
}

await Promise.all([whole(0), whole(1), over(), parts(2), parts(3)]);
