import { describe, expect, it } from 'vitest';
import { notificationDocument } from '../../../src/administration/notifications/documents/notification.ts';
import {
  defaultLimits,
  exceptionDocument,
  readJson,
  simpleMetadataDocument,
} from '../../../src/core/documents/index.ts';
import { oauth2ConfigurationDocument } from '../../../src/identity/api-settings/documents.ts';
import { accessKeyDocument, userDocument, userListDocument } from '../../../src/identity/documents.ts';
import { failure } from '../../support/thrown.ts';

describe('readJson is lenient', () => {
  it('takes numbers and booleans in quotes, and numbers as strings', () => {
    expect(readJson(userListDocument, '{"hits":" 3 "}').hits).toBe(3);
    expect(readJson(userDocument, '{"userName":12,"disabled":"TRUE"}')).toEqual({ userName: '12', disabled: true });
  });

  it('takes a single value where a list is expected', () => {
    expect(readJson(oauth2ConfigurationDocument, '{"publicKey":"k"}')).toEqual({ publicKey: ['k'] });
    expect(readJson(userDocument, '{"userName":"a","groupList":{"group":{"groupName":"g"}}}').groupList).toEqual({
      group: [{ groupName: 'g' }],
    });
  });

  it('takes null for absent, also inside a list', () => {
    expect(readJson(userDocument, '{"userName":"a","realName":null,"groupList":null,"alias":[null,"b"]}')).toEqual({
      userName: 'a',
      alias: ['b'],
    });
    expect(readJson(userDocument, '{"userName":"a","alias":[]}').alias).toEqual([]);
  });

  it('ignores unknown properties', () => {
    expect(readJson(userDocument, '{"userName":"a","more":{"userName":[1,{"b":null}]}}')).toEqual({ userName: 'a' });
  });

  it('takes "__proto__" and "constructor" for names that nobody knows', () => {
    const value = readJson(
      userDocument,
      '{"__proto__":{"disabled":true},"constructor":{"prototype":1},"userName":"a"}',
    );
    expect(value).toEqual({ userName: 'a' });
    expect(value.disabled).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['disabled']).toBeUndefined();
  });

  it('takes a marker as "", true, {} or any word, and false or null as absent', () => {
    const job = (stop: string) =>
      readJson(notificationDocument, `{"action":{"http":{"url":"u"}},"trigger":{"job":{"create":"","stop":${stop}}}}`)
        .trigger.job;
    for (const yes of ['""', 'true', '{}', '"true"', '"stop"', '1'])
      expect(job(yes)).toEqual({ create: true, stop: true });
    for (const no of ['false', 'null', '"false"']) expect(job(no)).toEqual({ create: true });
    expect(failure(() => job('[]')).explanation).toBe('Expected an empty element: found an array');
  });

  it('takes an empty string for an empty element', () => {
    expect(readJson(userDocument, '{"userName":"a","groupList":""}').groupList).toEqual({});
  });

  it('takes text with attributes as an object, and the text alone', () => {
    const body =
      '{"field":[{"key":"k","value":"v"},{"key":"k","value":{"value":"w","mode":"add"}},{"key":"n","value":7}]}';
    expect(readJson(simpleMetadataDocument, body).field).toEqual([
      { key: 'k', value: { value: 'v' } },
      { key: 'k', value: { value: 'w', mode: 'add' } },
      { key: 'n', value: { value: '7' } },
    ]);
  });

  it('takes the dates of JSON and of XML', () => {
    for (const text of ['2020-09-23T10:57:34.098+0000', '2020-09-23T10:57:34.098Z', '2020-09-23T12:57:34.098+02:00']) {
      expect(readJson(accessKeyDocument, `{"created":"${text}"}`).created).toBe(Date.UTC(2020, 8, 23, 10, 57, 34, 98));
    }
    expect(failure(() => readJson(accessKeyDocument, '{"created":20200923}')).explanation).toBe(
      'Expected an ISO 8601 date and time: found a number',
    );
  });

  it('takes an error document with its nulls', () => {
    const body = '{"notFound":{"type":"User","id":"bob","context":null},"conflict":null,"forbidden":null}';
    expect(readJson(exceptionDocument, body)).toEqual({ notFound: { type: 'User', id: 'bob' } });
  });
});

