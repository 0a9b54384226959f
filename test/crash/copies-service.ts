import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createService, type Service } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { admin } from '../support/service.ts';
import { storageRows } from '../support/world.ts';

/** A service on a database file with the storages VX-1 and VX-2: the folders `in` and `out`. Nothing scans them. */
export async function openFor(url: string, media: string): Promise<Service> {
  const settings = readSettings({
    PORTICO_DATABASE: url,
    PORTICO_ADMIN_PASSWORD: admin[1],
    PORTICO_STORAGE_ROOTS: media,
    PORTICO_MIN_FREE_BYTES: '0',
    PORTICO_DELETE_GRACE_HOURS: '0',
    PORTICO_LOG_LEVEL: 'error',
    PORTICO_STOP_TIMEOUT: '1',
  });
  const service = createService(settings, await hostPlatform(settings, (line) => process.stderr.write(`${line}\n`)));
  await service.prepare();
  for (const [id, name] of [
    ['VX-1', 'in'],
    ['VX-2', 'out'],
  ] as const) {
    const folder = join(media, name);
    await mkdir(folder, { recursive: true });
    if ((await service.store.read('SELECT 1 FROM storage WHERE id = ?', [id])).length > 0) continue;
    await storageRows({ service }, { id, uri: `${pathToFileURL(folder).href}/`, scanInterval: -1 });
  }
  await service.start();
  return service;
}

/** Rows and temporary files left behind once all jobs have ended. */
export async function leftovers(service: Service, media: string): Promise<readonly string[]> {
  const rows = async (table: string) =>
    (await service.store.read(`SELECT * FROM ${table}`)).map((row) => row.join(' '));
  const temporary = (name: string) => readdir(join(media, name, '.portico', 'tmp')).catch(() => []);
  return [
    ...(await rows('publication')),
    ...(await rows('file_job')),
    ...(await temporary('in')),
    ...(await temporary('out')),
  ];
}
