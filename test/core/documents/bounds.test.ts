import { describe, expect, it } from 'vitest';
import { defaultLimits, readJson, readXml, simpleMetadataDocument } from '../../../src/core/documents/index.ts';
import { groupDocument, userDocument } from '../../../src/identity/documents.ts';
import { failure } from '../../support/thrown.ts';

const wide = { ...defaultLimits, entries: 1_000_000, unknown: 1_000_000 };
const pair = '{"key":"k","value":"v"}';
const metadata = (pairs: number, tail = '') => `{"field":[${Array(pairs).fill(pair).join()}${tail}]}`;
const metadataXml = (pairs: number, tail = '') =>
  `<SimpleMetadataDocument>${'<field><key>k</key><value>v</value></field>'.repeat(pairs)}${tail}</SimpleMetadataDocument>`;

describe('a list ends where its description or its limit says', () => {
  it('in JSON', () => {
    expect(readJson(simpleMetadataDocument, metadata(1000), wide).field).toHaveLength(1000);
    const error = failure(() => readJson(simpleMetadataDocument, metadata(1001), wide));
    expect(error).toMatchObject({ kind: 'limit', limit: 'entries', place: '/SimpleMetadataDocument/field[1001]' });
    expect(error.explanation).toBe('Expected at most 1000 elements "field" in this list: found more');
  });

  it('in XML', () => {
    expect(readXml(simpleMetadataDocument, metadataXml(1000), wide).field).toHaveLength(1000);
    const error = failure(() => readXml(simpleMetadataDocument, metadataXml(1001), wide));
    expect(error).toMatchObject({ kind: 'limit', limit: 'entries', place: '/SimpleMetadataDocument/field[1001]' });
    expect(error.explanation).toBe('Expected at most 1000 elements "field" in this list: found more');
  });

  it('at the first entry too many: what follows is not looked at', () => {
    expect(failure(() => readJson(simpleMetadataDocument, metadata(1000, `,${pair},no JSON`))).limit).toBe('entries');
    expect(failure(() => readXml(simpleMetadataDocument, metadataXml(1000, '<field>&no XML'))).limit).toBe('entries');
  });

  it('wherever the limit of all lists is smaller', () => {
    const narrow = { ...defaultLimits, entries: 2 };
    expect(failure(() => readJson(simpleMetadataDocument, metadata(3), narrow)).place).toContain('field[3]');
    const users = '{"userList":{"user":[{"userName":"a"},{"userName":"b"},{"userName":"c"}]}}';
    expect(failure(() => readJson(groupDocument, users, narrow)).place).toBe('/GroupDocument/userList/user[3]');
    const aliases =
      '<UserDocument><userName>a</userName><alias>b</alias><alias>c</alias><alias>d</alias></UserDocument>';
    expect(failure(() => readXml(userDocument, aliases, narrow)).place).toBe('/UserDocument/alias[3]');
  });
});

describe('what no description knows has a bound of its own', () => {
  const limits = { ...defaultLimits, unknown: 3 };

  it.each(['{"a":1,"b":2,"c":3}', '{"a":[1,2]}', '{"a":{"b":{"c":null}}}', '{"userList":{"user":[null,null,null]}}'])(
    'JSON at the bound is read, beyond it is refused: %s',
    (body) => {
      expect(readJson(groupDocument, body, limits)).toBeDefined();
      expect(failure(() => readJson(groupDocument, body, { ...limits, unknown: 2 }))).toMatchObject({
        kind: 'limit',
        limit: 'unknown',
      });
    },
  );

  it.each(['<a/><b/><c/>', '<a><b/><c/></a>', '<groupName>g<b><c/></b><d/></groupName>'])(
    'XML at the bound is read, beyond it is refused: %s',
    (inside) => {
      const body = `<GroupDocument>${inside}</GroupDocument>`;
      expect(readXml(groupDocument, body, limits)).toBeDefined();
      const error = failure(() => readXml(groupDocument, body, { ...limits, unknown: 2 }));
      expect(error).toMatchObject({ kind: 'limit', limit: 'unknown' });
      expect(error.explanation).toBe('Expected at most 2 unknown elements in the document: found more');
    },
  );
});
