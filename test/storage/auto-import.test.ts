import { describe, expect, it } from 'vitest';
import { newUser } from '../support/cast.ts';
import { by, jsonOf, send, xml } from '../support/requests.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { fetchEntry, mediaOptions, openStorages, storageAt } from '../support/storages.ts';
import { givenTo, keeper, looker } from '../support/world.ts';

const rule = '/API/storage/VX-1/auto-import';
const helper: Credentials = ['helper', 'password of helper'];
const full = {
  tag: ['original', 'lowres'],
  projection: 'p',
  settingsId: 'VX-1',
  fileNameAsTitle: true,
  user: 'keeper',
  resourceId: 'VX-4',
  excludeFilter: [{ pattern: '.*\\.tmp', tag: ['a'] }],
  shapeTagFilter: [{ pattern: '.*\\.mov', tag: ['lowres'] }],
  ignoreSidecarImport: true,
  disabledSidecarExtensions: ['xmp'],
  priority: 'HIGH',
  jobmetadata: { field: [{ key: 'k', value: 'v' }] },
};

const settings: Scenario['given'] = [{ as: admin, request: 'POST /API/import/settings', body: {} }];

const rows: readonly Scenario[] = [
  { name: 'a rule is set', given: settings, ...by(`PUT ${rule}/`, full), status: 200, says: { exact: '' } },
  {
    name: 'a rule is read as it was set, with its storage, and enabled',
    given: [...settings, by(`PUT ${rule}`, full)],
    ...by(`GET ${rule}/`),
    status: 200,
    says: { json: { ...full, storage: 'VX-1', enabled: true } },
  },
  {
    name: 'it comes and goes in XML',
    given: [
      by(
        `PUT ${rule}`,
        '<AutoImportRuleDocument xmlns="http://xml.vidispine.com/schema/vidispine"><tag>original</tag><enabled>false</enabled></AutoImportRuleDocument>',
        { 'content-type': 'application/xml' },
      ),
    ],
    ...by(`GET ${rule}`, undefined, xml),
    status: 200,
    says: { contains: ['<storage>VX-1</storage><tag>original</tag><enabled>false</enabled>'] },
  },
  {
    name: 'a rule is switched off and on',
    given: [by(`PUT ${rule}`, {}), by(`PUT ${rule}/disable`), by(`PUT ${rule}/enable`)],
    ...by(`PUT ${rule}/disable`),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'a switched-off rule tells so',
    given: [by(`PUT ${rule}`, {}), by(`PUT ${rule}/disable`)],
    ...by(`GET ${rule}`),
    status: 200,
    says: { json: { storage: 'VX-1', enabled: false } },
  },
  ...['enable', 'disable'].map(
    (word): Scenario => ({ name: `there is no rule to ${word}`, ...by(`PUT ${rule}/${word}`), status: 404 }),
  ),
  { name: 'there is no rule to read', ...by(`GET ${rule}`), status: 404 },
  {
    name: 'a rule goes',
    given: [by(`PUT ${rule}`, {})],
    ...by(`DELETE ${rule}`),
    status: 200,
    says: { exact: '' },
  },
  { name: 'no rule goes, too', ...by(`DELETE ${rule}`), status: 200 },
  ...['GET', 'PUT', 'DELETE'].map(
    (method): Scenario => ({
      name: `${method}: the storage is there`,
      ...by(`${method} /API/storage/VX-9/auto-import`, method === 'PUT' ? {} : undefined),
      status: 404,
      says: { jsonPart: { notFound: { type: 'Storage', id: 'VX-9' } } },
    }),
  ),
  {
    name: 'no rules are an empty list',
    ...by('GET /API/storage/auto-import/'),
    status: 200,
    says: { json: { rule: [] } },
  },
  {
    name: 'all rules are listed',
    given: [by('PUT /API/storage/VX-2/auto-import', {}), by(`PUT ${rule}`, {})],
    ...by('GET /API/storage/auto-import/'),
    status: 200,
    says: {
      json: {
        rule: [
          { storage: 'VX-1', enabled: true },
          { storage: 'VX-2', enabled: true },
        ],
      },
    },
  },
  ...(
    [
      [{ excludeFilter: [{ pattern: '(' }] }, 400],
      [{ shapeTagFilter: [{ pattern: '(?=a)' }] }, 400],
      [{ excludeFilter: [{ tag: ['a'] }] }, 400],
      [{ priority: 'SOON' }, 400],
      [{ user: 'nobody' }, 404],
    ] as const
  ).map(
    ([document, status]): Scenario => ({
      name: `a rule is refused with ${JSON.stringify(document)}`,
      ...by(`PUT ${rule}`, document),
      status,
    }),
  ),
  {
    name: 'a keeper sets rules, also in its own name',
    ...by(`PUT ${rule}`, { user: 'keeper' }),
    as: keeper,
    status: 200,
  },
  {
    name: 'a keeper sets no rule that works in the name of the administrator',
    ...by(`PUT ${rule}`, { user: 'admin' }),
    as: keeper,
    status: 403,
    answers: { 'portico-error': 'not-allowed' },
  },
  {
    name: 'who only acts for a keeper sets rules',
    ...by(`PUT ${rule}`, {}),
    as: helper,
    headers: { runas: 'keeper', accept: 'application/json' },
    status: 200,
  },
  {
    name: 'who only acts for a keeper sets no rule that works in its name later',
    ...by(`PUT ${rule}`, { user: 'keeper' }),
    as: helper,
    headers: { runas: 'keeper', accept: 'application/json' },
    status: 403,
  },
  { name: 'a reader sets none', ...by(`PUT ${rule}`, {}), as: looker, status: 403 },
  { name: 'a reader reads them', given: [by(`PUT ${rule}`, {})], ...by(`GET ${rule}`), as: looker, status: 200 },
];

describe('auto-import rules', () => {
  itHolds(
    fetchEntry,
    rows,
    mediaOptions({
      given: [...givenTo('storages'), newUser(helper, ['_runas'], { runAs: true }), storageAt('a'), storageAt('b')],
    }),
  );

  it('a rule goes with its storage', async () => {
    const world = await openStorages();
    await send(world, storageAt('a'));
    await send(world, by(`PUT ${rule}`, {}));
    await send(world, by('DELETE /API/storage/VX-1'));
    expect(await jsonOf(world, 'GET /API/storage/auto-import')).toEqual({ rule: [] });
  });
});
