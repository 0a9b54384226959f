import { describe, expect, it } from 'vitest';
import { notificationDocument } from '../../../src/administration/notifications/documents/notification.ts';
import { quotaRuleDocument } from '../../../src/administration/quota/quota-rules/documents.ts';
import {
  createXmlReader,
  defaultLimits,
  readXml,
  rootName,
  simpleMetadataDocument,
} from '../../../src/core/documents/index.ts';
import { accessKeyDocument, groupDocument, userDocument, userListDocument } from '../../../src/identity/documents.ts';
import { failure } from '../../support/thrown.ts';
import { costSince, cpuTime } from '../../support/turns.ts';

const user = (inside: string) => `<UserDocument xmlns="urn:x">${inside}</UserDocument>`;
const bytes = (text: string) => new TextEncoder().encode(text);

describe('readXml is lenient', () => {
  it('takes any prefix, any namespace and none', () => {
    const forms = [
      '<UserDocument><userName>a</userName></UserDocument>',
      '<UserDocument xmlns="urn:one"><userName>a</userName></UserDocument>',
      '<p:UserDocument xmlns:p="urn:two"><p:userName>a</p:userName></p:UserDocument>',
      '<p:UserDocument xmlns:p="urn:two" xmlns:q="urn:three"><q:userName>a</q:userName></p:UserDocument>',
    ];
    for (const form of forms) expect(readXml(userDocument, form)).toEqual({ userName: 'a' });
  });

  it('takes elements in any order', () => {
    expect(readXml(userDocument, user('<realName>A</realName><userName>a</userName>'))).toEqual({
      userName: 'a',
      realName: 'A',
    });
  });

  it('takes an attribute as an element and an element as an attribute', () => {
    expect(readXml(userDocument, user('<userName>a</userName><disabled>true</disabled>')).disabled).toBe(true);
    expect(readXml(userDocument, '<UserDocument userName="a" disabled="1"/>')).toEqual({
      userName: 'a',
      disabled: true,
    });
  });

  it('does not take an attribute of another namespace for a field', () => {
    const xml = `<UserDocument xmlns:xsi="urn:xsi" xsi:userName="b"><userName>a</userName></UserDocument>`;
    expect(readXml(userDocument, xml)).toEqual({ userName: 'a' });
  });

  it('ignores unknown elements with all that is in them, and unknown attributes', () => {
    const xml = user('<new size="3"><userName>no</userName>text</new><userName new="x">a<b>c</b>d</userName>');
    expect(readXml(userDocument, xml)).toEqual({ userName: 'ad' });
  });

  it('ignores comments and processing instructions, also inside a text', () => {
    const xml = `<?a b?><!-- c -->${user('<userName>a<!-- x -->b<?y z?>c<![CDATA[<d>]]></userName>')}<!-- e -->`;
    expect(readXml(userDocument, xml)).toEqual({ userName: 'abc<d>' });
  });

  it('trims numbers, booleans and enumerations, and keeps strings exactly', () => {
    const rule = `<QuotaRuleDocument><description>  two  spaces </description>
      <resource><name> storage </name><limit>
        +12 </limit></resource></QuotaRuleDocument>`;
    expect(readXml(quotaRuleDocument, rule)).toEqual({
      description: '  two  spaces ',
      resource: [{ name: 'storage', limit: 12 }],
    });
    for (const yes of ['true', 'TRUE', '1', ' True\n']) {
      expect(readXml(userDocument, user(`<userName>a</userName><remove>${yes}</remove>`)).remove).toBe(true);
    }
    for (const no of ['false', 'False', '0']) {
      expect(readXml(userDocument, user(`<userName>a</userName><remove>${no}</remove>`)).remove).toBe(false);
    }
  });

  it('takes an enumeration in any case and gives it as described', () => {
    expect(readXml(accessKeyDocument, '<AccessKeyDocument><status>inactive</status></AccessKeyDocument>').status).toBe(
      'INACTIVE',
    );
  });

  it('takes a BOM, and the encodings that UTF-8 covers', () => {
    expect(readXml(userDocument, bytes(`\ufeff${user('<userName>å</userName>')}`)).userName).toBe('å');
    expect(readXml(userDocument, `\ufeff${user('<userName>å</userName>')}`).userName).toBe('å');
    for (const encoding of ['UTF-8', 'utf-8', 'utf8', 'US-ASCII']) {
      const xml = `<?xml version="1.0" encoding="${encoding}"?>${user('<userName>a</userName>')}`;
      expect(readXml(userDocument, bytes(xml)).userName).toBe('a');
    }
  });

  it('reads text with attributes, and an empty text as empty', () => {
    const xml = `<SimpleMetadataDocument><field><key>k</key><value mode="add"/></field><field><value>v</value><key>l</key></field></SimpleMetadataDocument>`;
    expect(readXml(simpleMetadataDocument, xml)).toEqual({
      field: [
        { key: 'k', value: { mode: 'add', value: '' } },
        { key: 'l', value: { value: 'v' } },
      ],
    });
  });

  it('reads every ISO 8601 form as milliseconds since the epoch', () => {
    const created = (text: string) =>
      readXml(accessKeyDocument, `<AccessKeyDocument><created>${text}</created></AccessKeyDocument>`).created;
    for (const text of [
      '2020-09-23T10:57:34.098Z',
      '2020-09-23T10:57:34.098+0000',
      '2020-09-23T12:57:34.098+02:00',
      '2020-09-23T05:27:34,098-0530',
      '20200923T105734.098Z',
      ' 2020-09-23T10:57:34.0989 ',
    ]) {
      expect(created(text)).toBe(Date.UTC(2020, 8, 23, 10, 57, 34, 98));
    }
    expect(created('2024-02-29')).toBe(Date.UTC(2024, 1, 29));
    for (const text of ['2023-02-29', '2020-13-01', '2020-09-23T24:00:00Z', 'now', '', '2020-0923', '2020-09-23T10']) {
      expect(failure(() => created(text)).kind).toBe('type');
    }
  });
});

