import { admin } from '../../support/service.ts';
import { assetRowsOf, numberOf } from './assets.ts';
import { conformOf, renderRowsOf } from './attachments.ts';
import { fileOf } from './files.ts';
import type { Rule } from './rule.ts';
import { shapeOf, shapeRowsOf, tagOf } from './shapes.ts';

const to = `export?uri=${encodeURIComponent('file:///srv/exports/')}`;
const locationOf = (who: string): string => `location-${who}`;
const document = { uri: 'file:///srv/exports/', script: 'filename' };

const exporting = (path: string, at: (who: string) => string, rows: NonNullable<Rule['rows']> = assetRowsOf): Rule => ({
  route: `POST ${path}/export`,
  needs: '_export',
  rows,
  request: (who) => ({ request: `POST /API${at(who)}/${to}` }),
});

const listing = (path: string, at: (who: string) => string): Rule => ({
  route: `POST ${path}`,
  needs: '_export',
  rows: assetRowsOf,
  request: (who) => ({
    request: `POST /API${at(who)}?destinationUri=${encodeURIComponent('file:///srv/exports/')}`,
  }),
});

const location = (needs: Rule['needs'], method: string, below = '', body?: string | object): Rule => ({
  route: `${method} /export-location/:location${below}`,
  needs,
  given: (who) => [
    {
      as: admin,
      request: `PUT /API/export-location/${locationOf(who)}`,
      headers: { 'content-type': 'application/json' },
      body: document,
    },
  ],
  request: (who) => ({
    request: `${method} /API/export-location/${locationOf(who)}${below}`,
    ...(body !== undefined && { body }),
  }),
});

const metadata = { field: [{ key: 'k', value: 'v' }] };

/** Rule for one key of the metadata of a location. */
const pair = (needs: Rule['needs'], method: string, body?: string): Rule => {
  const rule = location(needs, method, '/metadata/k', body);
  return {
    ...rule,
    route: `${method} /export-location/:location/metadata/:key{.+}`,
    given: (who) => [
      ...(rule.given?.(who) ?? []),
      {
        as: admin,
        request: `PUT /API/export-location/${locationOf(who)}/metadata`,
        headers: { 'content-type': 'application/json' },
        body: metadata,
      },
    ],
  };
};

const templateOf = (who: string): string => `template-${who}`;
const templateDocument = { text: [{ path: 'a.txt', content: 'a' }] };

const template = (needs: Rule['needs'], method: string, below = '', body?: object): Rule => ({
  route: `${method} /export-template/:template${below}`,
  needs,
  given: (who) => [
    {
      as: admin,
      request: `PUT /API/export-template/${templateOf(who)}`,
      headers: { 'content-type': 'application/json' },
      body: templateDocument,
    },
  ],
  request: (who) => ({
    request: `${method} /API/export-template/${templateOf(who)}${below}`,
    ...(body !== undefined && { body }),
  }),
});

const conforming = (method: string, path: string, at: (who: string) => string, query = (_who: string) => ''): Rule => ({
  route: `${method} ${path}`,
  needs: '_item_shape_write',
  rows: renderRowsOf,
  request: (who) => ({
    request: `${method} /API${at(who)}?tag=${tagOf(who)}${query(who)}`,
    body: conformOf(fileOf(who)),
  }),
});

export const exportRules: readonly Rule[] = [
  {
    route: 'POST /item/archive',
    needs: '_item_shape_read',
    rows: assetRowsOf,
    request: (who) => ({ request: 'POST /API/item/archive', body: { item: [`VX-${numberOf(who)}`] } }),
  },
  {
    route: 'GET /export/zip',
    needs: '_item_shape_read',
    rows: assetRowsOf,
    request: (who) => ({ request: `GET /API/export/zip?id=VX-${numberOf(who)}` }),
  },
  // A secret opens it: to all others no archive is there.
  {
    route: 'GET /APInoauth/archive/:archive',
    needs: 'nothing',
    allowed: 404,
    request: (who) => ({ request: `GET /APInoauth/archive/VX-${numberOf(who)}?secret=of-${who}` }),
  },
  conforming('PUT', '/item/:item/conform', (who) => `/item/${fileOf(who)}/conform`),
  conforming('POST', '/item/:item/conform', (who) => `/item/${fileOf(who)}/conform`),
  conforming(
    'POST',
    '/conform',
    () => '/conform',
    (who) => `&destinationItem=${fileOf(who)}`,
  ),
  exporting('/item/:item', (who) => `/item/VX-${numberOf(who)}`),
  exporting('/collection/:collection', (who) => `/collection/VX-${numberOf(who)}`),
  exporting('/library/:library', (who) => `/library/VX*${numberOf(who)}`),
  exporting('/item/:item/shape/:shape', (who) => shapeOf(who), shapeRowsOf),
  { route: 'GET /export-template', needs: '_export', request: () => ({ request: 'GET /API/export-template' }) },
  template('_export', 'GET'),
  template('_export', 'GET', '/graph'),
  template('_export', 'GET', '/graph/dot'),
  template('_administrator', 'PUT', '', templateDocument),
  template('_administrator', 'DELETE'),
  ...['POST', 'PUT'].map(
    (method): Rule => ({
      route: `${method} /export-template/test`,
      needs: '_administrator',
      request: () => ({ request: `${method} /API/export-template/test`, body: templateDocument }),
    }),
  ),
  listing('/item/list', () => '/item/list'),
  listing('/library/:library/list', (who) => `/library/VX*${numberOf(who)}/list`),
  location('_export', 'GET'),
  location('_administrator', 'PUT', '', document),
  location('_administrator', 'DELETE'),
  location('_export', 'GET', '/script'),
  location('_administrator', 'PUT', '/script', 'filename'),
  location('_export', 'GET', '/metadata'),
  location('_administrator', 'PUT', '/metadata', metadata),
  location('_administrator', 'DELETE', '/metadata'),
  pair('_export', 'GET'),
  pair('_administrator', 'PUT', 'w'),
  pair('_administrator', 'DELETE'),
];
