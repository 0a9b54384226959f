import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createService, type Service } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import { type Clock, systemClock } from '../../src/core/lib/clock.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { fakeTranscoder } from '../production/transcoding/fake-transcoder.ts';
import { requestOf } from '../support/matrix.ts';
import { admin } from '../support/service.ts';
import { storageRows } from '../support/world.ts';

/** A lease of a minute is over in six seconds. */
const factor = 10;

/** Up to here a sleep is a limit for this machine, such as that of a login, and stays as long as it is. */
const maxLimitLength = 10_000;

/** The same time for all instances: `origin` is when the test began. */
export const hastyClock = (origin: number): Clock => ({
  now: () => origin + (Date.now() - origin) * factor,
  sleep: (milliseconds, signal) =>
    systemClock.sleep(milliseconds > maxLimitLength ? milliseconds / factor : milliseconds, signal),
});

/** Service on a database shared by several, with the storages VX-1 and VX-2 and a folder for exports. */
export async function openFor(
  url: string,
  media: string,
  origin: number,
  print: (line: string) => void,
): Promise<Service> {
  const settings = readSettings({
    PORTICO_DATABASE: url,
    PORTICO_ADMIN_PASSWORD: admin[1],
    PORTICO_SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    PORTICO_OUTBOUND_ALLOW: '127.0.0.1',
    PORTICO_STORAGE_ROOTS: media,
    PORTICO_MIN_FREE_BYTES: '0',
    PORTICO_DELETE_GRACE_HOURS: '0',
    PORTICO_LOG_LEVEL: 'warn',
    PORTICO_STOP_TIMEOUT: '1',
  });
  // To probe in this process is as good here, and another one would take longer to start than a job takes.
  const { media: _, ...platform } = await hostPlatform(settings, print);
  const service = createService(
    { ...settings, pauseAfterFailures: 100_000 },
    {
      ...platform,
      clock: hastyClock(origin),
      transcoders: [fakeTranscoder()],
    },
  );
  await service.start();
  return service;
}

/**
 * Creates what all instances find: storages, a preset, a custom type of jobs, a template, a notification of each end.
 */
export async function prepareFor(service: Service, media: string, receiver: string): Promise<void> {
  for (const [id, name] of [
    ['VX-1', 'in'],
    ['VX-2', 'out'],
  ] as const) {
    const folder = join(media, name);
    await mkdir(folder, { recursive: true });
    await storageRows({ service }, { id, uri: `${pathToFileURL(folder).href}/`, scanInterval: -1 });
  }
  await mkdir(join(media, 'exports'), { recursive: true });
  for (const tag of ['lowres', 'web']) await must(service, `PUT /API/shape-tag/${tag}`, { format: 'wav' });
  await must(service, 'POST /API/resource/thumbnail', { thumbnail: { path: 'file:///thumbnails/' } });
  const task = [1, 2].map((step) => ({ step, script: `job.setData("step${step}", "1")` }));
  await must(service, 'POST /API/task-definition/jobtype/PLOT?id=20001', { task });
  await must(service, 'PUT /API/export-template/web', {
    item: [
      {
        shape: [{ shapeTag: 'original', componentfile: [{ path: 'media.{{file.extension()}}', tag: ['media'] }] }],
        text: [{ path: 'id.txt', dependency: ['media'], content: '{{item.id()}}' }],
      },
    ],
  });
  const http = { url: `${receiver}/stops`, contentType: 'application/json', retry: 1_000 };
  await must(service, 'POST /API/job/notification', { action: { http }, trigger: { job: { stop: '' } } });
}

export interface Answered {
  readonly status: number;
  readonly text: string;
}

export async function ask(
  service: Service,
  request: string,
  body?: object | string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const sent = {
    as: admin,
    request,
    headers: { accept: 'application/json', ...headers },
    ...(body !== undefined && { body: body as string }),
  };
  const answer = await service.fetch(requestOf('http://x', sent));
  return { status: answer.status, text: await answer.text() };
}

async function must(service: Service, request: string, body?: object): Promise<void> {
  const { status, text } = await ask(service, request, body);
  if (status >= 300) throw new Error(`${request}: ${status} ${text}`);
}
