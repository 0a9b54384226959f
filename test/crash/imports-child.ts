import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openFor } from './copies-service.ts';
import { send, textFor } from './uploads-service.ts';

/** Imports where files lie and by their bytes until it is killed, and says what was ordered: how, the item, the name. */
const [url, life, media] = process.argv.slice(2) as [string, string, string];
const service = await openFor(url, media);
void service.work();
process.stdout.write('ready\n');

const octets = { 'content-type': 'application/octet-stream' };

async function order(writer: number): Promise<void> {
  const folder = join(media, 'in', String(writer));
  await mkdir(folder, { recursive: true });
  for (let turn = 0; ; turn++) {
    const name = `${life}.${writer}.${turn}.txt`;
    const isInPlace = turn % 2 === 0;
    if (isInPlace) await writeFile(join(folder, name), textFor(name));
    const uri = encodeURIComponent(pathToFileURL(join(folder, name)).href);
    const { status } = isInPlace
      ? await send(service, { request: `POST /API/import?uri=${uri}` })
      : await send(service, {
          request: `POST /API/import/raw?storageId=VX-2&filename=${name}`,
          headers: octets,
          body: textFor(name),
        });
    if (status === 200) process.stdout.write(`${isInPlace ? 'place' : 'raw'} ${writer}/${name}\n`);
    // Imports that come faster than their jobs end would only fill the disk.
    await until(() => service.store.read("SELECT 1 FROM job WHERE status = 'READY' LIMIT 1 OFFSET 10"));
  }
}

async function until(busy: () => Promise<readonly unknown[]> | readonly unknown[]): Promise<void> {
  while ((await busy()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

await Promise.all([order(0), order(1)]);