describe('readXml says what is wrong, and where', () => {
  it('takes any name of the root, and names in a refusal the one that it expected', () => {
    expect(readXml(userDocument, '<resource><userName>a</userName></resource>')).toEqual({ userName: 'a' });
    const error = failure(() => readXml(userDocument, '<GroupDocument/>'));
    expect(error.explanation).toBe('Expected the element "userName": missing element');
    expect(error).toMatchObject({ kind: 'structure', place: '/UserDocument/userName' });
  });

  it('refuses a doubled single element, as element or as attribute', () => {
    const error = failure(() => readXml(userDocument, user('<userName>a</userName>\n<userName>b</userName>')));
    expect(error.explanation).toBe('Expected the element "userName" once: doubled element');
    expect(error).toMatchObject({ kind: 'structure', place: '/UserDocument/userName', line: 2 });
    expect(
      failure(() => readXml(userDocument, '<UserDocument userName="a"><userName>b</userName></UserDocument>'))
        .explanation,
    ).toContain('doubled element');
    expect(
      failure(() => readXml(userDocument, user('<groupList/><groupList/><userName>a</userName>'))).explanation,
    ).toContain('"groupList" once');
  });

  it('refuses a missing required element, and names what may have been meant', () => {
    expect(failure(() => readXml(userDocument, user(''))).explanation).toBe(
      'Expected the element "userName": missing element',
    );
    const error = failure(() => readXml(userDocument, user('<usrName>a</usrName>')));
    expect(error.explanation).toBe('Expected the element "userName": missing element, found "usrName"');
    expect(error).toMatchObject({ place: '/UserDocument/userName', found: 'usrName' });
  });

  it('refuses a wrong type with place, line and column of the text', () => {
    const xml =
      '<QuotaRuleDocument>\n <resource><name>item</name><limit>1</limit></resource>\n <resource><name>item</name><limit>ten</limit></resource></QuotaRuleDocument>';
    const error = failure(() => readXml(quotaRuleDocument, xml));
    expect(error.explanation).toBe('Expected an integer: found "ten"');
    expect(error).toMatchObject({
      kind: 'type',
      place: '/QuotaRuleDocument/resource[2]/limit',
      found: 'ten',
      line: 3,
      column: 36,
    });
    expect(error.message).toBe(
      'Expected an integer: found "ten" (/QuotaRuleDocument/resource[2]/limit, line 3, column 36)',
    );
  });

  it.each(['', 'x', '1.5', '1e3', '0x10', '9007199254740993', '1 2', 'NaN', '--1'])(
    'refuses "%s" as an integer',
    (text) => {
      const xml = `<UserListDocument><hits>${text}</hits></UserListDocument>`;
      expect(failure(() => readXml(userListDocument, xml)).explanation).toContain('Expected an integer');
    },
  );

  it('names the nearest value of an enumeration', () => {
    const error = failure(() => readXml(accessKeyDocument, '<AccessKeyDocument status="ACTVE"/>'));
    expect(error.explanation).toBe('Expected one of "ACTIVE", "INACTIVE": found "ACTVE", nearest is "ACTIVE"');
    expect(error.place).toBe('/AccessKeyDocument/status');
  });

  it('counts the members of lists from one', () => {
    const list = (inside: string) => `<GroupDocument><childGroupList>${inside}</childGroupList></GroupDocument>`;
    const error = failure(() =>
      readXml(groupDocument, list('<group><groupName>a</groupName></group><group><role>perhaps</role></group>')),
    );
    expect(error.place).toBe('/GroupDocument/childGroupList/group[2]/role');
  });

  it('cuts what it found to 80 characters', () => {
    const error = failure(() => readXml(userListDocument, `<UserListDocument hits="${'9'.repeat(5000)}"/>`));
    expect(error.found).toHaveLength(80);
    expect(error.explanation.length).toBeLessThan(150);
  });

  it('gives the position of what is not well-formed', () => {
    const error = failure(() => readXml(userDocument, user('<userName>a\n</user>')));
    expect(error).toMatchObject({ kind: 'syntax', place: '/UserDocument', line: 2, column: 7 });
    expect(error.explanation).toBe('Expected well-formed XML: unexpected close tag');
  });

  it('refuses bytes that are not UTF-8, in one piece and in several', () => {
    const body = new Uint8Array([...bytes('<UserDocument><userName>'), 0xff, ...bytes('</userName></UserDocument>')]);
    expect(failure(() => readXml(userDocument, body)).explanation).toBe('Expected UTF-8: found other bytes');
    const reader = createXmlReader(userDocument);
    expect(failure(() => reader.write(body)).kind).toBe('syntax');
    expect(failure(() => reader.end()).explanation).toBe('Expected UTF-8: found other bytes');
    const cut = createXmlReader(userDocument);
    cut.write(bytes(user('<userName>a</userName>')));
    cut.write(new Uint8Array([0xc3]));
    expect(failure(() => cut.end()).explanation).toBe('Expected UTF-8: found other bytes');
  });

  it('keeps saying the same after it has refused', () => {
    const reader = createXmlReader(notificationDocument, { ...defaultLimits, bytes: 30 });
    const first = failure(() => reader.write(bytes('<NotificationDocument><action>')) ?? reader.write(bytes('<')));
    expect(first).toMatchObject({ kind: 'limit', limit: 'bytes' });
    expect(failure(() => reader.end())).toBe(first);
  });

  it.each(['', ' ', 'text', '<', '<UserDocument', '<UserDocument>', '{}'])('refuses %j as a document', (text) => {
    expect(failure(() => readXml(userDocument, text)).kind).toBe('syntax');
  });

  it('refuses half a character in a string body', () => {
    expect(failure(() => readXml(userDocument, user('<userName>\ud83d</userName>'))).kind).toBe('syntax');
  });
});