describe('readJson says what is wrong, and where', () => {
  it.each([
    ['{"userName":"a",\n  x}', 2, 3, 'a property name in quotes'],
    ['{"userName":"a"\n\n"b"}', 3, 1, 'a comma or a closing bracket'],
    ['{"userName":}', 1, 13, 'a value'],
    ['{"userName"', 1, 12, 'a colon'],
    ['{"userName":"a', 1, 15, 'a closing quote'],
    ['{"userName":"a\\x"}', 1, 16, 'an escape'],
    ['{"userName":"\\u12g4"}', 1, 15, 'four hexadecimal digits'],
    ['{"userName":-}', 1, 14, 'a digit'],
    ['{"userName":01}', 1, 14, 'a comma or a closing bracket'],
    ['{"userName":1.}', 1, 15, 'a digit'],
    ['{"userName":"a",}', 1, 17, 'a property name in quotes'],
    ['[1,]', 1, 4, 'a value'],
    ['{"userName":"a"} {}', 1, 18, 'the end'],
    ['{"a":1]', 1, 7, 'a comma or a closing bracket'],
    ["{'a':1}", 1, 2, 'a property name in quotes'],
    ['NaN', 1, 1, 'a value'],
    ['', 1, 1, 'a value'],
  ])('gives the position in %j', (body, line, column, expected) => {
    const error = failure(() => readJson(userDocument, body));
    expect(error).toMatchObject({ kind: 'syntax', place: '/UserDocument', line, column });
    expect(error.explanation).toContain(`Expected ${expected} in JSON: found`);
  });

  it('does not quote the body in a syntax error, which may hold a password', () => {
    const error = failure(() => readJson(userDocument, '{"password":"s3cret" "userName":"a"}'));
    expect(JSON.stringify(error) + error.message).not.toContain('s3cret');
  });

  it('gives the place of a wrong value', () => {
    const body = '{"userName":"a","groupList":{"group":[{"groupName":"g"},{"groupName":"h","role":"perhaps"}]}}';
    const error = failure(() => readJson(userDocument, body));
    expect(error).toMatchObject({ kind: 'type', place: '/UserDocument/groupList/group[2]/role', found: 'perhaps' });
    expect(error.explanation).toBe('Expected true or false: found "perhaps"');
  });

  it.each(['[]', '"a"', 'null', '3', 'true', '[{"userName":"a"}]', '""'])('refuses %s as a document', (body) => {
    const error = failure(() => readJson(userDocument, body));
    expect(error.place.startsWith('/UserDocument')).toBe(true);
  });

  it.each([
    '{"userName":{}}',
    '{"userName":["a"]}',
    '{"userName":"a","groupList":["g"]}',
    '{"userName":"a","groupList":3}',
  ])('refuses %s', (body) => {
    expect(failure(() => readJson(userDocument, body)).kind).toBe('type');
  });

  it('refuses a missing required key, and a key beside its alias', () => {
    expect(failure(() => readJson(userDocument, '{"username":"a"}')).explanation).toBe(
      'Expected the element "userName": missing element, found "username"',
    );
    const body = '{"action":{"http":{"url":"u"}},"trigger":{"quota":{"created":"","create":""}}}';
    expect(failure(() => readJson(notificationDocument, body)).explanation).toContain('doubled element');
  });

  it.each(['1.5', '9007199254740993', '"12a"', 'true', '1e400', '-9007199254740993'])(
    'refuses %s as an integer',
    (hits) => {
      expect(failure(() => readJson(userListDocument, `{"hits":${hits}}`)).explanation).toContain(
        'Expected an integer',
      );
    },
  );
});

