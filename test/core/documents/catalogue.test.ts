import { describe, expect, expectTypeOf, it } from 'vitest';
import { versionDocument } from '../../../src/administration/operations/documents.ts';
import { selfTestDocument } from '../../../src/administration/operations/self-test.ts';
import { quotaRuleListDocument } from '../../../src/administration/quota/quota-rules/documents.ts';
import {
  attribute,
  content,
  document,
  element,
  exceptionDocument,
  list,
  marker,
  oneOf,
  readJson,
  readXml,
  string,
  structure,
  type Value,
  writeJson,
  writeXml,
} from '../../../src/core/documents/index.ts';
import { configurationPropertyListDocument } from '../../../src/identity/api-settings/documents.ts';
import { accessKeyListDocument, groupDocument, userDocument } from '../../../src/identity/documents.ts';
import { catalogue } from '../../support/declared.ts';
import { failure } from '../../support/thrown.ts';

it('every document has its own root name', () => {
  const names = catalogue.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[A-Z]\w+Document$/);
});

describe('a description', () => {
  it('gives the type: required, optional, lists, enumerations, markers', () => {
    const sample = document('SampleDocument', {
      id: element(string).required,
      mode: attribute(oneOf('a', 'b')),
      stop: marker(),
      inner: list(structure('SampleInnerType', { text: content(string).required })),
    });
    expectTypeOf<Value<typeof sample>>().toEqualTypeOf<{
      readonly id: string;
      readonly mode?: 'a' | 'b' | undefined;
      readonly stop?: true | undefined;
      readonly inner?: readonly { readonly text: string }[] | undefined;
    }>();
    expectTypeOf(readXml(sample, '<SampleDocument id="x"/>')).toEqualTypeOf<Value<typeof sample>>();
  });

  it('refuses a field that a plain object seems to have, and structures beside text', () => {
    expect(() => structure('X', { constructor: element(string) })).toThrow('Expected another field name in X');
    expect(() => structure('X', { text: content(string), more: list(string) })).toThrow('Expected only single scalars');
  });
});

describe('users and groups', () => {
  it('a user holds groups, metadata and aliases', () => {
    const xml = `<UserDocument disabled="true"><userName>alice</userName><password>p</password><alias>al</alias>
      <groupList><group><groupName>editors</groupName><role>false</role></group><group><groupName>_user_read</groupName><remove>true</remove></group></groupList>
      <metadata><field><key>a/b</key><value>c</value></field></metadata></UserDocument>`;
    expect(readXml(userDocument, xml)).toEqual({
      disabled: true,
      userName: 'alice',
      password: 'p',
      alias: ['al'],
      groupList: {
        group: [
          { groupName: 'editors', role: false },
          { groupName: '_user_read', remove: true },
        ],
      },
      metadata: { field: [{ key: 'a/b', value: { value: 'c' } }] },
    });
  });

  it('a group holds parents, children and users, as deep as the limit allows', () => {
    const value = {
      groupName: 'g',
      parentGroupList: { group: [{ groupName: 'p', parentGroupList: { group: [{ groupName: 'q' }] } }] },
      childGroupList: {
        group: [{ groupName: 'c', userList: { user: [{ userName: 'u', groupList: { group: [] } }] } }],
      },
      userList: { hits: 1, user: [{ userName: 'v' }] },
    };
    expect(readJson(groupDocument, writeJson(groupDocument, value))).toEqual(value);
  });

  it('a group may leave its name to the path, a listed one may not', () => {
    expect(readXml(groupDocument, '<GroupDocument/>')).toEqual({});
    expect(failure(() => readJson(groupDocument, '{"childGroupList":{"group":[{"role":true}]}}')).place).toBe(
      '/GroupDocument/childGroupList/group[1]/groupName',
    );
  });
});

it('an error has exactly one child', () => {
  expect(failure(() => readXml(exceptionDocument, '<ExceptionDocument/>')).explanation).toContain(
    'Expected exactly one of "notFound"',
  );
  expect(
    failure(() => readXml(exceptionDocument, '<ExceptionDocument><conflict/><forbidden/></ExceptionDocument>'))
      .explanation,
  ).toContain('found "forbidden" and "conflict"');
});

it.each([
  [
    accessKeyListDocument,
    '{"hits":1,"key":[{"id":"VSIDABCDEFGHJKLMNPQR","name":"ci","status":"ACTIVE","created":"2024-01-05T09:00:00.000+0000"}]}',
  ],
  [
    configurationPropertyListDocument,
    '{"property":[{"key":"k","value":"v","lastChange":"2024-01-05T09:00:00.000+0000"}]}',
  ],
  [
    quotaRuleListDocument,
    '{"rule":[{"id":"VX-31","description":"d","group":"desk-a","storageGroup":"fast","externalId":[{"entityId":"VX-31","entityType":"quota","namespace":"n","externalId":"x"}],"resource":[{"name":"item","limit":5000,"usage":4120},{"name":"storage","limit":2000000000000,"usage":1730000000000}],"updateFrequency":3600,"lastUpdate":"2024-03-05T11:00:00.000+0000"}]}',
  ],
  [
    selfTestDocument,
    '{"test":[{"message":["a","b"],"test":[{"status":"failed"}],"name":"database","status":"ok"}],"status":"warning","took":"4"}',
  ],
  [
    versionDocument,
    '{"component":[{"name":"api","version":"1.0"}],"systemInfo":{"macaddress":["00"],"databaseSize":"3"},"licenseInfo":{"userNumber":{"allowed":"-1","current":"2"},"licenseStatus":"Valid","codecStatus":{"codec":[{"encode":true,"decode":true,"name":"h264"}]}}}',
  ],
] as const)('%# is read and printed as in the reference', (description, body) => {
  const value = readJson(description, body) as never;
  expect(writeJson(description, value)).toBe(body);
  expect(readXml(description, writeXml(description, value, 'urn:x'))).toEqual(value);
});