describe('a parser that is used again', () => {
  const limits = { ...defaultLimits, elements: 3, unknown: 2 };
  const whole = user('\n<userName>a</userName><new/>');

  it('knows nothing of the document before: not its values, its counts or its lines', () => {
    const names: string[] = [];
    const read = () => {
      const reader = createXmlReader(userDocument, limits, (name) => names.push(name));
      reader.write(bytes(whole));
      return reader.end();
    };
    const first = read();
    expect(read()).toEqual({ userName: 'a' });
    expect(read()).not.toBe(first);
    expect(names).toEqual(['new', 'new', 'new']);
    expect(failure(() => readXml(userDocument, user('\n<userName>b</userNam>')))).toMatchObject({ line: 2 });
    expect(failure(() => readXml(userDocument, user('\n<userName>b</userNam>')))).toMatchObject({ line: 2 });
    expect(readXml(groupDocument, '<GroupDocument><groupName>g</groupName></GroupDocument>')).toEqual({
      groupName: 'g',
    });
  });

  it("is nobody else's while it reads, and is not used again after an error", () => {
    const one = createXmlReader(userDocument);
    const other = createXmlReader(userDocument);
    const broken = createXmlReader(userDocument);
    one.write(bytes('<UserDocument><userName>on'));
    other.write(bytes('<UserDocument><userName>oth'));
    failure(() => broken.write(bytes('<UserDocument></userName>')));
    const next = createXmlReader(userDocument);
    next.write(bytes(user('<userName>next</userName>')));
    one.write(bytes('e</userName></UserDocument>'));
    other.write(bytes('er</userName></UserDocument>'));
    expect([one.end(), next.end(), other.end()].map(({ userName }) => userName)).toEqual(['one', 'next', 'other']);
  });

  it('takes nothing from a caller whose document has ended', () => {
    const ended = createXmlReader(userDocument);
    ended.write(bytes(user('<userName>ended</userName>')));
    ended.end();
    const next = createXmlReader(userDocument);
    next.write(bytes('<UserDocument><userName>ne'));
    expect(() => ended.write(bytes('<userName>ended</userName>'))).toThrow('a reader that has ended');
    expect(() => ended.end()).toThrow('a reader that has ended');
    next.write(bytes('xt</userName></UserDocument>'));
    expect(next.end()).toEqual({ userName: 'next' });
  });
});

it.each([
  ['<UserDocument/>', 'UserDocument'],
  ['<UserDocument xmlns="urn:x">', 'UserDocument'],
  ['<v:UserDocument\nxmlns:v="urn:x">', 'UserDocument'],
  ['\ufeff<?xml version="1.0"?>\n<!-- <No/> --><?pi <No/> ?><UserDocument>', 'UserDocument'],
  ['', undefined],
  ['UserDocument', undefined],
  ['{"userName":"a"}', undefined],
  ['<!-- <UserDocument/>', undefined],
  ['<?xml <UserDocument/>', undefined],
  ['<!DOCTYPE a><a/>', undefined],
  ['</UserDocument>', undefined],
  ['<UserDocument', undefined],
  [`<${'a'.repeat(100)}/>`, undefined],
])('the root of %j is %j', (xml, name) => {
  expect(rootName(xml)).toBe(name);
});

it('is found in linear time, whatever stands in front of it', () => {
  const started = cpuTime();
  for (const piece of ['<!--', '<?', '<!---->', '<??>', ' ', '<a:']) rootName(piece.repeat(200_000));
  expect(costSince(started)).toBeLessThan(2_000);
});
