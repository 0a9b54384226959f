import { openFor, send } from './uploads-service.ts';

/** Scans until it is killed. */
const [url, , media] = process.argv.slice(2) as [string, string, string];
const service = await openFor(url, media);
process.stdout.write('ready\n');
for (let turn = 0; ; turn++) {
  await send(service, { request: 'POST /API/storage/VX-1/rescan' });
  await service.tick();
  process.stdout.write(`${turn}\n`);
}
