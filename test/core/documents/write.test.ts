import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { notificationDocument } from '../../../src/administration/notifications/documents/notification.ts';
import {
  attribute,
  dateTime,
  document,
  element,
  integer,
  list,
  string,
  structure,
} from '../../../src/core/documents/describe.ts';
import {
  exceptionDocument,
  readXml,
  simpleMetadataDocument,
  uriListDocument,
  writeJson,
  writeXml,
} from '../../../src/core/documents/index.ts';
import { accessKeyDocument, userDocument, userListDocument } from '../../../src/identity/documents.ts';

const prolog = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

describe('writeXml', () => {
  it('prints prolog, root with namespace, attributes, then elements as described', () => {
    const value = { realName: 'A', userName: 'a', disabled: true, alias: ['b', 'c'] };
    expect(writeXml(userDocument, value, 'urn:x')).toBe(
      `${prolog}<UserDocument xmlns="urn:x" disabled="true"><userName>a</userName><realName>A</realName><alias>b</alias><alias>c</alias></UserDocument>`,
    );
  });

  it('never prints a password or a salt, even if present', () => {
    const value = { userName: 'a', password: 'p', salt: 's' };
    expect(writeXml(userDocument, value, 'urn:x')).not.toMatch(/password|salt/);
    expect(writeJson(userDocument, value)).toBe('{"userName":"a"}');
  });

  it('prints a marker as open and close', () => {
    const value = {
      action: { http: { url: 'u', retry: 3, contentType: 'text/plain', method: 'POST', timeout: '5' } as const },
      trigger: { job: { stop: true } as const },
    };
    expect(writeXml(notificationDocument, value, 'urn:x')).toBe(
      `${prolog}<NotificationDocument xmlns="urn:x"><action><http><retry>3</retry><contentType>text/plain</contentType><url>u</url><method>POST</method><timeout>5</timeout></http></action><trigger><job><stop></stop></job></trigger></NotificationDocument>`,
    );
  });

  it('escapes text and attributes so that they come back exactly', () => {
    const text = `<&>"' ]]> \t\n\r å😀\u0085\u2028`;
    const xml = writeXml(
      simpleMetadataDocument,
      { field: [{ key: text, value: { value: text, mode: text } }] },
      'urn:"<&',
    );
    expect(xml).toContain('xmlns="urn:&quot;&lt;&amp;"');
    expect(xml).toContain(`mode="&lt;&amp;&gt;&quot;' ]]&gt; &#9;&#10;&#13; å😀\u0085\u2028"`);
    expect(xml).toContain(`<key>&lt;&amp;&gt;"' ]]&gt; \t\n&#13; å😀\u0085\u2028</key>`);
    expect(readXml(simpleMetadataDocument, xml)).toEqual({
      field: [{ key: text, value: { value: text, mode: text } }],
    });
  });

  it('drops the characters that XML cannot carry, and halves of characters', () => {
    const bad = 'a\u0000b\u0008c\u000bd\u001fe\ufffef\uffffg\ud800h\udc00i😀';
    expect(writeXml(userDocument, { userName: bad }, 'urn:x')).toContain('<userName>abcdefghi😀</userName>');
    expect(writeXml(userDocument, { userName: 'a', alias: [bad] }, bad)).toContain('xmlns="abcdefghi😀"');
  });

  it('always prints what can be read, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
        (text) => {
          readXml(uriListDocument, writeXml(uriListDocument, { uri: [text] }, 'urn:x'));
          readXml(
            simpleMetadataDocument,
            writeXml(simpleMetadataDocument, { field: [{ key: '', value: { value: '', mode: text } }] }, 'urn:x'),
          );
        },
      ),
    );
  });
});

