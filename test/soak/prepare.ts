import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PorticoClient } from '../../src/client/index.ts';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import type { StorageDocument } from '../../src/types.ts';
import { accountOf } from '../clients/login-provider.ts';
import type { Histories } from './history.ts';
import type { House } from './house.ts';
import { counted, passwordOf, people, provisioner, quotaLimit } from './people.ts';

export const accounts = [
  accountOf('eva', { name: 'Eva', groups: ['staff'] }),
  accountOf('finn', { name: 'Finn', groups: ['staff'] }),
];
/** The service as the provider knows it, but for its address. */
export const company = { id: 'portico', secret: 'of the service', login: 'company' };

export const securityIni = (issuer: string): string =>
  defaultIni.replace(/^\[urls\]$/m, () =>
    [
      'company = portico.OidcLogin',
      'company.title = Company',
      `company.issuer = ${issuer}`,
      `company.clientId = ${company.id}`,
      `company.clientSecret = ${company.secret}`,
      'people = portico.AttributeUserInfoProvider',
      'people.defaultGroups = _user',
      'creation = portico.UserCreationListener',
      'creation.infoProvider = $people',
      'securityManager.authenticator.authenticationListeners = $creation',
      '[urls]',
    ].join('\n'),
  );

const year = 31_536_000;
const slowness = 300;

/** Two receivers that answer, one of them late. The third address has nobody. */
export async function openReceivers(histories: Histories) {
  const server = createServer((request, response) => {
    const [, name, lane] = /^\/(fast|slow)\/(\S+)/.exec(request.url ?? '') ?? [];
    const sequence = Number(String(request.headers['webhook-id']).split('_')[1]);
    request.resume().on('end', () => {
      if (lane !== undefined) histories.heard.push({ lane, sequence });
      setTimeout(() => response.writeHead(200).end(), name === 'slow' ? slowness : 0);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Users, storages, a quota, notifications. The receivers know their lanes by the paths that these call. */
export async function prepare(house: House, admin: PorticoClient, receivers: string, histories: Histories) {
  await admin.call('PUT /APIinit/groups');
  await admin.call('PUT /APIinit/preset-templates');
  const tokens = new Map<string, string>();
  for (const name of ['admin', ...people, counted, provisioner]) {
    const roles = name === provisioner ? ['_scim'] : ['librarian', 'operator'];
    const groupList = { group: roles.map((groupName) => ({ groupName })) };
    if (name !== 'admin')
      await admin.call('POST /user', { body: { userName: name, password: passwordOf(name), groupList } });
    const asked = { path: { name }, query: { seconds: year }, headers: { accept: 'text/plain' } };
    tokens.set(name, (await (await admin.open('GET /user/:name/token', asked)).text()).trim());
  }
  const storage = async (name: string, more: Partial<StorageDocument> = {}): Promise<string> => {
    const uri = `${pathToFileURL(join(house.media, name))}/`;
    const method = [{ uri, read: true, write: true, browse: true }];
    const body = { type: 'LOCAL', capacity: 100_000_000_000, method, ...more } as StorageDocument;
    return (await admin.call('POST /storage', { body })).id!;
  };
  const storages = { main: await storage('main'), hot: await storage('hot', { scanInterval: 15 }) };
  await admin.call('PUT /storage/:storage/auto-import', {
    path: { storage: storages.hot },
    body: { fileNameAsTitle: true },
  });
  await admin.call('POST /quota', {
    body: { user: counted, enforce: true, resource: [{ name: 'item', limit: quotaLimit }] } as never,
  });
  const addresses = { fast: `${receivers}/fast`, slow: `${receivers}/slow`, dead: 'http://127.0.0.1:9' };
  for (const [name, url] of Object.entries(addresses)) {
    const trigger = { item: { create: '', delete: '' } };
    const http = { url: `${url}/new`, contentType: 'application/json', retry: 2 };
    const body = { action: { http }, trigger } as never;
    const { uri = [] } = await admin.call('POST /item/notification', { body });
    const id = uri[0]!;
    // The path says which lane it is.
    const again = { action: { http: { ...http, url: `${url}/${id}` } }, trigger } as never;
    await admin.call('PUT /item/notification/:notification', { path: { notification: id }, body: again });
    histories.lanes = [...histories.lanes, { id, isDead: name === 'dead' }];
  }
  return { tokens, storages };
}

/** An item with a stream, where ffmpeg makes one. */
export async function makeStream(admin: PorticoClient, storage: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-film-'));
  try {
    const film = join(folder, 'film.mp4');
    const source = ['-f', 'lavfi', '-i', 'testsrc=duration=2:size=320x240:rate=10', '-pix_fmt', 'yuv420p', film];
    if (spawnSync('ffmpeg', ['-loglevel', 'error', ...source]).status !== 0) return undefined;
    const query = { storageId: storage, filename: 'film.mp4', tag: ['__hls'] } as object;
    const made = await admin.call('POST /import/raw', { body: new Uint8Array(await readFile(film)), query });
    const { status, data = [] } = await admin.jobEnd(made!.jobId!);
    return status === 'FINISHED' ? data.find(({ key }) => key === 'itemId')?.value : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
