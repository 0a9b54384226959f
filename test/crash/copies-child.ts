import { openFor } from './copies-service.ts';
import { bytesFor, send } from './uploads-service.ts';

/** Uploads, copies and moves until it is killed, and says which jobs were ordered: the job, the bytes, and how. */
const [url, life, media] = process.argv.slice(2) as [string, string, string];
const service = await openFor(url, media);
void service.work();
process.stdout.write('ready\n');

async function order(writer: number): Promise<void> {
  for (let turn = 0; ; turn++) {
    const name = `${life}.${writer}.${turn}`;
    const request = `POST /API/storage/VX-1/file/data?path=${writer}/${name}`;
    const { status, id } = await send(service, { request, body: bytesFor(name) });
    if (status !== 200) continue;
    const how = turn % 2 === 0 ? 'move' : 'copy';
    const response = await send(service, { request: `POST /API/file/${id}/storage/VX-2?move=${how === 'move'}` });
    if (response.status === 200) process.stdout.write(`${how} ${id} ${writer}/${name}\n`);
    // Bytes that come faster than they are copied would only fill the disk.
    await until(() => service.store.read("SELECT 1 FROM job WHERE status = 'READY' LIMIT 1 OFFSET 10"));
  }
}

async function until(busy: () => Promise<readonly unknown[]> | readonly unknown[]): Promise<void> {
  while ((await busy()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

await Promise.all([order(0), order(1)]);