describe('writeJson', () => {
  it('has no root, prints attributes as siblings, omits absent fields, keeps empty lists', () => {
    expect(writeJson(userDocument, { disabled: true, userName: 'a', realName: undefined })).toBe(
      '{"userName":"a","disabled":true}',
    );
    expect(writeJson(userListDocument, { hits: 0, user: [] })).toBe('{"hits":0,"user":[]}');
    expect(writeJson(userListDocument, {})).toBe('{}');
  });

  it('prints lists with one entry as arrays', () => {
    expect(writeJson(uriListDocument, { uri: ['a'] })).toBe('{"uri":["a"]}');
  });

  it('prints a marker as an empty string', () => {
    const value = { action: { http: { url: 'u' } }, trigger: { item: { create: true } as const } };
    expect(writeJson(notificationDocument, value)).toBe(
      '{"action":{"http":{"url":"u"}},"trigger":{"item":{"create":""}}}',
    );
  });

  it('prints text alone as a string, and with attributes under the key "value"', () => {
    const value = {
      field: [
        { key: 'k', value: { value: 'v' } },
        { key: 'k', value: { value: 'w', mode: 'add' } },
      ],
    };
    expect(writeJson(simpleMetadataDocument, value)).toBe(
      '{"field":[{"key":"k","value":"v"},{"key":"k","value":{"value":"w","mode":"add"}}]}',
    );
  });

  it('prints dates without a colon in the offset, XML with Z', () => {
    const value = { created: Date.UTC(2020, 8, 23, 10, 57, 34, 98) };
    expect(writeJson(accessKeyDocument, value)).toBe('{"created":"2020-09-23T10:57:34.098+0000"}');
    expect(writeXml(accessKeyDocument, value, 'urn:x')).toContain('<created>2020-09-23T10:57:34.098Z</created>');
  });

  it('prints all nine faults of an error, null for the unused ones, also inside', () => {
    const value = { notFound: { type: 'User', id: 'bob' } };
    expect(writeJson(exceptionDocument, value)).toBe(
      '{"notFound":{"type":"User","id":"bob","context":null},"internalServer":null,"forbidden":null,"notYetImplemented":null,"conflict":null,"invalidInput":null,"licenseFault":null,"fileAlreadyExists":null,"notAuthorized":null}',
    );
    expect(writeXml(exceptionDocument, value, 'urn:x')).toBe(
      `${prolog}<ExceptionDocument xmlns="urn:x"><notFound><type>User</type><id>bob</id></notFound></ExceptionDocument>`,
    );
  });
});

describe('values of one list that have different parts', () => {
  const keys = ['a', 'b', 'c', 'd'] as const;
  const entry = structure('EntryType', {
    a: element(string),
    b: element(integer),
    c: attribute(string),
    d: attribute(dateTime),
  });
  const entries = document('EntriesDocument', { entry: list(entry) });
  // Each subset of the keys in two orders: more kinds of values than the writers remember.
  const kinds = Array.from({ length: 16 }, (_, bits) => keys.filter((_key, at) => bits & (1 << at)));
  const orders = kinds.flatMap((each) => [each, each.toReversed()]);
  const entryOf = (order: readonly string[], turn: number) =>
    Object.fromEntries(order.map((key) => [key, key === 'b' || key === 'd' ? turn : `${key}${turn >> 1}`]));

  it('each has its own parts in the order of the description, also where the value before had others', () => {
    const entry = [0, 1, 2].flatMap((turn) => orders.map((order) => entryOf(order, turn)));
    const texts = entry.map((one) => {
      const part = (key: string) => (key in one ? [[key, one[key] as string | number] as const] : []);
      const [a, b, c] = [part('a'), part('b'), part('c')];
      const d = part('d').map(([key, time]) => [key, new Date(time as number).toISOString()] as const);
      return {
        xml: `<entry${[...c, ...d].map(([key, text]) => ` ${key}="${text}"`).join('')}>${[...a, ...b].map(([key, text]) => `<${key}>${text}</${key}>`).join('')}</entry>`,
        json: Object.fromEntries([...a, ...b, ...c, ...d.map(([key, text]) => [key, text.replace('Z', '+0000')])]),
      };
    });
    expect(writeXml(entries, { entry }, 'urn:x')).toBe(
      `${prolog}<EntriesDocument xmlns="urn:x">${texts.map(({ xml }) => xml).join('')}</EntriesDocument>`,
    );
    expect(writeJson(entries, { entry })).toBe(JSON.stringify({ entry: texts.map(({ json }) => json) }));
  });
});