describe('readJson keeps the digits of a number', () => {
  const nameFrom = (digits: string) => readJson(userDocument, `{"userName":${digits}}`).userName;

  it.each(['12345678901234567890', '0.1', '1.0', '-0', '1e400', '1E-7', '9'.repeat(1_000_000)])(
    'where a text is described: %.20s is those characters',
    (digits) => {
      expect(nameFrom(digits) === digits).toBe(true);
    },
  );

  it('within the limit of a text', () => {
    expect(failure(() => nameFrom('9'.repeat(1024 * 1024 + 1))).limit).toBe('text');
  });

  it.each([
    ['3.0', 3],
    ['-0', 0],
    ['0e99999', 0],
    ['-12e2', -1200],
    ['120e-1', 12],
    ['9007199254740991.000', Number.MAX_SAFE_INTEGER],
  ])('takes %s for the integer that it is', (digits, whole) => {
    const { hits } = readJson(userListDocument, `{"hits":${digits}}`);
    expect(hits).toBe(whole);
  });

  it.each(['9007199254740992', '-9007199254740993', '12345678901234567890', '1e30'])(
    'refuses %s, which a double would round, as an integer',
    (digits) => {
      const { explanation } = failure(() => readJson(userListDocument, `{"hits":${digits}}`));
      expect(explanation).toContain('Expected an integer within ±9007199254740991: found "');
    },
  );

  it.each(['1e400', '1e-1', '1.5', '9007199254740991.5', `1.${'0'.repeat(100)}`, '1e99999999999'])(
    'refuses %.30s as an integer',
    (digits) => {
      expect(failure(() => readJson(userListDocument, `{"hits":${digits}}`)).kind).toBe('type');
    },
  );
});

describe('readJson has the limits of XML', () => {
  const limits = { ...defaultLimits, bytes: 200, depth: 4, elements: 6, text: 10 };

  it.each([
    ['bytes', ' '.repeat(201)],
    ['depth', '[[[[[1]]]]]'],
    ['elements', '{"alias":[1,2,3,4,5]}'],
    ['text', '{"userName":"abcdefghijk"}'],
    ['text', '{"hits":12345678901}'],
    ['text', '{"abcdefghijk":1}'],
  ] as const)('refuses more than the allowed %s', (limit, body) => {
    expect(failure(() => readJson(userDocument, body, limits))).toMatchObject({ kind: 'limit', limit });
  });

  it('accepts what just fits', () => {
    expect(readJson(userDocument, '{"userName":"abcdefghij","more":[[[1]]]}', limits).userName).toBe('abcdefghij');
  });

  it.each(['[', '{"a":', '[{"a":'])('refuses 100k levels of %s without exhausting the stack', (open) => {
    expect(failure(() => readJson(userDocument, open.repeat(100_000)))).toMatchObject({
      kind: 'limit',
      limit: 'depth',
    });
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(failure(() => readJson(userDocument, new Uint8Array([0x22, 0xff, 0x22]))).explanation).toBe(
      'Expected UTF-8: found other bytes',
    );
  });
});

describe('readJson refuses a property that is there twice', () => {
  const group = (inside: string) => `{"userName":"a","groupList":{"group":[{"groupName":"g"},{${inside}}]}}`;

  it.each([
    ['{"userName":"a","userName":"b"}', '/UserDocument/userName', 'userName'],
    ['{"userName":null,"userName":"b"}', '/UserDocument/userName', 'userName'],
    ['{"userName":"a","user\\u004eame":"b"}', '/UserDocument/userName', 'userName'],
    [group('"groupName":"h","groupName":"i"'), '/UserDocument/groupList/group[2]/groupName', 'groupName'],
    ['{"userName":"a","more":{"x":[[{"y":1}],[1,{"y":1,"y":1}]]}}', '/UserDocument/more/x[2][2]/y', 'y'],
    ['{"__proto__":1,"__proto__":2}', '/UserDocument/__proto__', '__proto__'],
    ['{"":1,"":2}', '/UserDocument/', ''],
  ])('%s', (body, place, found) => {
    const error = failure(() => readJson(userDocument, body));
    expect(error).toMatchObject({ kind: 'structure', place, found });
    expect(error.explanation).toBe(`Expected the element "${found}" once: doubled element`);
    expect([error.line, error.column]).toEqual([1, expect.any(Number)]);
  });

  it('also as the last of many, and takes the same name in different objects', () => {
    const many = Array.from({ length: 40 }, (_, index) => `"n${index}":{"a":1,"n${index}":2}`);
    const body = (more: string) => `{"userName":"a",${many.join()}${more}}`;
    expect(readJson(userDocument, body(''))).toEqual({ userName: 'a' });
    for (const name of ['n0', 'n14', 'n15', 'n39']) {
      expect(failure(() => readJson(userDocument, body(`,"${name}":1`))).place).toBe(`/UserDocument/${name}`);
    }
  });

  it('and does not say a long name in full', () => {
    const name = 'n'.repeat(10_000);
    expect(failure(() => readJson(userDocument, `{"${name}":{"${name}":1,"${name}":2}}`)).message.length).toBeLessThan(
      500,
    );
  });
});
