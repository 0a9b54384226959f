import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Settings } from '../../../src/composition/settings.ts';
import { hostPlugins } from '../../../src/entry/native/file-storage/scheme.ts';
import { newUser } from '../../support/cast.ts';
import { basic, listenFor, openWorld } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import type { Credentials, ServiceOptions } from '../../support/service.ts';
import { storageRows, stranger, uploader, viewer } from '../../support/world.ts';

type Sendfile = Partial<Pick<Settings, 'sendfile' | 'sendfileLocations' | 'trustedProxies'>>;

/** A service that hands files of the storage `VX-1` over to a proxy on this machine. `VX-2` has no location. */
export async function openHandOver(settings: Sendfile = {}, options: ServiceOptions = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'portico-hand-over-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [media, other] = [join(root, 'media'), join(root, 'other')];
  for (const folder of [media, other]) await mkdir(folder);
  const sendfile = {
    sendfile: 'x-accel-redirect',
    sendfileLocations: [`${media}=/portico-media/`],
    trustedProxies: ['127.0.0.1'],
    ...settings,
  } as const;
  const world = await openWorld('fetch', {
    ...options,
    settings: { ...options.settings, ...sendfile, minFreeBytes: 0 },
    plugins: hostPlugins({
      root,
      storageRoots: [media, other],
      importRoots: [],
      minFreeBytes: 0,
      ...sendfile,
    } as never),
  });
  await storageRows(world, { uri: `file://${media}/` });
  await storageRows(world, { id: 'VX-2', uri: `file://${other}/` });
  await prepare(world, [
    newUser(uploader, ['_file_read', '_file_write']),
    newUser(stranger, []),
    newUser(viewer, ['_job_read']),
  ]);
  const port = await listenFor(world);

  /** As a proxy sends it on. */
  const ask = (path: string, init: RequestInit = {}, as: Credentials = uploader) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: { authorization: basic(as), 'x-forwarded-for': '203.0.113.7', ...init.headers },
    });

  /** Uploads a file. Its id. */
  async function put(path: string, content: string | Uint8Array, storage = 'VX-1'): Promise<string> {
    const { status, body } = await world.send({
      as: uploader,
      request: `POST /API/storage/${storage}/file/data?path=${encodeURIComponent(path)}`,
      headers: { accept: 'application/json', 'content-type': 'application/octet-stream' },
      body: content as Uint8Array<ArrayBuffer>,
    });
    if (status !== 200) throw new Error(`Expected an upload of "${path}", found ${status}: ${body}`);
    return (JSON.parse(body) as { id: string }).id;
  }

  return { world, port, root, media, other, ask, put };
}
