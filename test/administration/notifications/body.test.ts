import { describe, expect, it } from 'vitest';
import { bodyOf, checkContentType } from '../../../src/administration/notifications/body.ts';
import { readJson, readXml, simpleMetadataDocument } from '../../../src/core/documents/index.ts';
import { refusal } from '../../support/thrown.ts';
import { notification } from './support.ts';

const fields = [
  ['itemId', 'VX-7'],
  ['title', 'Kai & <Hafen>'],
  ['title', ''],
  ['x_note', 'a "b"\r\n]]> 😀'],
] as const;
const namespace = 'http://mam.example/schema?a&b';
const document = { field: fields.map(([key, value]) => ({ key, value: { value } })) };

describe('a body', () => {
  it('is a SimpleMetadataDocument in XML, and its twin in JSON', () => {
    const xml = bodyOf('application/xml', fields, namespace).body;
    expect(xml).toContain('<SimpleMetadataDocument xmlns="http://mam.example/schema?a&amp;b"><field>');
    expect(readXml(simpleMetadataDocument, xml)).toEqual(document);
    const json = bodyOf('application/json', fields, namespace).body;
    expect(readJson(simpleMetadataDocument, json)).toEqual(document);
    expect(JSON.parse(json)).toEqual({ field: fields.map(([key, value]) => ({ key, value })) });
  });

  it('is one line of keys with their values as text', () => {
    expect(bodyOf('text/plain', fields.slice(0, 3), namespace).body).toBe('{itemId=[VX-7], title=[Kai & <Hafen>, ]}');
  });

  it.each([
    ['application/json', 'application/json', '{"field":[]}'],
    ['application/json; charset=UTF-8', 'application/json; charset=UTF-8', '{"field":[]}'],
    [' Application/JSON ', 'Application/JSON', '{"field":[]}'],
    ['text/plain;charset="utf-8"', 'text/plain;charset="utf-8"', '{}'],
    ['', 'text/plain; charset=utf-8', '{}'],
    [undefined, 'text/plain; charset=utf-8', '{}'],
    ['application/cloudevents+json', 'application/cloudevents+json', '{"field":[]}', 'structured'],
    ['text/plain; cloudevents=binary', 'text/plain', '{}', 'binary'],
    [
      'application/json; CloudEvents=binary; charset=utf-8',
      'application/json; charset=utf-8',
      '{"field":[]}',
      'binary',
    ],
  ])('of type %j is sent as %j', (asked, contentType, body, mode?: string) => {
    expect(bodyOf(asked, [], namespace)).toEqual({ contentType, body, ...(mode && { mode }) });
  });
});

describe('the content type of an action', () => {
  const http = (contentType: string) =>
    notification('', `<http><url>http://hooks.example/</url><contentType>${contentType}</contentType></http>`);

  it.each(['application/json', 'application/xml; charset=utf-8', 'text/plain', ''])('%j is taken', (contentType) => {
    expect(() => checkContentType(http(contentType))).not.toThrow();
  });

  it('need not be said, and some actions have none', () => {
    expect(() => checkContentType(notification(''))).not.toThrow();
    expect(() => checkContentType(notification('', '<javascript><script>1</script></javascript>'))).not.toThrow();
  });

  const expected =
    'Expected "application/json", "application/xml", "text/plain" or "application/cloudevents+json", in UTF-8';
  it.each([
    ['application/jsn', `${expected}, nearest is "application/json": "application/jsn"`],
    [
      'application/cloudevents+json; cloudevents=binary',
      `${expected}: "application/cloudevents+json; cloudevents=binary"`,
    ],
    ['application/json; cloudevents=batch', `${expected}: "application/json; cloudevents=batch"`],
    ['text/html', `${expected}: "text/html"`],
    ['application/json; charset=latin1', `${expected}: "application/json; charset=latin1"`],
    ['application/json; profile=x', `${expected}: "application/json; profile=x"`],
  ])('%j is refused', (contentType, explanation) => {
    const error = refusal(() => checkContentType(http(contentType)));
    expect(error.code).toBe('bad-value');
    expect(error.detail).toMatchObject({ context: '/NotificationDocument/action/http/contentType', explanation });
  });

  it('asks for headers only where the action has some', () => {
    const sqs = (contentType: string) =>
      notification('', `<sqs><queue>q</queue><endpoint>e</endpoint><contentType>${contentType}</contentType></sqs>`);
    expect(() => checkContentType(http('text/plain; cloudevents=binary'))).not.toThrow();
    expect(() => checkContentType(sqs('application/cloudevents+json'))).not.toThrow();
    const error = refusal(() => checkContentType(sqs('application/json; cloudevents=binary')));
    expect(error.detail.explanation).toContain(
      '"application/cloudevents+json" for events of an action without headers',
    );
  });

  it('is refused where it belongs', () => {
    const action = '<sqs><queue>q</queue><endpoint>e</endpoint><contentType>text/csv</contentType></sqs>';
    const error = refusal(() => checkContentType(notification('', action)));
    expect(error.detail.context).toBe('/NotificationDocument/action/sqs/contentType');
  });

  it.each(['application/json;\r\ncharset=utf-8', 'application/json;\ncharset=utf-8', 'text/plain\u0000'])(
    'cannot bring a header of its own: %j',
    (contentType) => {
      expect(refusal(() => bodyOf(contentType, [], namespace)).code).toBe('bad-value');
    },
  );
});
