import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, vi } from 'vitest';
import { endOfJob, makeFilm, metadataOf, passwordOf, type Site, seedStorage } from './support.ts';

/** Markup in each text that somebody can set. A script that ran would leave `bad`. */
export const evil = (what: string): string => `${what} <img src=x onerror=globalThis.bad=1>`;

export interface Visit {
  /** Address below `/ui`. */
  readonly at: string;
  /** Texts that an administrator sees there. */
  readonly sees?: readonly string[];
  /** Buttons with dialogs, and what these say. */
  readonly opens?: Readonly<Record<string, string>>;
}

const part = encodeURIComponent;
export const evilUser = evil('User');
const group = evil('Group');

/** Puts markup into an empty service wherever callers can. Gives the addresses that show it, by the paths of the table of pages. */
export async function seedEvil(site: Site): Promise<Readonly<Record<string, readonly Visit[]>>> {
  const { api } = site;
  const storage = await seedStorage(site);
  await api('PUT', '/metadata-field/evil_field', {
    ...{ type: 'string-exact', values: { field: [{ key: evil('Key'), value: evil('Value') }] } },
    data: [
      { key: 'label_en', value: evil('Label') },
      { key: 'facet', value: 'true' },
    ],
  });
  const fields = evil('Fields');
  await api('PUT', `/metadata-field/field-group/${part(fields)}`, { field: [{ name: 'evil_field' }] });
  await api('PUT', '/shape-tag/evil', { format: evil('Format') });
  await api('PUT', '/shape-tag/evil/script', evil('// Script'));
  await api('PUT', '/export-location/evil', { uri: `file:///srv/${part(evil('Folder'))}/`, script: evil('// Name') });

  const { url, close } = await openReceiver();
  await api('POST', '/group/notification', {
    action: { http: { url: `${url}/<img src=x onerror=globalThis.bad=1>`, contentType: 'application/json' } },
    trigger: { group: { create: '' } },
  });
  await api('PUT', `/group/${part(group)}`, { groupName: group, description: evil('About') });
  await vi.waitFor(async () => {
    const { delivery } = await api<{ readonly delivery?: readonly { state: string }[] }>(
      'GET',
      '/group/notification/VX-1/delivery',
    );
    expect(delivery?.[0]?.state).toBe('failed');
  }, 20_000);
  await api('POST', '/user', {
    ...{ userName: evilUser, realName: evil('Person'), password: passwordOf('nobody') },
    groupList: { group: [{ groupName: group }, { groupName: 'viewer' }] },
  });
  await api('POST', `/user/admin/key?name=${part(evil('Access key'))}`);

  const film = await makeFilm(site, { name: `media/${evil('File')}.mp4` });
  const title = { title: evil('Title'), evil_field: evil('Key') };
  const item = film
    ? await importFound(site, storage, title)
    : (await api<{ readonly id: string }>('POST', '/import/placeholder', metadataOf(title))).id;
  await api('PUT', `/item/${item}/field-group/${part(fields)}`);
  await api('PUT', `/item/${item}/metadata`, {
    timespan: [{ start: '0@25', end: '25@25', field: [{ name: 'title', value: [{ value: evil('Entry') }] }] }],
  });
  await api('POST', `/item/${item}/access`, { group, permission: 'WRITE' });
  const { id: collection } = await api<{ readonly id: string }>('POST', `/collection?name=${part(evil('Collection'))}`);
  await api('PUT', `/collection/${collection}/${item}`);
  const { library } = await api<{ readonly library: string }>(
    'PUT',
    '/item?result=library&autoRefresh=true&updateMode=REPLACE&number=0',
    {},
  );
  const search = [
    { key: 'portico.ui.name', value: evil('Search') },
    { key: 'portico.ui.search', value: `q=${part(evil('Words'))}` },
  ];
  await api('PUT', `/library/${library}/metadata`, { field: search });
  const source = `file:///nowhere/${part(evil('Source'))}`;
  const { jobId } = await api<{ readonly jobId: string }>(
    'POST',
    `/import?uri=${part(source)}&jobmetadata=${part(`note=${evil('Note')}`)}`,
  );
  await vi.waitFor(async () => {
    const { status } = await api<{ readonly status: string }>('GET', `/job/${jobId}`);
    expect(status).toMatch(/^FAILED/);
  }, 20_000);
  const slow = await api<{ readonly jobId: string }>('POST', `/import?uri=${part(`${url}/slow`)}`);
  await api('DELETE', `/job/${slow.jobId}?reason=${part(evil('Reason'))}`);
  await api('POST', '/quota', { description: evil('Rule'), group, resource: [{ name: 'item', limit: 9 }] });
  await api('PUT', `/item/${item}/usage`, { usableUntil: '2099-01-01T00:00:00Z', reason: evil('Licence') });
  const { data } = await api<{ readonly data: readonly { readonly value: string }[] }>(
    'POST',
    '/import/metadata-table',
    `itemId,${evil('Head')}\n${item},a\n`,
  );
  const table = data[0]!.value;
  await vi.waitFor(async () => {
    const { problems } = await api<{ readonly problems: number }>('GET', `/import/metadata-table/${table}`);
    expect(problems).toBe(1);
  }, 20_000);
  await api('PUT', '/configuration/properties', { key: 'ui.contact', value: evil('Contact') });
  close();

  return {
    '/': [
      { at: '/', sees: [evil('Title'), evil('Label'), evil('Key')] },
      { at: `/?q=${part(evil('Words'))}`, sees: [evil('Words')] },
      { at: `/?f=${part(`evil_field:${evil('Key')}`)}`, sees: [evil('Key')] },
    ],
    '/item/{id}': [
      { at: `/item/${item}`, sees: [evil('Title'), ...(film ? [evil('Entry')] : [])] },
      { at: `/item/${item}?tab=metadata`, sees: [evil('Label')] },
      { at: `/item/${item}?tab=files`, sees: film ? [evil('File')] : [] },
      { at: `/item/${item}?tab=collections`, sees: [evil('Collection')] },
      { at: `/item/${item}?tab=history`, sees: [evil('Entry')] },
      { at: `/item/${item}?tab=usage`, sees: [evil('Licence')] },
      { at: `/item/${item}?tab=access`, sees: [group, evil('Person')] },
      { at: `/item/${item}?tab=jobs` },
      { at: `/item/${item}?tab=raw`, sees: [evil('Title')] },
      { at: `/item/${part(evil('No item'))}`, sees: [evil('No item')] },
    ],
    '/collections': [{ at: '/collections', sees: [evil('Collection'), evil('Search')] }],
    '/collection/{id}': [{ at: `/collection/${collection}`, sees: [evil('Collection'), evil('Title')] }],
    '/saved/{id}': [{ at: `/saved/${library}`, sees: [evil('Search')] }],
    '/jobs': [{ at: '/jobs' }],
    '/job/{id}': [
      { at: `/job/${jobId}`, sees: [evil('Note')] },
      { at: `/job/${slow.jobId}`, sees: [evil('Reason')] },
    ],
    '/rights': [{ at: '/rights?days=0', sees: [evil('Title'), evil('Licence')] }],
    '/table/{table}': [{ at: `/table/${table}`, sees: [evil('Head')] }],
    '/notifications': [{ at: '/notifications', sees: ['<img src=x onerror=globalThis.bad=1>'] }],
    '/storage/{id}': [
      { at: `/storage/${storage}`, sees: film ? [evil('File')] : [] },
      { at: `/storage/${storage}?path=${part(evil('Folder'))}`, sees: [evil('Folder')] },
    ],
    '/notification/{entity}/{id}': [
      { at: '/notification/group/VX-1', sees: [group], opens: { 'Look at attempt 1': evil('Answer') } },
    ],
    '/quota': [{ at: '/quota', sees: [evil('Rule'), group], opens: { [`Change ${evil('Rule')}`]: evil('Rule') } }],
    '/exports': [{ at: '/exports', sees: ['evil'], opens: { 'Change evil': evil('// Name') } }],
    '/settings': [
      { at: '/settings', sees: [evil('Contact')], opens: { 'Change ui.contact': evil('Contact') } },
      ...['cors', 'purging', 'pools', 'priorities', 'ftp', 'aliases', 'auth'].map((tab) => ({
        at: `/settings?tab=${tab}`,
      })),
    ],
    '/health': [
      { at: '/health' },
      { at: '/health?tab=work' },
      { at: '/health?tab=log&path=/group/*', sees: [group] },
      { at: `/health?tab=log&user=${part(evilUser)}&path=${part(evil('/Path'))}`, sees: [evilUser] },
      { at: `/health?tab=access&target=${part(evil('/API/item/'))}&user=${part(evilUser)}`, sees: [evil('/item/')] },
    ],
    '/people': [
      { at: '/people', sees: [evilUser, evil('Person'), group] },
      { at: '/people?show=group', sees: [group, evil('About')] },
      { at: `/people?q=${part(evil('Nobody'))}`, sees: [evil('Nobody')] },
    ],
    '/user/{user}': [
      { at: `/user/${part(evilUser)}`, sees: [evilUser, evil('Person'), group] },
      { at: `/user/${part(evil('No user'))}`, sees: [evil('No user')] },
    ],
    '/group/{group}': [{ at: `/group/${part(group)}`, sees: [group, evil('About'), evilUser] }],
    '/fields': [
      { at: '/fields?q=evil', sees: [evil('Label')], opens: { 'Change evil_field': evil('Key') } },
      { at: '/fields?show=fieldgroup', sees: [fields], opens: { [`Change ${fields}`]: fields } },
    ],
    '/tag/{tag}': [{ at: '/tag/evil', sees: [evil('Format'), evil('// Script')] }],
    '/me': [{ at: '/me', sees: [evil('Access key')] }],
  };
}

/** An item of a file that lies in a storage: it keeps its name. */
async function importFound(site: Site, storage: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const path = part(`${evil('File')}.mp4`);
  const { id } = await site.api<{ readonly id: string }>('POST', `/storage/${storage}/file?path=${path}&state=CLOSED`);
  const { jobId } = await site.api<{ readonly jobId: string }>(
    'POST',
    `/storage/${storage}/file/${id}/import?tag=original&createThumbnails=true`,
    metadataOf(fields),
  );
  return endOfJob(site, jobId);
}

/** Refuses all that it gets, with markup. What is slow is never answered. */
async function openReceiver() {
  const server = createServer(({ url }, response) => {
    if (url === '/slow') return;
    response.statusCode = 500;
    response.end(evil('Answer'));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
